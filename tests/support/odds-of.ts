import english from "#locales/en.json" with { type: "json" };
import type { OddsItem } from "#client/screens/lottery/odds-item.ts";
import { allDraws } from "#shared/lottery/dice.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { chanceOf } from "#shared/lottery/odds.ts";
import { ratesOf } from "#shared/lottery/rules.ts";

/** The odds that the server sends for a new game of a kind, in English. */
export function oddsOf(kind: string): OddsItem[] {
  const rules = rulesOf(kind);
  const draws = allDraws(rules.dice);
  return rules.options.map((option, place) => {
    const rates = ratesOf(rules, place, rules.odds);
    const pays = rates.map((rate) => String(rate / 1_000));
    const { type, group, color, name } = option;
    const { probability, rtp } = chanceOf(option, rates, draws);
    return { type, group, color, name: named(name), proportion: pays[0]!, pays, probability, rtp };
  });
}

function named({ key, values = {} }: ReturnType<typeof rulesOf>["options"][number]["name"]): string {
  const texts: Record<string, unknown> = english.option;
  return String(texts[key.replace("option.", "")]).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) =>
    String(values[name]),
  );
}
