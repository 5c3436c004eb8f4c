import { desc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { odds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/app/deps.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { allDraws } from "#shared/lottery/dice.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { chanceOf } from "#shared/lottery/odds.ts";
import { oddsText } from "#shared/lottery/odds-record.ts";
import { ratesOf } from "#shared/lottery/rules.ts";
import type { Game } from "./read-games.ts";

/** A game's options: odds of rounds opened from now on, exact chance and long-run return. */
export async function readOdds(read: Tx, { text }: Pick<Deps, "text">, game: Game, locale: LocaleCode) {
  const [current] = await read.select().from(odds).where(eq(odds.gameId, game.id)).orderBy(desc(odds.id)).limit(1);
  const rules = rulesOf(game.kind);
  const draws = allDraws(rules.dice);
  return rules.options.map((option, place) => {
    const { type, group, color, name } = option;
    const rates = ratesOf(rules, place, current!.milli);
    const pays = rates.map(oddsText);
    return {
      type,
      name: text(locale, name.key, name.values),
      group,
      proportion: pays[0]!,
      pays,
      color,
      ...chanceOf(option, rates, draws),
    };
  });
}
