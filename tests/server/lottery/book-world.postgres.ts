import type pg from "pg";
import { Pool } from "#db/postgres/pool.ts";
import { settleRound } from "#server/domains/lottery/settle.postgres.ts";
import { fromUnits } from "#shared/money.ts";
import { openBook } from "./book-open.ts";
import { type BookWorld } from "./book-world.ts";

export type PostgresWorld = BookWorld & { pool: pg.Pool; url: string };

/** A bet book on this engine, with hands on its database. */
export async function openBookWorld(): Promise<PostgresWorld> {
  const { w, book } = await openBook();
  const pool = new Pool(w.config.database, 10);
  return {
    ...book,
    pool,
    url: w.config.database,
    async members(count, balance = 1_000) {
      const { rows } = await pool.query<{ id: number }>(
        `with people as (
           insert into members (username, avatar, created_at) select gen_random_uuid(), '', $2 from generate_series(1, $1) returning id
         )
         insert into wallets (member_id, balance) select id, $3 from people order by id returning member_id as id`,
        [count, w.now(), fromUnits(balance)],
      );
      return rows.map(({ id }) => id);
    },
    async settleUntil(roundId, dies) {
      const deps = { pool, clock: w, reading: () => ({ from: w.now(), startedAt: 0, speed: 0 }) };
      for await (const piece of settleRound(deps, roundId, { piece: 1, range: 1 })) if (dies(piece)) return;
    },
    async end() {
      await pool.end();
      await book.end();
    },
  };
}
