import { afterEach, beforeEach, expect, inject, it, vi } from "vitest";
import { connect } from "#db/connect.ts";
import type { Db } from "#db/db.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { copyDatabase, dropDatabase } from "../support/postgres-databases.ts";

let url: string;
let db: Db;

beforeEach(async () => {
  url = await copyDatabase(inject("postgres"));
  db = await connect(url, {
    clock: { kind: "wall" },
    postgresWork: async () => ({ batches: {}, jobs: {} }),
    mayOnlyRead: true,
    onFatal: () => {},
  });
});
afterEach(async () => {
  vi.useRealTimers();
  await db.close();
  await dropDatabase(inject("postgres"), url);
});

it.each([
  ["ahead", 45 * MINUTE_MS],
  ["back", -45 * MINUTE_MS],
])("a machine's clock that is set %s moves no time of a server: that is the database's", async (_, byMs) => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + byMs });
  const before = Date.now() - byMs;
  expect(Math.abs(db.clock.now() - before)).toBeLessThan(MINUTE_MS);
  expect(Number.isInteger(db.clock.now())).toBe(true);
});
