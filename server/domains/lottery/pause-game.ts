import { eq } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { games } from "#db/schema/lottery.ts";
import type { Deps } from "#server/deps.ts";

/**
 * Stops new rounds from opening, or lets them open again. The round that is
 * open goes on to its draw: nobody can take it back.
 */
export async function pauseGame(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  gameId: number,
  paused: boolean,
): Promise<void> {
  const change = paused ? { paused, pausedAt: deps.clock.now() } : { paused };
  await tx.update(games).set(change).where(eq(games.id, gameId));
  await deps.announce(tx, "game.changed", { gameId });
}
