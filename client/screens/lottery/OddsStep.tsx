import { ChevronDown } from "lucide-react";
import { useList } from "#client/text/use-list.ts";
import { useText } from "#client/text/use-text.ts";
import { DIVIDER } from "#shared/format.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { isOddsRecord, oddsHash } from "#shared/lottery/odds-record.ts";
import { CheckStep, Hex } from "./CheckStep.tsx";
import { OptionName } from "./OptionName.tsx";
import { useOdds } from "./use-chance.ts";
import type { FairRound } from "./use-draw-check.ts";
import { useOptionName } from "./use-option-name.ts";

interface Props {
  step: number;
  kind: string;
  odds: NonNullable<FairRound["odds"]>;
}

/** The odds of a round, with the fingerprint that a member's own bets on it name too. */
export function OddsStep({ step, kind, odds }: Props) {
  const text = useText();
  const rules = GAME_KINDS.get(kind);
  const isTrue = rules !== undefined && isOddsRecord(rules, odds);
  return (
    <CheckStep
      step={step}
      title={text("fair.odds")}
      outcome={isTrue ? "matches" : "differs"}
      about={text("fair.oddsText")}
    >
      <Hex name={text("fair.oddsHash")} value={odds.hash} />
      <Hex name={`SHA-256${DIVIDER}${text("fair.computed")}`} value={oddsHash(kind, odds)} />
      <details className="group rounded-md bg-sunken">
        <summary className="flex min-h-11 cursor-pointer list-none items-center justify-between gap-3 rounded-md px-3 py-2 text-sm font-medium [&::-webkit-details-marker]:hidden">
          <span>{text("odds.pays")}</span>
          <ChevronDown size={18} aria-hidden className="shrink-0 text-muted transition group-open:rotate-180" />
        </summary>
        <Rates kind={kind} odds={odds} />
      </details>
    </CheckStep>
  );
}

function Rates({ kind, odds: { options } }: Omit<Props, "step">) {
  const text = useText();
  const nameOf = useOptionName(kind);
  const odds = useOdds();
  const list = useList();
  return (
    <ul className="divide-y divide-line px-3 pb-1 text-sm">
      {options.map(({ type, pays }) => (
        <li key={type} className="flex flex-wrap justify-between gap-x-4 py-2">
          <OptionName name={nameOf(type)} />
          <span className="figures ms-auto text-muted">
            {list(pays.map((rate) => text("odds.times", { odds: odds(rate) })))}
          </span>
        </li>
      ))}
    </ul>
  );
}
