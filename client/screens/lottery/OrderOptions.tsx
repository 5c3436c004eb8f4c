import { ChevronDown } from "lucide-react";
import { Amount } from "#client/components/Amount.tsx";
import type { TextKey } from "#client/text/i18n.ts";
import { useText } from "#client/text/use-text.ts";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { gameList } from "#shared/contract/lottery.ts";
import { useOdds } from "./use-chance.ts";
import { OptionName } from "./OptionName.tsx";
import { useOptionName } from "./use-option-name.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";

type Option = ReplyOf<typeof gameList>[number]["data"][number];

interface Props {
  kind: string;
  options: Option[];
  /** The fingerprint of the odds. */
  oddsHash: string;
  /** The stakes came back: the round is never drawn. */
  isReturned: boolean;
}

/** The options of an order, collapsed: each with its odds, stake and win; and the odds' fingerprint. */
export function OrderOptions({ kind, options, oddsHash, isReturned }: Props) {
  const text = useText();
  return (
    <details className="group rounded-md bg-sunken">
      <summary className="flex min-h-11 cursor-pointer list-none flex-wrap items-center justify-between gap-x-3 rounded-md px-3 py-2 text-sm font-medium [&::-webkit-details-marker]:hidden">
        <span>{text("order.details")}</span>
        <span className="flex items-center gap-2 text-muted">
          {text("cart.chosen", { count: options.length })}
          <ChevronDown size={18} aria-hidden className="transition group-open:rotate-180" />
        </span>
      </summary>
      <ul className="divide-y divide-line px-3 pb-1 text-sm">
        {options.map((option) => (
          <OptionRow key={option.type} kind={kind} option={option} back={isReturned ? "order.back" : "order.win"} />
        ))}
      </ul>
      <p className="flex flex-col gap-1 border-t border-line px-3 py-2 text-xs">
        <span className="text-muted">{text("fair.oddsHash")}</span>
        <code className="font-mono break-all">{oddsHash}</code>
      </p>
    </details>
  );
}

interface RowProps {
  kind: string;
  option: Option;
  /** What that which came back is called. */
  back: TextKey;
}

function OptionRow({ kind, option: { type, money, proportion, win }, back }: RowProps) {
  const text = useText();
  const nameOf = useOptionName(kind);
  const odds = useOdds();
  const hasWon = win !== null && win !== "0.00";
  // Until it has won, an option with several rates reports only its first, which may not be the one it pays.
  const isOneRate = hasWon || !paysByTimes(kind, type);
  return (
    <li className="grid grid-tiles gap-x-2 py-2 [--columns:2] [--tile:7.5em]">
      <span className={hasWon ? "font-semibold" : ""}>
        <OptionName name={nameOf(type)} />
      </span>
      <span className="figures text-end text-muted">
        {isOneRate ? text("odds.times", { odds: odds(proportion) }) : text("odds.byTimes")}
      </span>
      <span className="text-muted">
        {text("order.stake")} <Amount value={money} />
      </span>
      {win !== null && (
        <span className={`text-end ${hasWon ? "font-semibold" : "text-muted"}`}>
          {text(back)} <Amount value={win} />
        </span>
      )}
    </li>
  );
}

/** Whether an option pays by how often it comes up, so that no single rate applies. */
const paysByTimes = (kind: string, type: string): boolean =>
  (GAME_KINDS.get(kind)?.options.find((option) => option.type === type)?.most ?? 1) > 1;
