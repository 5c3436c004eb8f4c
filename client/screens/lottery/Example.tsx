import { fromUnits } from "#shared/money.ts";
import { allDraws } from "#shared/lottery/dice.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { payoutAt, type Draw } from "#shared/lottery/rules.ts";
import { POINTS, stepOf } from "#shared/unit.ts";
import { useMoney, useSite } from "#client/hooks/use-site.ts";
import { useText } from "#client/text/use-text.ts";
import { boardOf } from "./boards.ts";
import { DrawLine } from "./DrawLine.tsx";
import type { OddsItem } from "./odds-item.ts";
import { OptionName } from "./OptionName.tsx";
import { useChance } from "./use-chance.ts";

/** An option, with a draw that it wins with for each of its rates. */
interface Winning {
  item: OddsItem;
  draws: readonly Draw[];
}

/** One option of each group, the likeliest: the rarest would raise false hopes. None of a kind newer than this page. */
export function examplesOf(kind: string, odds: readonly OddsItem[]): Winning[] {
  const rules = GAME_KINDS.get(kind);
  if (!rules) return [];
  const draws = allDraws(rules.dice);
  return boardOf(kind).groups.flatMap((group) => {
    const [item] = odds.filter((one) => one.group === group).sort((one, two) => two.probability - one.probability);
    const option = rules.options.find(({ type }) => type === item?.type);
    if (!item || !option) return [];
    const wins = item.pays.map((_, place) => draws.filter((draw) => option.times(draw) === place + 1));
    // The first and the last have dice that look too special.
    return [{ item, draws: wins.map((all) => all[Math.floor(all.length / 2)]!) }];
  });
}

const STAKE = 100;

/** An option by picture: its chance, dice that it wins with, and what it pays then. */
export function Example({ kind, example: { item, draws } }: { kind: string; example: Winning }) {
  const text = useText();
  const chance = useChance();
  const money = useMoney();
  const step = stepOf(useSite().data?.unit ?? POINTS);
  const stake = fromUnits(STAKE);
  const paid = (rate: string) => money(payoutAt(stake, Math.round(Number(rate) * 1_000), step));
  return (
    <div className="flex flex-col gap-2 rounded-md border border-line p-3 text-sm">
      <p className="flex flex-wrap items-baseline justify-between gap-x-3">
        <span className="text-base font-semibold">
          <OptionName name={item.name} />
        </span>
        <span className="figures text-muted">
          {text("odds.chance")} {chance(item.probability)}
        </span>
      </p>
      {draws.map((opencode, place) => (
        <div key={place} className="flex flex-col gap-1">
          <DrawLine draw={{ kind, opencode }} />
          <p className="figures">{text("guide.pays", { stake: money(stake), paid: paid(item.pays[place]!) })}</p>
        </div>
      ))}
    </div>
  );
}
