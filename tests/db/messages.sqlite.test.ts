import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { eq, sql } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { connect } from "#db/connect.ts";
import type { Db, Tx } from "#db/db.ts";
import { together } from "#db/many.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { meta, settings } from "#db/schema/site.ts";
import type { StartWriter } from "#db/sqlite/protocol.ts";

const WRITER = new URL("../../server/writer/sqlite-main.ts", import.meta.url);

/** Counting so far takes any machine longer than the limit of the first try. */
const ABOVE_LIMIT = 10_000_000;

let folder: string;
let db: Db;
/** What the writer is asked, each with the number of its statements. */
let asked: [ask: string, statements: number][];

const startWriter: StartWriter = (data) => {
  const worker = new Worker(WRITER, { workerData: data });
  return {
    postMessage(request) {
      asked.push([request.ask, "statements" in request ? request.statements.length : 0]);
      worker.postMessage(request);
    },
    on: worker.on.bind(worker),
    terminate: () => worker.terminate(),
  };
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "trio-messages-"));
  const file = join(folder, "trio.db");
  await migrateDatabase(file);
  const postgresWork = async () => ({ batches: {}, jobs: {} });
  asked = [];
  db = await connect(file, { startWriter, postgresWork, clock: { kind: "wall" }, onFatal: () => {} });
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

const note = (tx: Tx, name: string, value = "") => tx.insert(meta).values({ name, value });
const find = (tx: Tx, name: string) => tx.select().from(meta).where(eq(meta.name, name));
const names = async () => (await db.read.select().from(meta)).map(({ name }) => name);
const failureOf = (work: (tx: Tx) => Promise<unknown>) =>
  db.transact(work).then(
    () => expect.unreachable(),
    (error: unknown) => error as Error & { code?: string },
  );

it("a statement that returns no rows travels with the next one that does, or with the commit", async () => {
  await db.transact(async (tx) => {
    await note(tx, "one");
    await note(tx, "two");
    expect(await find(tx, "two")).toHaveLength(1);
    await note(tx, "three");
  });
  expect(asked).toEqual([
    ["begin", 0],
    ["run", 3],
    ["commit", 1],
  ]);
  expect(await names()).toEqual(["one", "two", "three"]);
});

it("many of them travel in several messages, between which the writer looks at its limit", async () => {
  await db.transact(async (tx) => {
    for (let i = 0; i < 150; i++) await note(tx, `note ${i}`);
  });
  expect(asked).toEqual([
    ["begin", 0],
    ["run", 64],
    ["run", 64],
    ["commit", 22],
  ]);
  expect(await names()).toHaveLength(150);
});

it("one that fails is named by what it travelled with, and nothing is done", async () => {
  const atRead = await failureOf(async (tx) => {
    await note(tx, "twice");
    await note(tx, "twice");
    await tx.select().from(settings);
  });
  expect(atRead.cause).toMatchObject({ code: "SQLITE_CONSTRAINT_PRIMARYKEY" });
  expect((atRead.cause as Error).message).toContain('insert into "meta"');
  const atCommit = await failureOf(async (tx) => {
    await note(tx, "twice");
    await note(tx, "twice");
  });
  expect(atCommit).toMatchObject({ code: "SQLITE_CONSTRAINT_PRIMARYKEY" });
  expect(atCommit.message).toContain('insert into "meta"');
  await db.transact((tx) => note(tx, "after"));
  expect(await names()).toEqual(["after"]);
});

it("one of a transaction that its work ends by a failure is done in no other", async () => {
  await failureOf(async (tx) => {
    await note(tx, "refused");
    throw new Error("refused");
  });
  await db.transact((tx) => note(tx, "after"));
  expect(await names()).toEqual(["after"]);
});

it("one that fails stops the commit, though nobody looks at the error of what it travelled with", async () => {
  const failed = await failureOf(async (tx) => {
    await note(tx, "twice");
    await note(tx, "twice");
    await find(tx, "twice").catch(() => []);
    await note(tx, "later");
  });
  expect(failed).toMatchObject({ code: "SQLITE_CONSTRAINT_PRIMARYKEY" });
  expect(await names()).toEqual([]);
});

it("one that a failed transaction's work asks for late is done in no other", async () => {
  const late = async (tx: Tx) => {
    await find(tx, "slow");
    await note(tx, "late");
  };
  await failureOf((tx) => Promise.all([Promise.reject(new Error("at once")), late(tx)]));
  await db.transact((tx) => note(tx, "after"));
  expect(await names()).toEqual(["after"]);
});

it("one that occupies the writer beyond the time limit is not committed, but tried again", async () => {
  let tries = 0;
  await db.transact(async (tx) => {
    const count = ++tries === 1 ? ABOVE_LIMIT : 1;
    await tx.insert(meta).select(sql`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})
      select 'counted', cast(max(i) as text) from n`);
  });
  expect(tries).toBeGreaterThan(1);
  expect(await db.read.select().from(meta)).toEqual([{ name: "counted", value: "1" }]);
});

it("one that cannot be sent with the commit has its transaction rolled back at once", async () => {
  await failureOf((tx) => note(tx, "sent", (() => {}) as unknown as string));
  expect(asked.map(([ask]) => ask)).toEqual(["begin", "commit", "rollback"]);
});

it("works together ask for their statements in one message, in their order", async () => {
  const found = await db.transact((tx) =>
    together(
      () => note(tx, "one").returning({ name: meta.name }),
      () => find(tx, "one"),
      () => find(tx, "two"),
    ),
  );
  expect(found).toEqual([[{ name: "one" }], [{ name: "one", value: "" }], []]);
  expect(asked).toEqual([
    ["begin", 0],
    ["run", 3],
    ["commit", 0],
  ]);
});

it("works together have all ended before the first failure is thrown", async () => {
  const failed = await failureOf((tx) =>
    together(
      async () => {
        throw new Error("at once");
      },
      async () => {
        await find(tx, "slow");
        await find(tx, "slower");
        await note(tx, "late").returning();
      },
    ),
  );
  expect(failed.message).toBe("at once");
  expect(asked.map(([ask]) => ask)).toEqual(["begin", "run", "run", "run", "rollback"]);
  expect(await names()).toEqual([]);
});
