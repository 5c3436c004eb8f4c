import type Sqlite from "better-sqlite3";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSqlite } from "#db/sqlite/open.ts";
import type { BetAnswer, BetOrder } from "#server/domains/lottery/bet-book.ts";
import { placeBets } from "#server/domains/lottery/bet-book.sqlite.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { CLOSES_AFTER_MS, orderOf, rowsOf } from "./book-world.ts";
import { openBookWorld, type SqliteWorld } from "./book-world.sqlite.ts";

let w: SqliteWorld;
let raw: Sqlite.Database;
let mia: number;
let [round, other]: number[] = [];
/** What the batch could not tell any order. */
let failures: unknown[];

beforeEach(async () => {
  failures = [];
  w = await openBookWorld();
  [mia] = (await w.members(1)) as [number];
  [round, other] = await w.openRounds();
  raw = openSqlite(w.file);
});
afterEach(async () => {
  disarm();
  raw.close();
  await w.end();
});

const placeAt = (now: number, ...orders: BetOrder[]): BetAnswer[] =>
  placeBets({ raw, clock: { now: () => now }, failed: (error) => void failures.push(error) }, orders);
const place = (...orders: BetOrder[]) => placeAt(w.now(), ...orders);
const outcomeOf = (answer: BetAnswer | undefined) => (answer && "refused" in answer ? answer.refused : "taken");
const betIds = async () => (await rowsOf(w)).bets.map(({ id }) => id);

it("bets are taken from the round's opening on and before its close, by the clock of the batch", async () => {
  const opens = (await rowsOf(w)).rounds[0]!.openedAt;
  const at = (ms: number) => outcomeOf(placeAt(opens + ms, orderOf(mia, round!))[0]);
  expect([-1, 0, CLOSES_AFTER_MS - 1, CLOSES_AFTER_MS].map(at)).toEqual([
    "round.closed",
    "taken",
    "taken",
    "round.closed",
  ]);
});

it("a round at odds of another unit than the ledger's takes none", () => {
  raw.exec("insert into settings (name, value) values ('unit', '\"vnd\"')");
  expect(outcomeOf(place(orderOf(mia, round!))[0])).toBe("round.closed");
});

it("what breaks off before the commit has written nothing, and what breaks off after it has", async () => {
  arm("bets.place throw");
  expect(() => place(orderOf(mia, round!))).toThrow("failpoint bets.place");
  expect(await betIds()).toEqual([]);
  arm("bets.placed throw");
  expect(() => place(orderOf(mia, round!))).toThrow("failpoint bets.placed");
  expect(await betIds()).toEqual([1]);
});

it("of orders that are retried one by one, those after a disk error are told that the server is away", async () => {
  arm("bets.place throw 1", "bets.place throw SQLITE_IOERR_WRITE 1");
  const answers = place(...Array.from({ length: 3 }, () => orderOf(mia, round!)));
  expect(answers).toEqual([1, 2, 3].map(() => ({ refused: "server.away" })));
  expect(failures).toMatchObject([{ code: "SQLITE_IOERR_WRITE" }]);
  expect(await betIds()).toEqual([]);
});

it("of orders that are retried one by one, one that hits a bug fails alone, and nothing else is told", async () => {
  arm("bets.place throw 2");
  const answers = place(...Array.from({ length: 3 }, () => orderOf(mia, round!)));
  expect(answers.map(outcomeOf)).toEqual(["server.fault", "taken", "taken"]);
  expect([failures, await betIds()]).toEqual([[], [1, 2]]);
});

it("each commit names its house entry, its time and the newest key of the log", () => {
  const [first, refused, second] = place(orderOf(mia, round!), orderOf(mia, 999), orderOf(mia, other!));
  const logKey = raw.prepare("select coalesce(max(id), 0) from log_keys").pluck().get();
  const commit = { id: 1, at: w.now(), logKey };
  expect([first, second]).toMatchObject([{ commit }, { commit }]);
  expect(outcomeOf(refused)).toBe("round.closed");
  expect(place(orderOf(mia, round!))).toMatchObject([{ commit: { ...commit, id: 2 } }]);
});

it("a connection's statements are prepared with its first batch", () => {
  const prepare = vi.spyOn(raw, "prepare");
  place(orderOf(mia, round!));
  expect(prepare).toHaveBeenCalled();
  prepare.mockClear();
  place(orderOf(mia, round!), orderOf(mia, other!));
  expect(prepare).not.toHaveBeenCalled();
});
