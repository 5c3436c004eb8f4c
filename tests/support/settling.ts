import { setImmediate } from "node:timers/promises";
import { Pool } from "#db/postgres/pool.ts";
import type { SettlePiece } from "#server/domains/lottery/settle-piece.ts";
import { ENGINE } from "./databases.ts";
import type { World } from "./world.ts";

/** Settles a drawn round as another process would, step by step: each step is committed when it is yielded. */
export async function* settleInSteps(w: World, roundId: number): AsyncGenerator<SettlePiece | undefined> {
  if (ENGINE === "sqlite") {
    const { openSqlite } = await import("#db/sqlite/open.ts");
    const { settleRound } = await import("#server/domains/lottery/settle.sqlite.ts");
    const raw = openSqlite(w.config.database);
    try {
      for (const piece of settleRound({ raw, clock: w.deps.clock }, roundId)) {
        // The site sees what others commit in its next turn.
        await setImmediate();
        yield piece;
      }
    } finally {
      raw.close();
    }
  } else {
    const { settleRound } = await import("#server/domains/lottery/settle.postgres.ts");
    const pool = new Pool(w.config.database, 1);
    try {
      yield* settleRound(
        { pool, clock: w.deps.clock, reading: () => ({ from: w.now(), startedAt: 0, speed: 0 }) },
        roundId,
        { piece: 1, range: Infinity },
      );
    } finally {
      await pool.end();
    }
  }
}
