import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { wallets } from "#db/schema/index.ts";
import { describeBetBook } from "./bet-book.contract.ts";
import { CLOSES_AFTER_MS, orderOf, rowsOf, takenOf } from "./book-world.ts";
import { openBookWorld, type PostgresWorld } from "./book-world.postgres.ts";

describeBetBook("PostgreSQL", openBookWorld);

describe("the bet book's commits on PostgreSQL", () => {
  let w: PostgresWorld;
  let mia: number;
  let tom: number;
  let round: number;
  beforeEach(async () => {
    w = await openBookWorld();
    [mia, tom] = (await w.members(2)) as [number, number];
    [round] = await w.openRounds();
  });
  afterEach(() => w.end());

  /** How many statements wait for a lock. */
  const waiters = async () =>
    (
      await w.pool.query(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).rowCount;

  it("are one for a whole batch, with one entry of the house", async () => {
    await w.book.place([mia, tom].map((memberId) => orderOf(memberId, round)));
    const { house } = await rowsOf(w);
    expect(house).toMatchObject([{ kind: "bets", amount: 4_000, fromId: 1, toId: 2 }]);
  });

  it("give a batch's bets consecutive ids, however many processes write at once", async () => {
    const books = [w.book, await w.another(), await w.another()];
    const members = await w.members(60);
    const batches = members.map((memberId, i) => ({
      book: books[i % 3]!,
      orders: [memberId, mia, tom].map((id) => orderOf(id, round)),
    }));
    const answers = await Promise.all(batches.map(({ book, orders }) => book.place(orders)));
    expect(takenOf(answers.flat())).toHaveLength(60 + 2 * 50);
    const { bets, house } = await rowsOf(w);
    const covered = house.map(({ fromId, toId }) => bets.filter(({ id }) => id >= fromId && id <= toId));
    const ids = covered.flat().map(({ id }) => id);
    expect(ids.toSorted((a, b) => a - b)).toEqual(bets.map(({ id }) => id));
    for (const [i, { amount }] of house.entries())
      expect(covered[i]!.reduce((sum, { total }) => sum + total, 0)).toBe(amount);
  });

  it("write nothing of a batch that cannot be written completely", async () => {
    await w.pool.query(`create function full_disk() returns trigger language plpgsql as $$ begin
      raise exception 'disk is full' using errcode = '23514'; end $$`);
    await w.pool.query("create trigger full_disk before insert on house_entries execute function full_disk()");
    const answers = await w.book.place([orderOf(mia, round), orderOf(tom, round)]);
    const fault = expect.objectContaining({ message: "disk is full" });
    expect(answers).toEqual([1, 2].map(() => ({ refused: "server.fault", fault })));
    expect(await rowsOf(w)).toMatchObject({ bets: [], house: [] });
    expect(await w.db.read.select().from(wallets)).toMatchObject([1, 2].map(() => ({ balance: 100_000, version: 0 })));
  });

  it("wait for a closing that is under way, and are then refused", async () => {
    const closer = await w.pool.connect();
    await closer.query("begin");
    await closer.query("update rounds set closed_at = closes_at where id = $1", [round]);
    const waiting = w.book.place([orderOf(mia, round)]);
    await expect.poll(waiters, { interval: 5 }).toBe(1);
    await closer.query("commit");
    closer.release();
    expect(await waiting).toEqual([{ refused: "round.closed" }]);
    expect((await rowsOf(w)).bets).toEqual([]);
  });

  it("refuse no key as late whose bet is still being taken", async () => {
    const holder = await w.pool.connect();
    await holder.query("begin");
    await holder.query("select 1 from wallets where member_id = $1 for update", [mia]);
    const order = orderOf(mia, round, { key: "k" });
    const first = w.book.place([order]);
    await expect.poll(waiters, { interval: 5 }).toBe(1);
    w.pass(CLOSES_AFTER_MS);
    // The first answer never came, so the order is sent again, to another server.
    const process = await w.another();
    const second = process.place([order, orderOf(tom, round)]);
    try {
      await expect.poll(waiters, { interval: 5, timeout: 20_000 }).toBe(2);
    } finally {
      await holder.query("commit");
      holder.release();
    }
    const [taken] = takenOf(await first);
    const { betId, balance } = taken!;
    expect(await second).toEqual([
      expect.objectContaining({ betId, balance, fresh: false }),
      { refused: "round.closed" },
    ]);
  });
});
