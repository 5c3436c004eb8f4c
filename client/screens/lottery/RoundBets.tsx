import { Check, Minus } from "lucide-react";
import type { ReactNode } from "react";
import { Amount } from "#client/components/Amount.tsx";
import { Dice } from "#client/components/Dice.tsx";
import { KeptRounds } from "#client/components/KeptRounds.tsx";
import { isReturned, netOf, type OwnRound } from "#client/machines/own-round.ts";
import { useText } from "#client/text/use-text.ts";
import { toDecimal, type Money } from "#shared/money.ts";
import { OptionName } from "./OptionName.tsx";
import { useOptionName } from "./use-option-name.ts";

interface Props {
  kind: string;
  own: OwnRound;
  /** The heading; without it, the round's name. */
  title?: string;
}

/**
 * One round's bets: each option with its stake, whether it came up and what it returned, or can; then staked, returned and
 * net. Warm only where more came back than was staked.
 */
export function RoundBets({ kind, own, title }: Props) {
  const text = useText();
  const net = netOf(own);
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 pb-1">
        <h3 className="figures text-sm font-semibold">
          <KeptRounds text={title ?? text("round.number", { round: own.expect })} />
        </h3>
        {own.opencode && <Dice dice={own.opencode} size={22} />}
      </div>
      {net !== null && !own.opencode && <p className="pb-1 text-sm text-muted">{text("own.refunded")}</p>}
      <table className="w-full text-sm">
        <thead className="text-[min(0.75rem,6vw)] text-muted wrap-anywhere">
          <tr>
            <th className="py-1 text-start font-normal">{text("order.details")}</th>
            <th className="py-1 ps-2 text-end font-normal">{text("order.stake")}</th>
            <th className="py-1 ps-2 text-end font-normal">
              {text(net === null ? "own.most" : isReturned(own) ? "order.back" : "order.win")}
            </th>
          </tr>
        </thead>
        <OptionRows kind={kind} own={own} />
        {net !== null && <Sums own={own} net={net} />}
      </table>
    </>
  );
}

function OptionRows({ kind, own }: Props) {
  const nameOf = useOptionName(kind);
  const isWarm = (netOf(own) ?? 0) > 0;
  return (
    <tbody className="divide-y divide-line">
      {own.options.map(({ type, money, pays, win }) => (
        <Row key={type} money={money} back={win ?? pays.at(-1)!}>
          <span className="flex flex-wrap items-center gap-x-2">
            {own.opencode && <Mark hasWon={win !== null && win !== NOTHING} isWarm={isWarm} />}
            <OptionName name={nameOf(type)} />
          </span>
        </Row>
      ))}
    </tbody>
  );
}

function Sums({ own, net }: { own: OwnRound; net: Money }) {
  const text = useText();
  return (
    <tfoot className="border-t border-edge font-semibold">
      <Row money={own.money} back={own.win!}>
        {text("cart.total")}
      </Row>
      <tr>
        <th colSpan={2} scope="row" className="py-1 text-start wrap-anywhere">
          {text("own.net")}
        </th>
        <td className={`py-1 ps-2 text-end text-base ${net > 0 ? "text-jade" : ""}`}>
          <Amount value={toDecimal(net)} isSigned />
        </td>
      </tr>
    </tfoot>
  );
}

const NOTHING = "0.00";

/** Whether an option came up. Its shape says so as well as its colour. */
function Mark({ hasWon, isWarm }: { hasWon: boolean; isWarm: boolean }) {
  const text = useText();
  const look = isWarm ? "bg-jade text-card" : "bg-ink text-paper";
  return (
    <span className={`grid size-5 shrink-0 place-items-center rounded-full ${hasWon ? look : "text-muted"}`}>
      {hasWon ? <Check size={14} strokeWidth={3} aria-hidden /> : <Minus size={14} aria-hidden />}
      <span className="sr-only">{text(hasWon ? "own.came" : "own.missed")}</span>
    </span>
  );
}

function Row({ money, back, children }: { money: string; back: string; children: ReactNode }) {
  return (
    <tr>
      <th scope="row" className="py-1.5 text-start font-[inherit] wrap-anywhere">
        {children}
      </th>
      <td className="py-1.5 ps-2 text-end">
        <Amount value={money} />
      </td>
      <td className={`py-1.5 ps-2 text-end ${back === NOTHING ? "text-muted" : ""}`}>
        <Amount value={back} />
      </td>
    </tr>
  );
}
