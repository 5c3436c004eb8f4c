import { ChevronRight, ShieldCheck } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Link } from "react-router";
import { KeptRounds } from "#client/components/KeptRounds.tsx";
import { Amount } from "#client/components/Amount.tsx";
import { Sheet } from "#client/components/Sheet.tsx";
import { mostPaid, netOf, payingOf, type OwnRound } from "#client/machines/own-round.ts";
import { useMoney } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import { toDecimal } from "#shared/money.ts";
import { OptionName } from "./OptionName.tsx";
import { useOptionName } from "./use-option-name.ts";
import type { OwnTable } from "./use-own-rounds.ts";

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
        className="mt-2 flex flex-col gap-1 rounded-md bg-felt-deep px-3 py-2 text-start focus-visible:outline-on-felt"
      >
        <span className="flex min-h-5 items-center justify-between gap-2 text-sm text-felt-muted">
          <span>
            <KeptRounds text={isOver ? text("own.result", { round: shown.expect }) : text("own.title")} />
          </span>
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
          <OfRound kind={kind} own={own} />
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

function Figure({ name, value, tone = "" }: { name: string; value: string; tone?: string }) {
  return (
    <span className="flex min-w-0 flex-col">
      <span className="text-xs text-felt-muted">{name}</span>
      <span
        className={`figures flex min-h-6 items-center font-semibold ${value.length > LONG ? "text-xs" : "text-base"} ${tone}`}
      >
        {value}
      </span>
    </span>
  );
}

const NONE = "0.00";

function Waiting({ kind, own, isKnown }: { kind: string; own: OwnRound | null; isKnown: boolean }) {
  const text = useText();
  const money = useMoney();
  const most = own ? mostPaid(kind, payingOf(own)) : 0;
  const shown = (value: string | null) => (isKnown && value !== null ? value : "–");
  return (
    <>
      <Figure name={text("order.stake")} value={shown(money(own?.money ?? NONE))} />
      <Figure name={text("order.details")} value={shown(String(own?.options.length ?? 0))} />
      <Figure name={text("own.most")} value={shown(most === null ? null : money(most))} />
    </>
  );
}

function Ended({ own }: { own: OwnRound }) {
  const text = useText();
  const money = useMoney();
  const net = netOf(own)!;
  return (
    <>
      <Figure name={text("order.stake")} value={money(own.money)} />
      <Figure name={text("order.win")} value={money(own.win!)} />
      <Figure
        name={text("own.net")}
        value={`${net > 0 ? "+" : ""}${money(net)}`}
        tone={net > 0 ? "text-amber-bright" : ""}
      />
    </>
  );
}

/** One round in the sheet: each option with its stake, and what came back or can. */
function OfRound({ kind, own }: { kind: string; own: OwnRound }) {
  const text = useText();
  const nameOf = useOptionName(kind);
  const net = netOf(own);
  return (
    <>
      <h3 className="figures text-sm font-semibold">{text("round.number", { round: own.expect })}</h3>
      <table className="w-full text-sm">
        <thead className="text-xs text-muted">
          <tr>
            <th className="py-1 text-start font-normal">{text("order.details")}</th>
            <th className="py-1 text-end font-normal">{text("order.stake")}</th>
            <th className="py-1 text-end font-normal">{text(net === null ? "own.most" : "order.win")}</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {own.options.map(({ type, money, pays, win }) => (
            <Row key={type} name={<OptionName name={nameOf(type)} />} money={money} back={win ?? pays.at(-1)!} />
          ))}
        </tbody>
        {net !== null && (
          <tfoot className="border-t border-line font-semibold">
            <Row name={text("cart.total")} money={own.money} back={own.win!} />
            <tr>
              <th colSpan={2} className="py-1 text-start">
                {text("own.net")}
              </th>
              <td className={`py-1 text-end ${net > 0 ? "text-jade" : ""}`}>
                <Amount value={toDecimal(net)} isSigned />
              </td>
            </tr>
          </tfoot>
        )}
      </table>
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

function Row({ name, money, back }: { name: ReactNode; money: string; back: string }) {
  return (
    <tr>
      <th scope="row" className="py-1 text-start font-[inherit]">
        {name}
      </th>
      <td className="py-1 text-end">
        <Amount value={money} />
      </td>
      <td className="py-1 text-end">
        <Amount value={back} />
      </td>
    </tr>
  );
}
