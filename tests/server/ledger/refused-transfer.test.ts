import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { excludeMember } from "#server/domains/ledger/limits.ts";
import { FULL, transfer, type MemberTransfer } from "#server/domains/ledger/transfer.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { DAY_MS } from "#shared/time.ts";
import { world, type Player, type World } from "../../support/world.ts";

/** What the table allows at the most, in 1/100 unit. */
const MOST = 9_000_000_000_000_000;

let w: World;
let mia: Player;
beforeEach(async () => {
  w = await world();
  mia = await w.player("mia_1");
});
afterEach(() => w.close());

let causes = 0;
const move = (order: Pick<MemberTransfer, "code" | "account" | "amount">, { memberId } = mia) =>
  w.deps.db.transact((tx) => transfer(tx, w.deps, { ...order, cause: `test:${causes++}`, memberId }));
const balance = async () => (await readWallet(w.deps.db.read, mia.memberId)).balance;
const FULL_WALLET = expect.objectContaining({ reason: "balance.full" });

it("a deposit fills a wallet so far that any win can still be paid, and no further", async () => {
  const deposit = (amount: number) => move({ code: "deposit", account: "house:channels", amount });
  await deposit(FULL - 1);
  await expect(deposit(2)).rejects.toEqual(FULL_WALLET);
  await deposit(1);
  expect(await balance()).toBe(FULL);
  await expect(deposit(1)).rejects.toEqual(FULL_WALLET);
});

it.each([
  { code: "withdraw-return", account: "held:withdrawals" },
  { code: "chargeback-return", account: "house:channels" },
] as const)("a $code fills it up to what the table allows", async (order) => {
  await move({ ...order, amount: MOST });
  expect(await balance()).toBe(MOST);
  await expect(move({ ...order, amount: 1 })).rejects.toEqual(FULL_WALLET);
});

describe("what a wallet does not pay", () => {
  const plan = (amount: number) => ({ code: "plan", account: "house:plans", amount }) as const;

  it("is what its member buys on a break, until its last moment", async () => {
    const rich = await w.player("leo_1", { balance: 100 });
    const until = w.now() + DAY_MS;
    await w.deps.db.transact((tx) => excludeMember(tx, rich.memberId, until, w.now()));
    await expect(move(plan(-100), rich)).rejects.toMatchObject({ reason: "member.excluded" });
    // What was credited wrongly is taken back on a break, too.
    await move({ code: "reversal", account: "house:operator", amount: -100 }, rich);
    w.pass(DAY_MS - 1);
    await expect(move(plan(-100), rich)).rejects.toMatchObject({ reason: "member.excluded" });
    w.pass(1);
    await expect(move(plan(-10_000), rich)).rejects.toMatchObject({
      reason: "balance.insufficient",
      detail: { figures: { missing: "1.00" } },
    });
    await move(plan(-9_900), rich);
    expect((await readWallet(w.deps.db.read, rich.memberId)).balance).toBe(0);
  });

  it.each([0, -500])("is %s of who is no member", async (amount) => {
    await expect(move(plan(amount), { ...mia, memberId: 999 })).rejects.toMatchObject({
      reason: "balance.insufficient",
      detail: amount === 0 ? {} : { figures: { missing: "5.00" } },
    });
  });
});
