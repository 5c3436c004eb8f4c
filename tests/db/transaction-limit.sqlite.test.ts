import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { isDatabaseAway } from "#db/away.ts";
import { connect } from "#db/connect.ts";
import type { Db, TransactionKind } from "#db/db.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { meta } from "#db/schema/site.ts";

/** Longer than the writer waits at first for an ordinary transaction, and shorter than twice that. */
const SLOW_MS = 400;

let folder: string;
let db: Db;
let runs: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "trio-"));
  const file = join(folder, "trio.db");
  await migrateDatabase(file);
  const postgresWork = async () => ({ batches: {}, jobs: {} });
  db = await connect(file, { postgresWork, clock: { kind: "wall" }, onFatal: () => {} });
  runs = 0;
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

/** `grows`: each try takes twice as long as the one before. */
const slowly = (kind?: TransactionKind, grows = 1) =>
  db.transact(async (tx) => {
    runs++;
    await tx.insert(meta).values({ name: "slow", value: String(runs) });
    await new Promise((resolve) => setTimeout(resolve, SLOW_MS * grows ** (runs - 1)));
    await tx.insert(meta).values({ name: "done", value: String(runs) });
  }, kind);

it("a transaction that takes too long is rolled back, retried, and given up without a trace", async () => {
  const given = await slowly("alone", 2).catch((error: unknown) => error);
  expect(given).toMatchObject({ code: "TRANSACTION_TIMEOUT" });
  // Nothing was done: whoever asked may ask again, and is told so.
  expect(given).toSatisfy(isDatabaseAway);
  expect(runs).toBeGreaterThan(1);
  expect(await db.read.select().from(meta)).toEqual([]);
});

it("one that a busy machine holds up is done at a later try, which has more time", async () => {
  await slowly();
  expect(runs).toBeGreaterThan(1);
  expect(await db.read.select().from(meta)).toHaveLength(2);
});

it("one that sets up a database has the time that it needs", async () => {
  await slowly("setup");
  expect(runs).toBe(1);
  expect((await db.read.select().from(meta)).map(({ name }) => name).sort()).toEqual(["done", "slow"]);
});
