import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { games } from "#db/schema/lottery.ts";
import type { Deps } from "#server/app/deps.ts";
import { ordinalOf, roundAt } from "#shared/lottery/schedule.ts";
import type { Game } from "./read-games.ts";

/** Stops new rounds from opening, or lets them open again. A round that is open still runs to its draw. */
export async function pauseGame(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  gameId: number,
  paused: boolean,
): Promise<void> {
  const now = deps.clock.now();
  const [game] = await tx.select().from(games).where(eq(games.id, gameId));
  if (!game || game.paused === paused) return;
  // A pause within one round stopped no round from opening, so it explains no gap.
  const wasShort = game.pausedAt !== null && ordinalAt(game, game.pausedAt) === ordinalAt(game, now);
  const change = paused ? { paused, pausedAt: now } : { paused, pausedAt: wasShort ? null : game.pausedAt };
  await tx.update(games).set(change).where(eq(games.id, gameId));
  await deps.announce(tx, "game.changed", { gameId });
}

const ordinalAt = (game: Game, ms: number) => ordinalOf(game, roundAt(game, ms));
