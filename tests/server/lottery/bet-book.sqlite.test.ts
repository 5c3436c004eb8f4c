import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { wallets } from "#db/schema/index.ts";
import { openSqlite } from "#db/sqlite/open.ts";
import { placeBets } from "#server/domains/lottery/bet-book.sqlite.ts";
import { PIECE_MS } from "#server/domains/lottery/settle.sqlite.ts";
import { fromUnits } from "#shared/money.ts";
import { describeBetBook } from "./bet-book.contract.ts";
import { orderOf, rowsOf, SURE } from "./book-world.ts";
import { openBookWorld, type SqliteWorld } from "./book-world.sqlite.ts";

/** No background failure is expected here. */
const failed = expect.unreachable;

describeBetBook("SQLite", openBookWorld);

describe("the bet book's commits on SQLite", () => {
  let w: SqliteWorld;
  let mia: number;
  let round: number;
  beforeEach(async () => {
    w = await openBookWorld();
    [mia] = (await w.members(1)) as [number];
    [round] = await w.openRounds();
  });
  afterEach(() => w.end());

  it("are one for a whole batch, with one entry of the house", async () => {
    const [tom] = await w.members(1);
    await w.book.place([mia, tom!, mia].map((memberId) => orderOf(memberId, round)));
    const { house } = await rowsOf(w);
    expect(house).toMatchObject([{ kind: "bets", amount: 6_000, fromId: 1, toId: 3 }]);
  });

  it("wait for the disk, also after an earlier write", () => {
    const raw = openSqlite(w.file);
    placeBets({ raw, clock: w, failed }, [orderOf(mia, round)]);
    expect(raw.pragma("synchronous", { simple: true })).toBe(2);
    expect(raw.pragma("journal_mode", { simple: true })).toBe("wal");
    raw.close();
  });

  it("write nothing of a batch that cannot be written completely", async () => {
    const raw = openSqlite(w.file);
    raw.exec("create temp trigger full before insert on house_entries begin select raise(abort, 'disk is full'); end");
    const answers = placeBets({ raw, clock: w, failed }, [orderOf(mia, round), orderOf(mia, round)]);
    raw.close();
    const fault = expect.objectContaining({ message: "disk is full" });
    expect(answers).toEqual([1, 2].map(() => ({ refused: "server.fault", fault })));
    expect(await rowsOf(w)).toMatchObject({ bets: [], house: [] });
    expect(await w.db.read.select().from(wallets)).toMatchObject([{ balance: fromUnits(1_000), version: 0 }]);
  });

  it("are not retried one by one when the disk was full", async () => {
    const [rich] = await w.members(1, 1_000_000);
    const raw = openSqlite(w.file);
    raw.pragma(`max_page_count = ${String(raw.pragma("page_count", { simple: true }))}`);
    const answer = vi.spyOn(raw, "exec");
    // So many that they need another page.
    const orders = Array.from({ length: 500 }, () => orderOf(rich!, round));
    const full = expect.objectContaining({ code: "SQLITE_FULL" });
    expect(() => placeBets({ raw, clock: w, failed }, orders)).toThrow(full);
    expect(answer.mock.calls).not.toContainEqual(["commit"]);
    expect(answer.mock.calls.filter(([text]) => text === "begin immediate")).toHaveLength(1);
    raw.close();
    expect(await rowsOf(w)).toMatchObject({ bets: [], house: [] });
  });

  it("resume when another process has held the write lock for longer than a settlement step may take", async () => {
    await w.book.place([orderOf(mia, round, SURE)]);
    await w.draw();
    const raw = openSqlite(w.file);
    raw.exec("begin immediate");
    let settled = Promise.resolve();
    await new Promise<void>((resolve) => {
      settled = w.book.settle(round, (piece) => "bettors" in piece && resolve());
    });
    await new Promise((resolve) => setTimeout(resolve, 10 * PIECE_MS));
    raw.exec("commit");
    raw.close();
    await settled;
    expect((await rowsOf(w)).payouts).toHaveLength(1);
  });
});
