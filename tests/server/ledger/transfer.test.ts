import { asc, eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { journalIndex, transfers } from "#db/schema/ledger.ts";
import type { WalletChange } from "#server/app/deps.ts";
import { transfer, type MemberTransfer } from "#server/domains/ledger/transfer.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { lockMember } from "#server/domains/account/change-status.ts";
import { move, traces } from "../../support/ledger.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { reasonOf } from "../../support/reason-of.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  mia = await w.player("mia_1", { balance: 1_000 });
});
afterEach(() => w.close());

const order = (cause: string, amount: number): MemberTransfer => ({
  code: amount < 0 ? "plan" : "credit",
  cause,
  memberId: mia.memberId,
  account: amount < 0 ? "house:plans" : "house:operator",
  amount,
});
const wallet = () => readWallet(w.deps.db.read, mia.memberId);
const entries = () =>
  w.deps.db.read.select().from(transfers).where(eq(transfers.memberId, mia.memberId)).orderBy(asc(transfers.version));
const lock = (locked: boolean) => w.deps.db.transact((tx) => lockMember(tx, w.deps, mia.memberId, locked));
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: { reason?: string }) => error.reason,
  );

/** The database's error when it stops a bug. */
const faultOf = (work: Promise<unknown>) => work.then(() => "nothing", reasonOf);

describe("moving money between a member and an account", () => {
  it("writes both sides, the wallet after it and its index entry, and announces it", async () => {
    await w.site.relay.wake();
    const events: WalletChange[] = [];
    w.deps.bus.on("wallet.changed", (change) => events.push(change));
    const paid = await move(w, { ...order("p1", -30_000), reason: "a month" });
    await w.site.relay.wake();
    expect(paid).toMatchObject({ delta: -30_000, balance: 70_000, version: 2 });
    expect((await entries()).at(-1)).toMatchObject({
      code: "plan",
      cause: "p1",
      amount: 30_000,
      reason: "a month",
      debit: `member:${mia.memberId}`,
      credit: "house:plans",
      version: 2,
      balanceAfter: 70_000,
    });
    const found = await w.deps.db.read.select().from(journalIndex).where(eq(journalIndex.version, 2));
    expect(found).toEqual([{ memberId: mia.memberId, version: 2, kind: "transfer", rowId: paid.transferId }]);
    const { transferId: _, ...change } = paid;
    expect(events).toEqual([change]);
  });

  it("raises the wallet's version by one for each change, whatever their order", async () => {
    const amounts = Array.from({ length: 40 }, (_, i) => (i % 2 ? -1 : 1) * (100 + i));
    await Promise.all(amounts.map((amount, i) => move(w, order(`o${i}`, amount))));
    const rows = await entries();
    expect(rows.map(({ version }) => version)).toEqual(Array.from({ length: 41 }, (_, i) => i + 1));
    let balance = 0;
    for (const { debit, amount, balanceAfter } of rows) {
      balance += debit.startsWith("member:") ? -amount : amount;
      expect(balanceAfter).toBe(balance);
    }
    expect(await wallet()).toMatchObject({ balance, version: 41 });
  });

  it("pays out exactly ten of thirty concurrent withdrawals", async () => {
    const reasons = await Promise.all(
      Array.from({ length: 30 }, (_, i) => refusalOf(move(w, order(`o${i}`, -10_000)))),
    );
    expect(reasons.filter((reason) => reason === null)).toHaveLength(10);
    expect(reasons.filter((reason) => reason === "balance.insufficient")).toHaveLength(20);
    expect(await wallet()).toMatchObject({ balance: 0, version: 11 });
  });

  it("moves nothing when the same cause comes again, later or at once", async () => {
    await move(w, order("once", -10_000));
    const before = await traces(w);
    expect(await faultOf(move(w, order("once", -10_000)))).toMatch(/unique/i);
    expect(await faultOf(move(w, order("once", -1)))).toMatch(/unique/i);
    expect(await traces(w)).toEqual(before);
    const tries = await Promise.allSettled(Array.from({ length: 5 }, () => move(w, order("at once", 7))));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await wallet()).toMatchObject({ balance: 90_007, version: 3 });
  });

  it("leaves no trace when it is refused, nor of what its transaction did before", async () => {
    const before = await traces(w);
    expect(await refusalOf(move(w, order("much", -100_001)))).toBe("balance.insufficient");
    const both = w.deps.db.transact(async (tx) => {
      await transfer(tx, w.deps, order("little", 100));
      await transfer(tx, w.deps, order("much", -100_101));
    });
    expect(await refusalOf(both)).toBe("balance.insufficient");
    expect(await traces(w)).toEqual(before);
    expect(await refusalOf(move(w, order("all", -100_000)))).toBeNull();
  });

  it("refuses fractions and zero as an amount", async () => {
    const before = await traces(w);
    await expect(move(w, order("half", 0.5))).rejects.toThrow(RangeError);
    expect(await faultOf(move(w, order("nothing", 0)))).toMatch(/a balance changes with its version/);
    expect(await traces(w)).toEqual(before);
  });

  it("takes the smallest amount from the member, and gives it to them", async () => {
    await move(w, order("out", -1));
    await move(w, order("in", 1));
    const sides = (await entries()).slice(1).map(({ debit, credit, amount }) => [debit, credit, amount]);
    const member = `member:${mia.memberId}`;
    expect(sides).toEqual([
      [member, "house:plans", 1],
      ["house:operator", member, 1],
    ]);
  });

  it("fills a wallet to its maximum and no further", async () => {
    const room = 40_000_000_000_000 - 100_000;
    expect(await refusalOf(move(w, order("over", room + 1)))).toBe("balance.full");
    expect(await refusalOf(move(w, order("brim", room)))).toBeNull();
    const before = await traces(w);
    expect(await refusalOf(move(w, order("drop", 1)))).toBe("balance.full");
    expect(await traces(w)).toEqual(before);
  });
});

describe("a locked member's wallet", () => {
  it("pays nothing but can receive", async () => {
    await lock(true);
    const before = await traces(w);
    expect(await refusalOf(move(w, order("out", -1)))).toBe("member.locked");
    expect(await traces(w)).toEqual(before);
    expect(await faultOf(move(w, order("nothing", 0)))).toMatch(/a balance changes with its version/);
    expect(await refusalOf(move(w, order("in", 50)))).toBeNull();
    expect(await wallet()).toMatchObject({ balance: 100_050, version: 2 });
  });

  it("pays again once it is unlocked", async () => {
    await lock(true);
    await lock(false);
    expect(await refusalOf(move(w, order("out", -1)))).toBeNull();
  });
});
