import { bytesToHex } from "@noble/hashes/utils.js";
import { and, eq, isNotNull, isNull, lte } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { rounds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/deps.ts";
import { diceOf } from "#shared/lottery/fairness.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import type { Game } from "./read-games.ts";
import type { Seeds } from "./seeds.ts";

/**
 * Draws a round that is closed and whose time has come, from the seed that its
 * commit named. There is no other result: whoever draws it, and however often
 * it is tried, the row says the same.
 */
export async function drawRound(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce" | "process">,
  seeds: Seeds,
  game: Game,
  round: { id: number; day: number; number: number; beacon: string },
): Promise<boolean> {
  const now = deps.clock.now();
  const due = and(
    eq(rounds.id, round.id),
    isNotNull(rounds.closedAt),
    isNull(rounds.drawnAt),
    lte(rounds.drawsAt, now),
  );
  const [closed] = await tx.select({ id: rounds.id }).from(rounds).where(due);
  if (!closed) return false;
  const seed = seeds.reveal(game, round);
  const dice = diceOf(seed, game.key, roundText(round), round.beacon);
  const drawn = await tx
    .update(rounds)
    .set({ seed: bytesToHex(seed), dice: [...dice], drawnAt: now })
    .where(due)
    .returning({ id: rounds.id });
  if (drawn.length) await deps.announce(tx, "round.drawn", { gameId: game.id, roundId: round.id, by: deps.process });
  return drawn.length > 0;
}
