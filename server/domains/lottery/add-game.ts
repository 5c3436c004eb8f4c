import type { Tx } from "#db/db.ts";
import { games, odds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/app/deps.ts";
import type { LocalText } from "#shared/locales.ts";
import { DEFAULT_KIND, rulesOf } from "#shared/lottery/games.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { assertOdds } from "#shared/lottery/odds.ts";
import { isTimetable, type Timetable } from "#shared/lottery/schedule.ts";
import { beginBeacon } from "./change-beacon.ts";

export interface NewGame extends Timetable {
  key: string;
  name: LocalText;
  kind?: string;
}

/** Adds a game with the odds of its kind. Servers publish its anchors and open its first round. */
export async function addGame(tx: Tx, deps: Pick<Deps, "clock" | "announce">, game: NewGame): Promise<number> {
  const { key, name, kind = DEFAULT_KIND, periodS, closeS } = game;
  if (!/^[a-z0-9-]{1,32}$/.test(key)) throw new Error("KEY must have 1 to 32 letters a–z, digits or hyphens.");
  if (!isTimetable({ periodS, closeS })) {
    throw new Error("--period must be a divisor of 86400 and at least 10, and --close at least 2 and below it.");
  }
  const rules = rulesOf(kind);
  assertOdds(rules, rules.odds);
  const now = deps.clock.now();
  const row = { key, name, kind, icon: `/icons/${rules.classKey}.svg`, periodS, closeS, createdAt: now };
  const [added] = await tx.insert(games).values(row).onConflictDoNothing().returning();
  if (!added) throw new Error(`There already is a game ${key}.`);
  await tx.insert(odds).values({ gameId: added.id, milli: [...rules.odds], unit: await readUnit(tx), createdAt: now });
  await beginBeacon(tx, added, now);
  await deps.announce(tx, "game.changed", { gameId: added.id });
  return added.id;
}
