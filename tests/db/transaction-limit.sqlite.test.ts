import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isDatabaseAway } from "#db/away.ts";
import { connect } from "#db/connect.ts";
import type { Db, TransactionKind } from "#db/db.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { meta } from "#db/schema/site.ts";

/** Longer than the writer waits for an ordinary transaction. */
const SLOW_MS = 400;
const pause = () => new Promise((resolve) => setTimeout(resolve, SLOW_MS));

let folder: string;
let db: Db;
let runs: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "trio-"));
  const file = join(folder, "trio.db");
  await migrateDatabase(file);
  const writer = new URL("../../server/admin/writer.ts", import.meta.url);
  const postgresWork = async () => ({ batches: {}, jobs: {} });
  db = await connect(file, { writer, postgresWork, clock: { kind: "wall" }, onFatal: () => {} });
  runs = 0;
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

const slowly = (kind?: TransactionKind) =>
  db.transact(async (tx) => {
    runs++;
    await tx.insert(meta).values({ name: "slow", value: String(runs) });
    await pause();
    await tx.insert(meta).values({ name: "done", value: String(runs) });
  }, kind);

it("a transaction that takes too long is rolled back, retried, and given up without a trace", async () => {
  await expect(slowly()).rejects.toMatchObject({ cause: { code: "TRANSACTION_TIMEOUT" } });
  // Nothing was done: whoever asked may ask again, and is told so.
  await expect(slowly()).rejects.toSatisfy(isDatabaseAway);
  expect(runs).toBeGreaterThan(1);
  expect(await db.read.select().from(meta)).toEqual([]);
});

it("one that sets up a database has the time that it needs", async () => {
  await slowly("setup");
  expect(runs).toBe(1);
  expect((await db.read.select().from(meta)).map(({ name }) => name).sort()).toEqual(["done", "slow"]);
});
