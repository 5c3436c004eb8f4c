import { afterEach, beforeEach, expect, it } from "vitest";
import { FULL, transfer, type MemberTransfer } from "#server/domains/ledger/transfer.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
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
const move = (order: Pick<MemberTransfer, "code" | "account" | "amount">) =>
  w.deps.db.transact((tx) => transfer(tx, w.deps, { ...order, cause: `test:${causes++}`, memberId: mia.memberId }));
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
