import { desc, eq } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { odds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/deps.ts";
import { optionToWire } from "#shared/contract/values.ts";
import type { LocaleCode } from "#shared/locales.ts";
import { ALL_ROLLS, OPTIONS, waysOf, type Option } from "#shared/lottery/dice-sum.ts";
import type { Game } from "./read-games.ts";
import { oddsText } from "./views.ts";

/** Colours of the betting table: warm for big and odd, cool for small and even, as the sums themselves are. */
const WARM = "#b93c16";
const COOL = "#0f7b6c";

const isSum = (option: Option) => /^\d+$/.test(option);
const colorOf = (option: Option) =>
  option === "big" || option === "odd" || (isSum(option) && Number(option) >= 11) ? WARM : COOL;

/** What can be chosen in a game: odds of the rounds that open now, exact chance and long-run return. */
export async function readOdds(read: Tx, { text }: Pick<Deps, "text">, game: Game, locale: LocaleCode) {
  const [current] = await read.select().from(odds).where(eq(odds.gameId, game.id)).orderBy(desc(odds.id)).limit(1);
  return OPTIONS.map((option, i) => {
    const milli = current!.milli[i]!;
    const ways = waysOf(option);
    return {
      type: optionToWire(option),
      name: isSum(option) ? text(locale, "option.sum", { sum: option }) : text(locale, `option.${option}`),
      proportion: oddsText(milli),
      color: colorOf(option),
      probability: ways / ALL_ROLLS,
      rtp: (milli * ways) / (1000 * ALL_ROLLS),
    };
  });
}
