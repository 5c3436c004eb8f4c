import { inject, afterEach, beforeEach, describe, expect, it } from "vitest";
import pg from "pg";
import { Pool } from "#db/postgres/pool.ts";
import { openOutboxReader } from "#db/postgres/outbox-reader.ts";
import { copyDatabase, dropDatabase } from "../support/postgres-databases.ts";
import type { OutboxReader } from "#db/db.ts";

let url: string;
let other: string;
let pool: Pool;
let reader: OutboxReader;

const listener = { wake: () => {}, hear: () => {}, noteRead: () => {} };

beforeEach(async () => {
  const server = inject("postgres");
  [url, other] = await Promise.all([copyDatabase(server), copyDatabase(server)]);
  pool = new Pool(url, 10);
  reader = await openOutboxReader(url, pool, listener);
});
afterEach(async () => {
  await reader.stop();
  await pool.end();
  for (const one of [url, other]) await dropDatabase(inject("postgres"), one);
});

const SAY = "insert into outbox (topic, payload, created_at) values ($1, '{}', 0)";
const say = (client: pg.Pool | pg.PoolClient | pg.Client, topic: string) => client.query(SAY, [topic]);
const readTopics = async () => {
  const { rows, again } = await reader.read();
  return [rows.map(({ topic }) => topic), again];
};

describe("the outbox of a PostgreSQL", () => {
  it("is read once, in order", async () => {
    await say(pool, "one");
    await say(pool, "two");
    expect(await readTopics()).toEqual([["one", "two"], false]);
    await say(pool, "three");
    expect(await readTopics()).toEqual([["three"], false]);
    expect(await readTopics()).toEqual([[], false]);
  });

  it("waits for an earlier transaction, and loses nothing of it", async () => {
    const slow = await pool.connect();
    await slow.query("begin");
    await say(slow, "slow");
    await say(pool, "quick");
    expect(await readTopics()).toEqual([[], true]);
    await slow.query("commit");
    slow.release();
    expect(await readTopics()).toEqual([["slow", "quick"], false]);
  });

  it("does not wait for what began later, and a new reader does not begin with what is over", async () => {
    await say(pool, "over");
    const open = await Promise.all([pool.connect(), pool.connect()]);
    try {
      for (const client of open) {
        await client.query("begin");
        await say(client, "open");
      }
      // Nothing has ended since the second of them got its number.
      expect(await readTopics()).toEqual([["over"], false]);
      const second = await openOutboxReader(url, pool, listener);
      for (const client of open) await client.query("commit");
      expect(await readTopics()).toEqual([["open", "open"], false]);
      const { rows } = await second.read();
      await second.stop();
      expect(rows.map(({ topic }) => topic)).toEqual(["open", "open"]);
    } finally {
      for (const client of open) client.release(true);
    }
  });

  it("does not wait for other databases of the same server", async () => {
    const neighbour = new pg.Client({ connectionString: other });
    await neighbour.connect();
    await neighbour.query("begin");
    await say(neighbour, "elsewhere");
    await say(pool, "here");
    expect(await readTopics()).toEqual([["here"], false]);
    await neighbour.query("rollback");
    await neighbour.end();
  });

  it("misses nothing while many transactions of every length overlap", async () => {
    const writers = Array.from({ length: 8 }, async (_, writer) => {
      const client = await pool.connect();
      for (let i = 0; i < 60; i++) {
        await client.query("begin");
        await say(client, `${writer} ${i}`);
        if (i % 7 === writer % 7) await client.query("select pg_sleep(0.02)");
        await client.query("commit");
      }
      client.release();
    });
    const topics: string[] = [];
    const all = Promise.all(writers);
    let over = false;
    void all.then(() => (over = true));
    for (;;) {
      const wasOver = over;
      const { rows, again } = await reader.read();
      topics.push(...rows.map(({ topic }) => topic));
      if (wasOver && rows.length === 0 && !again) break;
    }
    await all;
    expect(new Set(topics)).toHaveProperty("size", 8 * 60);
    expect(topics).toHaveLength(8 * 60);
  });
});
