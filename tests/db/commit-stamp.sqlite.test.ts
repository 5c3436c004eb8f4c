import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connect } from "#db/connect.ts";
import type { Db } from "#db/db.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { outbox, settings } from "#db/schema/index.ts";
import { openSqlite } from "#db/sqlite/open.ts";
import type { StartWriter } from "#db/sqlite/protocol.ts";

const WRITER = new URL("../../server/writer/sqlite-main.ts", import.meta.url);

let folder: string;
let file: string;
let db: Db;
/** Sends the request to commit. */
let commit: (send: () => void) => void;

const startWriter: StartWriter = (data) => {
  const worker = new Worker(WRITER, { workerData: data });
  return {
    postMessage(request) {
      const send = () => worker.postMessage(request);
      if (request.ask === "commit") commit(send);
      else send();
    },
    on: worker.on.bind(worker),
    terminate: () => worker.terminate(),
  };
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "trio-stamp-"));
  file = join(folder, "trio.db");
  commit = (send) => send();
  await migrateDatabase(file);
  db = await connect(file, {
    startWriter,
    postgresWork: async () => ({ batches: {}, jobs: {} }),
    clock: { kind: "wall" },
    onFatal: (error) => expect.unreachable(error.message),
  });
});
afterEach(async () => {
  await db.close();
  rmSync(folder, { recursive: true });
});

const write = () =>
  db.transact(async (tx) => void (await tx.insert(settings).values({ name: crypto.randomUUID(), value: 1 })));

it("the stamp has changed for whoever is told of a commit, even if it was asked for in the same turn", async () => {
  await write();
  const other = openSqlite(file);
  const version = () => other.pragma("data_version", { simple: true });
  let before = Number.NaN;
  commit = (send) => {
    const seen = version();
    before = db.stamp();
    send();
    // The response arrives before this turn ends.
    while (version() === seen);
    commit = (later) => later();
  };
  expect(await write().then(() => db.stamp())).not.toBe(before);
  expect(before).not.toBeNaN();
  other.close();
});

it("the stamp changes with the next turn after another process's commit", async () => {
  await write();
  await nextTurn();
  const before = db.stamp();
  const other = openSqlite(file);
  other.prepare("insert into settings (name, value) values ('other', '1')").run();
  other.close();
  await nextTurn();
  expect(db.stamp()).not.toBe(before);
});

it("the poll for other processes' commits leaves no old stamp behind", async () => {
  const reader = await db.listen(
    () => {},
    () => {},
  );
  const other = openSqlite(file);
  const write = other.prepare("insert into settings (name, value) values (?, '1')");
  // Longer than the poll's interval.
  for (let time = 0; time < 4; time++) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    const before = db.stamp();
    write.run(`other ${time}`);
    await nextTurn();
    expect(db.stamp()).not.toBe(before);
  }
  other.close();
  await reader.stop();
});

it("the stamp of news stays as it is through another process's silent commit, and changes with one that is announced", async () => {
  await write();
  const before = db.newsStamp();
  const other = openSqlite(file);
  other.prepare("insert into settings (name, value) values ('other', '1')").run();
  await nextTurn();
  expect(db.newsStamp()).toBe(before);
  other.prepare("insert into outbox (topic, payload, created_at) values ('member.changed', '{}', 1)").run();
  await nextTurn();
  const after = db.newsStamp();
  expect(after).not.toBe(before);
  // Rows are deleted after a day, and the next one has a new number.
  other.prepare("delete from outbox").run();
  other.prepare("insert into outbox (topic, payload, created_at) values ('member.changed', '{}', 1)").run();
  other.close();
  await nextTurn();
  expect([before, after]).not.toContain(db.newsStamp());
});

it("the stamp of news stays as it is through a silent transaction of this process, and changes with one that announces", async () => {
  const before = db.newsStamp();
  expect(await write().then(() => db.newsStamp())).toBe(before);
  const announced = { topic: "member.changed", payload: {}, createdAt: 1 };
  await db.transact(async (tx) => void (await tx.insert(outbox).values(announced)));
  expect(db.newsStamp()).not.toBe(before);
});

describe("rows that tell of wallets alone", () => {
  const announce = (...topics: string[]) =>
    db.transact(async (tx) => {
      for (const topic of topics) await tx.insert(outbox).values({ topic, payload: {}, createdAt: 1 });
    });

  it("are no news", async () => {
    await announce("member.changed");
    const before = db.newsStamp();
    await announce("wallet.changed");
    expect(db.newsStamp()).toBe(before);
    await announce("wallet.changed", "wallet.changed");
    expect(db.newsStamp()).toBe(before);
  });

  it.each([
    ["before", ["session.ended", "wallet.changed"]],
    ["between", ["wallet.changed", "member.changed", "wallet.changed"]],
    ["after", ["wallet.changed", "session.ended"]],
  ])("hide no news %s them", async (_, topics) => {
    await announce("wallet.changed");
    const before = db.newsStamp();
    await announce(...topics);
    const after = db.newsStamp();
    expect(after).not.toBe(before);
    await announce("wallet.changed");
    expect(db.newsStamp()).toBe(after);
  });

  it("are news where one of them is gone, or where they are many", async () => {
    await announce("wallet.changed");
    const before = db.newsStamp();
    const other = openSqlite(file);
    const add = other.prepare("insert into outbox (topic, payload, created_at) values ('wallet.changed', '{}', 1)");
    add.run();
    other.prepare("delete from outbox").run();
    add.run();
    await nextTurn();
    const after = db.newsStamp();
    expect(after).not.toBe(before);
    other.transaction(() => {
      for (let row = 0; row <= 1_000; row++) add.run();
    })();
    other.close();
    await nextTurn();
    expect([before, after]).not.toContain(db.newsStamp());
  });
});
