import { afterEach, beforeEach, expect, inject, it } from "vitest";
import { Pool } from "#db/postgres/pool.ts";
import { openConnection } from "../support/own-connection.ts";
import { copyDatabase, dropDatabase } from "../support/postgres-databases.ts";

let url: string;
let pool: Pool;

beforeEach(async () => {
  url = await copyDatabase(inject("postgres"));
  pool = new Pool(url, 1, { statement_timeout: 200 });
});
afterEach(async () => {
  await pool.end();
  await dropDatabase(inject("postgres"), url);
});

it("a statement that is cancelled between a lock of its session and the unlocking keeps nobody else waiting", async () => {
  const cancelled = pool.commit({ text: "select pg_advisory_lock(7247, 2), pg_sleep(60)" });
  await expect(cancelled).rejects.toThrow("statement timeout");
  const other = await openConnection(url);
  const locks = () => other.all("select 1 from pg_locks where locktype = 'advisory'");
  await expect.poll(locks, { timeout: 10_000 }).toEqual([]);
  await other.close();
});

it("a refused statement gives its connection back", async () => {
  const idOf = async () => (await pool.query<{ id: number }>("select pg_backend_pid() as id")).rows[0]!.id;
  const before = await idOf();
  await expect(pool.commit({ text: "select 1 / 0" })).rejects.toThrow("division by zero");
  expect(await idOf()).toBe(before);
});
