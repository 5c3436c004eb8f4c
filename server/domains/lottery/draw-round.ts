import { bytesToHex } from "@noble/hashes/utils.js";
import { and, eq, gt, isNotNull, isNull, lte, or } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import type { Tx } from "#db/db.ts";
import { rounds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/app/deps.ts";
import { commitOf, drawOf } from "#shared/lottery/fairness.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { earlyFrom } from "./close-round.ts";
import type { Game } from "./read-games.ts";
import type { Seeds } from "./seeds.ts";

/** A round that is closed and waits for its draw. */
type Waiting = Pick<typeof rounds.$inferSelect, "id" | "day" | "number" | "beacon" | "commit">;

/** Whether a closed round's draw is due: its time has come, or it was opened by a clock that was ahead. */
export const isDrawDue = (game: Game, { drawsAt }: { drawsAt: number }, now: number): boolean =>
  drawsAt <= now || drawsAt > earlyFrom(game, now);

/**
 * Draws a round that is closed and due, from the seed that its commit fixed. The result is deterministic: every process
 * and every retry draws the same. If the seed is not the committed one, nothing is drawn and the round fails.
 */
export async function drawRound(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce" | "process">,
  seeds: Seeds,
  game: Game,
  round: Waiting,
): Promise<"drawn" | "failed" | "before"> {
  const now = deps.clock.now();
  const due = and(
    eq(rounds.id, round.id),
    isNotNull(rounds.closedAt),
    isNull(rounds.drawnAt),
    isNull(rounds.failedAt),
    or(lte(rounds.drawsAt, now), gt(rounds.drawsAt, earlyFrom(game, now))),
  );
  const [closed] = await tx.select({ id: rounds.id }).from(rounds).where(due);
  if (!closed) return "before";
  failpoint("round.draw", round.id);
  const seed = seeds.reveal(game, round);
  const isCommitted = commitOf(seed) === round.commit;
  const place = { gameKey: game.key, round: roundText(round), beacon: round.beacon };
  const dice = drawOf(rulesOf(game.kind), seed, place);
  const result = isCommitted
    ? { seed: bytesToHex(seed), dice: [...dice], drawnAt: now }
    : { failedAt: now, failure: "its seed is not the committed one" };
  const changed = await tx.update(rounds).set(result).where(due).returning({ id: rounds.id });
  if (changed.length === 0) return "before";
  const news = { gameId: game.id, roundId: round.id };
  if (!isCommitted) await deps.announce(tx, "round.failed", news);
  else await deps.announce(tx, "round.drawn", { ...news, by: deps.process });
  return isCommitted ? "drawn" : "failed";
}
