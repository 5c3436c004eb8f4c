import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Findings } from "#server/admin/audit/findings.ts";
import { auditSeals } from "#server/admin/audit/seals.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { transfer, type MemberTransfer } from "#server/domains/ledger/transfer.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { unguard } from "../../support/copies.ts";
import { bet, move } from "../../support/ledger.ts";
import { firstWrongSeal, readSeals } from "../../support/seals.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;
let connection: OwnConnection;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
  connection = await openConnection(w.config.database);
});
afterEach(async () => {
  await connection.close();
  await w.close();
});

const lastOf = async (table: string) =>
  (await connection.all<{ last: number }>(`select max(id) as last from ${table}`))[0]!.last;
const seals = () => readSeals(connection);
const firstWrong = () => firstWrongSeal(connection);
const gift = (cause: string, { memberId } = mia): MemberTransfer => {
  const given = { code: "credit", account: "house:operator", amount: 7, reason: "für dich" } as const;
  return { ...given, cause, memberId };
};
const credit = (cause: string) => move(w, gift(cause));
const creditMany = (player: Player, name: string, count: number) =>
  w.deps.db.transact(async (tx) => {
    for (let i = 0; i < count; i++) await transfer(tx, w.deps, gift(`${name} ${i}`, player));
  });
const seal = () => w.site.housekeeping.seal();

/** Three seals: bets and a win of two members in several commits, and transfers. */
async function threeSeals(): Promise<void> {
  const leo = await w.player("leo_1", { balance: 1_000 });
  await Promise.all(Array.from({ length: 5 }, (_, i) => bet(w, mia, 10 + i, "A,B")));
  await seal();
  for (let i = 0; i < 3; i++) await bet(w, leo, 5, "A,B");
  await w.live(MINUTE_MS);
  await seal();
  await credit("one");
  await credit("two");
  await seal();
}

describe("sealing the ledger", () => {
  it("covers masks that are wider than a number to the last bit", async () => {
    const { memberId } = mia;
    const order = { memberId, roundId: 1, stake: 100, total: 200, key: null, requestHash: "" };
    const book = betBookOf(w.deps.db);
    for (const bit of [31n, 53n, 62n]) await book.place([{ ...order, mask: 1n | (1n << bit) }]);
    await seal();
    expect(await firstWrong()).toBeNull();
    const found = new Findings();
    await w.deps.db.snapshot((read) => auditSeals(read, found));
    expect([found.problems, (await seals()).length]).toEqual([[], 1]);
  });

  it("chains each seal to the one before, over all rows committed since", async () => {
    await threeSeals();
    expect(await seals()).toHaveLength(3);
    expect(await firstWrong()).toBeNull();
    const last = (await seals()).at(-1)!;
    expect(last.house_to).toBe(await lastOf("house_entries"));
    expect(last.transfers_to).toBe(await lastOf("transfers"));
  });

  it("continues the chain after a restart", async () => {
    await threeSeals();
    await w.restart();
    await credit("three");
    await seal();
    expect(await seals()).toHaveLength(4);
    expect(await firstWrong()).toBeNull();
  });

  it("makes no seal when there is nothing new", async () => {
    await seal();
    const before = await seals();
    await seal();
    await mia.call("/member/limits", { stake_day: "1" });
    expect((await bet(w, mia, 2)).code).toBe(422);
    await seal();
    expect(await seals()).toEqual(before);
  });

  it("makes one seal when several are requested at once", async () => {
    await Promise.all([seal(), seal(), seal()]);
    expect(await seals()).toHaveLength(1);
    expect(await firstWrong()).toBeNull();
  });

  it("runs by itself every minute", async () => {
    await w.site.housekeeping.tick();
    await credit("one");
    w.pass(MINUTE_MS - 1);
    await w.site.housekeeping.tick();
    expect(await seals()).toHaveLength(1);
    w.pass(1);
    await w.site.housekeeping.tick();
    expect(await seals()).toHaveLength(2);
    w.pass(DAY_MS);
    await w.site.housekeeping.tick();
    expect(await seals()).toHaveLength(2);
  });

  it("covers more rows than it reads at once, while more are being committed", async () => {
    const leo = await w.player("leo_1");
    for (let i = 0; i < 60; i++) await creditMany(leo, `early ${i}`, 20);
    const betting = Promise.all(Array.from({ length: 300 }, () => bet(w, mia, 1, "A,B")));
    await Promise.all([betting, seal(), creditMany(leo, "late", 20)]);
    await seal();
    expect(await connection.all("select id from transfers")).toHaveLength(1_221);
    expect(await firstWrong()).toBeNull();
    expect((await seals()).at(-1)).toMatchObject({ transfers_to: await lastOf("transfers") });
  });
});

/** The last bet that the house took belongs to the second seal. */
const LAST_OF_BETS =
  "update house_entries set amount = 0 where id = (select max(id) from house_entries where kind = 'bets')";

describe("a ledger that was tampered with", () => {
  it.each([
    ["a stake was lowered", "update bets set stake = stake - 100 where id = 2", 1],
    ["a bet was moved to another option", "update bets set mask = 1 where id = 5", 1],
    [
      "a bet was moved to the last option that there can be",
      "update bets set mask = 4611686018427387904 where id = 5",
      1,
    ],
    ["a bet vanished", "delete from bets where id = 1", 1],
    ["a bet became another's", "update bets set member_id = 2 where id = 3", 1],
    ["a win was raised", "update payouts set amount = amount + 1 where member_id = 2", 2],
    ["a win vanished", "delete from payouts where member_id = 1", 2],
    ["the house hid what it took", LAST_OF_BETS, 2],
    ["a credit got another reason", "update transfers set reason = 'fur dich' where cause = 'one'", 3],
    ["a credit was dated back", "update transfers set created_at = 0 where cause = 'two'", 3],
    ["a seal was left out", "delete from seals where id = 2", 3],
    ["a seal was made anew, but not its successor", "update seals set root = '', seal = '' where id = 2", 2],
  ])("is detected when %s", async (_, statement, wrong) => {
    await threeSeals();
    await unguard(connection);
    expect(await connection.all(`${statement} returning 1`)).toHaveLength(1);
    expect(await firstWrong()).toBe(wrong);
  });
});
