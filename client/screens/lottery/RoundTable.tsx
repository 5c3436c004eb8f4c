import { Eye, ShieldCheck } from "lucide-react";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { Link } from "react-router";
import { KeptRounds } from "#client/components/KeptRounds.tsx";
import { CountdownRing } from "#client/components/CountdownRing.tsx";
import { Dice, TumblingDice } from "#client/components/Dice.tsx";
import type { BettingActor, BettingSnapshot } from "./use-betting-round.ts";
import { useCountdown } from "#client/hooks/use-countdown.ts";
import { Steady } from "#client/components/Steady.tsx";
import { useText } from "#client/text/use-text.ts";
import { bus } from "#client/api/bus.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import { DIVIDER } from "#shared/format.ts";
import { allDraws } from "#shared/lottery/dice.ts";
import { diceIn } from "./boards.ts";
import { RoundAnnouncer } from "./RoundAnnouncer.tsx";
import { useCues } from "./use-cues.ts";
import { useDrawWords } from "./use-draw-words.ts";
import { ANY_ROUND, OwnStrip } from "./OwnStrip.tsx";
import { TableNote } from "./TableNote.tsx";
import type { DrawnRow, OwnTable } from "./use-own-rounds.ts";
import { useRevealedSeed } from "./use-revealed-seed.ts";

interface Props {
  game: Lottery;
  actor: BettingActor;
  snapshot: BettingSnapshot;
  own: OwnTable;
}

const PHASES = ["open", "drawing", "paused"] as const;

/** The felt: the round and its countdown, the member's own stakes or result, and the last draw. */
export function RoundTable({ game, actor, snapshot, own }: Props) {
  const text = useText();
  const { round, result } = snapshot.context;
  const phase = round?.state === "paused" ? "paused" : snapshot.matches({ round: "open" }) ? "open" : "drawing";
  const seconds = useCountdown(phase === "open" ? (round?.closeMs ?? null) : null);
  const isLoading = round === null;
  const expect = round?.expect;
  // Between a pause's rounds there is none to name.
  const unnamed = text(isLoading ? "round.loading" : `game.${phase}`);
  const title = expect ? text("round.number", { round: expect }) : unnamed;
  useCues(actor, snapshot, own, phase === "open" ? seconds : 0);
  return (
    <section
      aria-label={title}
      className="flex flex-col rounded-lg bg-linear-to-b from-felt to-felt-deep px-4 pt-3 pb-1 text-on-felt shadow-card landscape-phone:pt-2"
    >
      <div className="flex flex-wrap items-start justify-between gap-x-4">
        <div className="min-w-[min(100%,9rem)] flex-1">
          <p className="figures text-base font-semibold break-words">
            <Steady texts={[text("round.loading"), text("game.paused"), text("round.number", { round: ANY_ROUND })]}>
              <KeptRounds text={title} />
            </Steady>
          </p>
          <p className="flex flex-wrap gap-x-3 text-sm text-felt-muted">
            {/* Where the title says it, its place stays empty, after what else is there. */}
            <Steady texts={PHASES.map((one) => text(`game.${one}`))} className={expect ? "" : "order-last"}>
              {expect && text(`game.${phase}`)}
            </Steady>
            <Screens gameKey={game.key} />
          </p>
          <TableNote game={game} round={round} />
        </div>
        <CountdownRing seconds={seconds} period={game.period} size={64} />
      </div>
      <OwnStrip game={game} own={own} />
      <LastDraw game={game} snapshot={snapshot} own={own} isDrawing={phase === "drawing" && !isLoading} />
      <RoundAnnouncer kind={game.kind} seconds={seconds} phase={phase} result={result} own={own} />
    </section>
  );
}

/** How many screens the game is open on, as the server counted them; unseen while this may be the only one. */
function Screens({ gameKey }: { gameKey: string }) {
  const text = useText();
  const [screens, count] = useState(0);
  useEffect(() => {
    const onWatching = (watching: { key: string; screens: number }) => {
      if (watching.key === gameKey) count(watching.screens);
    };
    const onConnection = () => count(0);
    bus.on("watching", onWatching);
    bus.on("connection", onConnection);
    return () => {
      bus.off("watching", onWatching);
      bus.off("connection", onConnection);
    };
  }, [gameKey]);
  return (
    <span className={`figures inline-flex items-center gap-1 ${screens > 1 ? "" : "invisible"}`}>
      <Eye size={16} aria-hidden />
      <span aria-hidden>{screens}</span>
      <span className="sr-only">{text("round.screens", { count: screens })}</span>
    </span>
  );
}

/** The last draw under its own round's name, with a link to verify it. Its height never changes. */
function LastDraw({ game, snapshot, own: { last, flying }, isDrawing }: Omit<Props, "actor"> & { isDrawing: boolean }) {
  const text = useText();
  const isShown = snapshot.matches({ round: "shown" });
  const isTumbling = isDrawing && !isShown;
  const drawing = snapshot.context.round?.expect;
  const hasTitle = isTumbling || last !== null;
  const round = (isTumbling ? drawing : last?.expect) ?? ANY_ROUND;
  return (
    <>
      <div className="mt-1 flex min-h-11 flex-wrap landscape-phone:-my-0.5 items-center justify-between gap-x-3">
        <h2
          className={`figures min-w-min flex-[1_1_7rem] text-sm/tight font-normal text-felt-muted ${hasTitle ? "" : "invisible"}`}
        >
          <Steady texts={[text("game.drawing"), text("game.last")]}>
            {text(isTumbling ? "game.drawing" : "game.last")}
          </Steady>
          <span className="sr-only">{text("round.number", { round })}</span>
          <span aria-hidden className="block whitespace-nowrap">
            {round}
          </span>
        </h2>
        <CheckLink game={game.key} draw={isTumbling ? null : last} />
      </div>
      <div className="mb-2 flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1">
        {isTumbling || !last ? (
          <>
            {isTumbling ? <TumblingDice count={diceIn(game.kind)} size={46} /> : <NoDice count={diceIn(game.kind)} />}
            <Words kind={game.kind}>{!isTumbling && text("game.noDraw")}</Words>
          </>
        ) : (
          <Fallen key={last.expect} kind={game.kind} draw={last} isFlying={last.expect === flying} />
        )}
      </div>
    </>
  );
}

function Fallen({ kind, draw: { dice }, isFlying }: { kind: string; draw: DrawnRow; isFlying: boolean }) {
  const words = useDrawWords(kind);
  const [isRolling] = useState(isFlying);
  return (
    <>
      <Dice dice={dice} size={46} isRolling={isRolling} />
      <Words kind={kind}>{!isFlying && words(dice).join(DIVIDER)}</Words>
    </>
  );
}

/** With more dice than this, a phone has no room beside them. */
const MOST_BESIDE = 3;

/** The place of the dice before the first draw. */
function NoDice({ count }: { count: number }) {
  return (
    <span aria-hidden className="inline-flex gap-1.5">
      {Array.from({ length: count }, (_, place) => (
        <span key={place} className="size-[46px] rounded-md border-2 border-dashed border-felt-line" />
      ))}
    </span>
  );
}

/** The draw's labels, beside the dice or below them if there is no room. Their place has room for those of any draw. */
function Words({ kind, children }: { kind: string; children: ReactNode }) {
  const text = useText();
  const all = useAllWords(kind);
  return (
    <p
      className={`min-w-min flex-[1_1_6em] text-base/tight font-semibold text-balance ${diceIn(kind) > MOST_BESIDE ? "text-start" : "text-end"}`}
    >
      <Steady texts={[...all, text("game.noDraw")]}>{children}</Steady>
    </p>
  );
}

/** The labels of all draws, each once: hundreds of texts, so they are put together once. */
function useAllWords(kind: string): string[] {
  const words = useDrawWords(kind);
  return useMemo(() => [...new Set(allDraws(diceIn(kind)).map((draw) => words(draw).join(DIVIDER)))], [kind, words]);
}

/** As many digits of a seed stand at either end of its short form. */
const SEED_DIGITS = 4;

const shortened = (seed: string) => `${seed.slice(0, SEED_DIGITS)}…${seed.slice(-SEED_DIGITS)}`;

/** As wide as every shortened seed. */
const ANY_SEED = shortened("0".repeat(2 * SEED_DIGITS));

/** Leads to the check of a draw, with the seed that the house revealed for it. */
function CheckLink({ game, draw }: { game: string; draw: DrawnRow | null }) {
  const text = useText();
  const seed = useRevealedSeed(game, draw);
  return (
    <Link
      to={`/Fair?key=${game}&expect=${draw?.expect}`}
      className={`inline-flex min-h-11 flex-[4_1_min-content] flex-col items-end justify-center gap-1.5 text-end text-sm/tight text-on-felt focus-visible:outline-on-felt ${draw ? "" : "invisible"}`}
    >
      <span className="inline-flex items-center gap-1.5 underline underline-offset-4">
        <ShieldCheck size={16} aria-hidden className="shrink-0 max-[380px]:hidden" />
        {text("round.check")}
      </span>
      {/* Screen readers get all of it there. */}
      <span aria-hidden className={`text-xs/tight text-felt-muted ${seed ? "" : "invisible"}`}>
        {text("fair.seed")} <span className="figures whitespace-nowrap">{seed ? shortened(seed) : ANY_SEED}</span>
      </span>
    </Link>
  );
}
