import { OperatorText } from "#client/components/OperatorText.tsx";
import { Eye, ShieldCheck } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { KeptRounds } from "#client/components/KeptRounds.tsx";
import { CountdownRing } from "#client/components/CountdownRing.tsx";
import { Dice, TumblingDice } from "#client/components/Dice.tsx";
import type { BettingActor, BettingSnapshot } from "./use-betting-round.ts";
import { useCountdown } from "#client/hooks/use-countdown.ts";
import { useText } from "#client/text/use-text.ts";
import { bus } from "#client/api/bus.ts";
import { jitter } from "#client/api/jitter.ts";
import { lotteryInfo, type Lottery } from "#shared/contract/lottery.ts";
import { diceIn } from "./boards.ts";
import { RoundAnnouncer } from "./RoundAnnouncer.tsx";
import { useCues } from "./use-cues.ts";
import { useDrawWords } from "./use-draw-words.ts";
import { OwnStrip } from "./OwnStrip.tsx";
import type { DrawnRow, OwnTable } from "./use-own-rounds.ts";

interface Props {
  game: Lottery;
  actor: BettingActor;
  snapshot: BettingSnapshot;
  own: OwnTable;
}

/** The felt: the round and its countdown, the member's own stakes or result, and the last draw. */
export function RoundTable({ game, actor, snapshot, own }: Props) {
  const text = useText();
  const { round, result } = snapshot.context;
  const phase = round?.state === "paused" ? "paused" : snapshot.matches({ round: "open" }) ? "open" : "drawing";
  const seconds = useCountdown(phase === "open" ? (round?.closeMs ?? null) : null);
  const isLoading = round === null;
  useCues(actor, snapshot, own, phase === "open" ? seconds : 0);
  return (
    <section
      aria-label={text("round.number", { round: round?.expect ?? "…" })}
      className="flex flex-col rounded-lg bg-linear-to-b from-felt to-felt-deep px-4 pt-3 pb-1 text-on-felt shadow-card"
    >
      <div className="flex items-start justify-between gap-4">
        <div className="min-w-0">
          <p className="figures text-base font-semibold break-words">
            <KeptRounds
              text={isLoading ? text("round.loading") : text("round.number", { round: round.expect ?? "—" })}
            />
          </p>
          <p className="flex min-h-5 flex-wrap gap-x-3 text-sm text-felt-muted">
            {!isLoading && text(`game.${phase}`)}
            <Screens gameKey={game.key} />
          </p>
          <p role="status" className="figures text-sm break-words">
            {round?.awaitsBeacon && <KeptRounds text={text("round.awaitsBeacon", { round: round.awaitsBeacon })} />}
          </p>
          <PauseNote pause={round?.pause ?? null} game={game} />
        </div>
        <CountdownRing seconds={seconds} period={game.period} size={64} />
      </div>
      <OwnStrip game={game} own={own} />
      <LastDraw game={game} snapshot={snapshot} own={own} isDrawing={phase === "drawing" && !isLoading} />
      <RoundAnnouncer kind={game.kind} seconds={seconds} phase={phase} result={result} own={own.rounds} />
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

/** Asks for the reason within this time, so that a full room does not ask at once. */
const SPREAD_MS = 1_500;

/** A pause that is announced or under way: from which round, until which, and why. Screen readers hear of it at once. */
function PauseNote({ pause, game }: { pause: Lottery["pause"]; game: Lottery }) {
  const text = useText();
  const queryClient = useQueryClient();
  const { from = "", until = null } = pause ?? {};
  const isKnown = from === (game.pause?.from ?? "") && until === (game.pause?.until ?? null);
  useEffect(() => {
    if (isKnown) return undefined;
    const ask = () => void queryClient.invalidateQueries({ queryKey: [lotteryInfo.path] });
    const timer = setTimeout(ask, jitter(SPREAD_MS));
    return () => clearTimeout(timer);
  }, [isKnown, queryClient]);
  return (
    <div role="status" className="figures text-sm break-words">
      {pause && (
        <p>
          <KeptRounds text={text("round.pausedFrom", { round: from })} />
        </p>
      )}
      {until && (
        <p>
          <KeptRounds text={text("round.opensAgain", { round: until })} />
        </p>
      )}
      {pause && isKnown && game.pause_reason && (
        <p className="text-felt-muted">
          <OperatorText text={game.pause_reason} lang={game.langs?.pause_reason} />
        </p>
      )}
    </div>
  );
}

/** The last draw under its own round's name, with a link to verify it. Its height never changes. */
function LastDraw({ game, snapshot, own: { last }, isDrawing }: Omit<Props, "actor"> & { isDrawing: boolean }) {
  const text = useText();
  const isShown = snapshot.matches({ round: "shown" });
  const isTumbling = isDrawing && !isShown;
  const drawing = snapshot.context.round?.expect ?? "";
  return (
    <>
      <div className="mt-1 flex min-h-11 items-center justify-between gap-x-3">
        {(isTumbling || last) && (
          <h2 className="figures min-w-0 text-sm/tight font-normal text-felt-muted">
            <span className="block">{text(isTumbling ? "game.drawing" : "game.last")}</span>
            <KeptRounds text={text("round.number", { round: isTumbling ? drawing : last!.expect })} />
          </h2>
        )}
        {last && <CheckLink to={`/Fair?key=${game.key}&expect=${last.expect}`} isHidden={isTumbling} />}
      </div>
      <div className="mb-2 flex min-h-12 flex-wrap items-center justify-between gap-x-3 gap-y-1">
        {isTumbling ? (
          <>
            <TumblingDice count={diceIn(game.kind)} size={46} />
            <Words dice={diceIn(game.kind)} />
          </>
        ) : last ? (
          <Fallen key={last.expect} kind={game.kind} draw={last} isNew={isShown} />
        ) : (
          <p className="text-sm text-felt-muted">{text("game.noDraw")}</p>
        )}
      </div>
    </>
  );
}

function Fallen({ kind, draw: { dice }, isNew }: { kind: string; draw: DrawnRow; isNew: boolean }) {
  const words = useDrawWords(kind);
  // Rolling continues even if the next round opens at once.
  const [isRolling] = useState(isNew);
  return (
    <>
      <Dice dice={dice} size={46} isRolling={isRolling} />
      <Words dice={dice.length} label={words(dice).join(" · ")} />
    </>
  );
}

/** With more dice than this, a phone has no room beside them. */
const MOST_BESIDE = 3;

/**
 * The draw's labels, beside the dice or below them if there is no room. Their space stays reserved while dice tumble.
 */
function Words({ dice, label = "" }: { dice: number; label?: string }) {
  return (
    <p
      className={`min-h-[1lh] min-w-min flex-[1_1_6em] text-base/tight font-semibold text-balance ${dice > MOST_BESIDE ? "text-start" : "text-end"}`}
    >
      {label}
    </p>
  );
}

function CheckLink({ to, isHidden }: { to: string; isHidden: boolean }) {
  const text = useText();
  return (
    <Link
      to={to}
      className={`ms-auto inline-flex min-h-11 items-center gap-1.5 text-end text-sm/tight text-on-felt underline underline-offset-4 focus-visible:outline-on-felt ${isHidden ? "invisible" : ""}`}
    >
      <ShieldCheck size={16} aria-hidden className="shrink-0 max-[380px]:hidden" />
      {text("round.check")}
    </Link>
  );
}
