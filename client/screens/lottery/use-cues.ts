import { useEffect, useState } from "react";
import { makeCues } from "#client/app/cues.ts";
import { netOf } from "#client/machines/own-round.ts";
import type { BettingActor, BettingSnapshot } from "./use-betting-round.ts";
import type { OwnTable } from "./use-own-rounds.ts";

/** A cart that is not placed is told of so many seconds before closing. */
const CLOSING_S = 5;

const cuesOfPage = () =>
  makeCues({
    newAudio: () => new AudioContext(),
    vibrate: "vibrate" in navigator ? (pulses) => navigator.vibrate(pulses) : undefined,
    isHidden: () => document.hidden,
  });

/** Plays what happens at the table: dice that land, an unplaced cart in the last seconds, and what the member's bets brought. */
export function useCues(actor: BettingActor, snapshot: BettingSnapshot, own: OwnTable, seconds: number): void {
  const cues = usePageCues();
  const { result } = snapshot.context;

  useEffect(() => {
    const drawn = actor.on("drawn", () => cues.play("dice"));
    return () => drawn.unsubscribe();
  }, [actor, cues]);

  const isClosing = seconds > 0 && seconds <= CLOSING_S;
  useEffect(() => {
    const { cart, ticket } = actor.getSnapshot().context;
    if (isClosing && cart.options.length > 0 && ticket === null) cues.play("closing");
  }, [isClosing, actor, cues]);

  const mine = own.rounds?.find(({ expect }) => expect === result?.expect);
  const net = mine ? netOf(mine) : null;
  const brought = net === null ? null : net > 0 ? "won" : "settled";
  useEffect(() => {
    if (brought !== null) cues.play(brought);
  }, [brought, result?.expect, cues]);
}

/** The cues of the screen, which its gestures wake. */
function usePageCues() {
  const [cues] = useState(cuesOfPage);
  useEffect(() => {
    const { touched } = cues;
    if (navigator.userActivation?.hasBeenActive) touched();
    document.addEventListener("pointerup", touched);
    document.addEventListener("keydown", touched);
    return () => {
      document.removeEventListener("pointerup", touched);
      document.removeEventListener("keydown", touched);
      cues.end();
    };
  }, [cues]);
  return cues;
}
