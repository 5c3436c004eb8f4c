import type { games, odds } from "#db/schema/lottery.ts";
import { ownHash, type Leaf } from "#shared/log/leaf.ts";
import type { OddsTerms } from "#shared/lottery/odds-record.ts";

type Game = typeof games.$inferSelect;
type Odds = typeof odds.$inferSelect;

/** Odds as the log states them: with the game they are for, and the unit that payouts are rounded to. */
export function oddsLeaf(game: Game, { id, milli, unit, createdAt }: Odds): Leaf<"odds"> {
  const terms = oddsTerms(game, { id, unit, createdAt });
  const leaf = { kind: "odds" as const, ...terms, rules: game.kind, rates: milli };
  return { ...leaf, hash: ownHash(leaf) };
}

/** What the hash of odds covers beside their rates and the kind of game. */
export const oddsTerms = (
  { key, periodS, closeS }: Pick<Game, "key" | "periodS" | "closeS">,
  { id, unit, createdAt }: Pick<Odds, "id" | "unit" | "createdAt">,
): OddsTerms => ({ game: key, id: String(id), period: periodS, close: closeS, unit, from: createdAt });
