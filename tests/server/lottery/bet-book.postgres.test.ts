import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { Pool } from "#db/postgres/pool.ts";
import { wallets } from "#db/schema/index.ts";
import { placeBets } from "#server/domains/lottery/bet-book.postgres.ts";
import { stampsAt } from "#server/domains/lottery/place-sql.ts";
import { stampsOf } from "#server/domains/ledger/wallet-sql.ts";
import { DAY_MS } from "#shared/time.ts";
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

  it("count for the day, week and month of the database's time, whatever the process believes", async () => {
    const pool = new Pool(w.url, 1);
    const clock = { now: () => w.now() - 40 * DAY_MS };
    const reading = () => ({ from: w.now(), startedAt: 0, speed: 0 });
    const placed = await placeBets({ pool, clock, reading, failed() {}, committed() {} }, [orderOf(mia, round)]);
    await pool.end();
    expect(takenOf(placed)).toHaveLength(1);
    const [wallet] = await w.db.read.select().from(wallets).where(eq(wallets.memberId, mia));
    expect(wallet).toMatchObject({ ...stampsOf(w.now()), stakedDay: 2_000, stakedMonth: 2_000 });
  });

  it("count days, weeks and months as the rest of the house does", async () => {
    const times = [0, 1, 40 * 366, 130 * 365].flatMap((day) =>
      [0, 1, 30, 31, 58, 59, 60, 61, 365].map((n) => (day + n) * DAY_MS),
    );
    const edges = times.flatMap((at) => [Math.max(at - 1, 0), at, at + 1]);
    const { rows } = await w.pool.query(
      `select ${stampsAt("at")} from unnest($1::bigint[]) with ordinality as t(at, n) order by n`,
      [edges],
    );
    const counted = edges.map(stampsOf).map(({ day, week, month }) => ({ o_day: day, o_week: week, o_month: month }));
    expect(rows).toEqual(counted);
  });
});
