import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { pauses, rounds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/app/deps.ts";
import type { LocalText } from "#shared/locales.ts";
import { addLeaf } from "#server/domains/log/add-leaf.ts";
import { actsFrom } from "#shared/lottery/pauses.ts";
import { placeOf, roundText, type RoundPlace } from "#shared/lottery/schedule.ts";
import type { Game } from "./read-games.ts";
import { readPauses } from "./read-pauses.ts";

interface Announcement {
  paused: boolean;
  reason: LocalText | null;
}

/**
 * Announces that a game pauses, or opens again, from the round after next on. The round that runs and the next one are
 * played as promised. Returns the first round it acts on: where the same was announced last, that stays as it is. Null for
 * a game that was never paused and shall open again.
 */
export async function pauseGame(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  game: Game,
  { paused, reason }: Announcement,
): Promise<RoundPlace | null> {
  const last = (await readPauses(tx, game)).at(-1);
  if (!last && !paused) return null;
  if (last?.paused === paused) return { day: last.fromDay, number: last.fromNumber };
  const now = deps.clock.now();
  const from = await firstUnopened(tx, game, actsFrom(game, now));
  const row = { gameId: game.id, fromDay: from.day, fromNumber: from.number, paused, reason, announcedAt: now };
  await tx.insert(pauses).values(row);
  const stated = { game: game.key, from: roundText(from), at: now };
  await addLeaf(tx, paused ? { kind: "pause", ...stated, reason: reason ?? "" } : { kind: "resume", ...stated });
  await deps.announce(tx, "game.changed", { gameId: game.id });
  return from;
}

/**
 * The first round at or after `ordinal` that is not opened yet. A clock that was ahead may have opened it, and whatever
 * is opened is played. Being read here, it cannot be opened at the same time either.
 */
export async function firstUnopened(tx: Tx, game: Game, ordinal: number): Promise<RoundPlace> {
  for (let at = ordinal; ; at++) {
    const place = placeOf(game, at);
    const isPlace = and(eq(rounds.gameId, game.id), eq(rounds.day, place.day), eq(rounds.number, place.number));
    const [opened] = await tx.select({ id: rounds.id }).from(rounds).where(isPlace);
    if (!opened) return place;
  }
}
