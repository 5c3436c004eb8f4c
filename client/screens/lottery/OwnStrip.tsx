import { ChevronRight, ShieldCheck } from "lucide-react";
import { useState } from "react";
import { Link } from "react-router";
import { KeptRounds } from "#client/components/KeptRounds.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { Steady } from "#client/components/Steady.tsx";
import { isReturned, mostPaid, netOf, payingOf, type OwnRound } from "#client/machines/own-round.ts";
import { useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import { RoundBets } from "./RoundBets.tsx";
import type { OwnTable } from "./use-own-rounds.ts";

/** As wide as every round's number. */
export const ANY_ROUND = "00000000-0000";

interface Props {
  game: Lottery;
  own: OwnTable;
}

/** The member's stakes on the open round, or what the last draw brought. Its height never changes. */
export function OwnStrip({ game, own }: Props) {
  const text = useText();
  const [isOpen, open] = useState(false);
  const { rounds, shown } = own;
  const isOver = shown?.win != null;
  return (
    <>
      <button
        type="button"
        disabled={!rounds?.length}
        onClick={() => open(true)}
        className="mt-2 flex flex-col gap-1 rounded-md bg-felt-deep px-3 py-2 text-start focus-visible:outline-on-felt landscape-phone:mt-0 landscape-phone:gap-0 landscape-phone:py-1"
      >
        <span className="flex min-h-5 items-center justify-between gap-2 text-sm text-felt-muted">
          <Steady texts={[text("own.title"), text("own.result", { round: ANY_ROUND })]}>
            <KeptRounds text={isOver ? text("own.result", { round: shown.expect }) : text("own.title")} />
          </Steady>
          <ChevronRight size={16} aria-hidden className={`shrink-0 ${rounds?.length ? "" : "invisible"}`} />
        </span>
        <span className="grid grid-tiles gap-x-2 [--columns:3] [--tile:5em]">
          {isOver ? <Ended own={shown} /> : <Waiting kind={game.kind} own={shown} isKnown={rounds !== undefined} />}
        </span>
      </button>
      <Sheet title={text("own.sheet")} isOpen={isOpen} onClose={() => open(false)}>
        <OwnRounds game={game} own={own} />
        <Link
          to="/GameRecord"
          className="flex min-h-11 items-center text-sm text-brand-text underline-offset-4 hover:underline"
        >
          {text("order.title")}
        </Link>
      </Sheet>
    </>
  );
}

function OwnRounds({ game: { key, kind }, own: { rounds, last } }: Props) {
  return (
    <ul className="flex flex-col gap-4 pb-2">
      {rounds?.map((own) => (
        <li key={own.expect}>
          <RoundBets kind={kind} own={own} />
          {own.win !== null && (
            <Revealed game={key} expect={own.expect} seed={last?.expect === own.expect ? last.seed : undefined} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** A longer amount would reach into the next one. */
const LONG = 9;

/** What each figure may be called, by its place. */
const NAMES = [["order.stake"], ["order.details", "order.win", "order.back"], ["own.most", "own.net"]] as const;

interface FigureProps {
  name: (typeof NAMES)[number][number];
  value: string;
  tone?: string;
}

function Figure({ name, value, tone = "" }: FigureProps) {
  const text = useText();
  const names = NAMES.find((names) => names.some((one) => one === name))!;
  return (
    <span className="flex min-w-0 flex-col justify-between">
      <Steady texts={names.map((one) => text(one))} className="text-xs text-felt-muted">
        {text(name)}
      </Steady>
      <span
        className={`figures flex min-h-[1.5rem] items-center font-semibold ${value.length > LONG ? "text-xs" : "text-base"} ${tone}`}
      >
        {value}
      </span>
    </span>
  );
}

const NONE = "0.00";

function Waiting({ kind, own, isKnown }: { kind: string; own: OwnRound | null; isKnown: boolean }) {
  const money = useMoney();
  const most = own ? mostPaid(kind, payingOf(own)) : 0;
  const shown = (value: string | null) => (isKnown && value !== null ? value : "–");
  return (
    <>
      <Figure name="order.stake" value={shown(money(own?.money ?? NONE))} />
      <Figure name="order.details" value={shown(String(own?.options.length ?? 0))} />
      <Figure name="own.most" value={shown(most === null ? null : money(most))} />
    </>
  );
}

function Ended({ own }: { own: OwnRound }) {
  const money = useMoney();
  const net = netOf(own)!;
  return (
    <>
      <Figure name="order.stake" value={money(own.money)} />
      <Figure name={isReturned(own) ? "order.back" : "order.win"} value={money(own.win!)} />
      <Figure name="own.net" value={`${net > 0 ? "+" : ""}${money(net)}`} tone={net > 0 ? "text-amber-bright" : ""} />
    </>
  );
}

/** The seed that the house revealed for a draw, where it is at hand, and the way to check it. */
function Revealed({ game, expect, seed }: { game: string; expect: string; seed: string | undefined }) {
  const text = useText();
  return (
    <div className="text-sm">
      {seed && (
        <p className="text-xs text-muted">
          {text("fair.seed")} <span className="figures break-all">{seed}</span>
        </p>
      )}
      <Link
        to={`/Fair?key=${game}&expect=${expect}`}
        className="inline-flex min-h-11 items-center gap-1.5 text-brand-text underline-offset-4 hover:underline"
      >
        <ShieldCheck size={16} aria-hidden className="shrink-0" />
        {text("round.check")}
      </Link>
    </div>
  );
}
