import { afterEach, beforeEach, expect, it } from "vitest";
import { takeBack } from "#server/domains/ledger/take-back.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { lockMember } from "#server/domains/account/change-status.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;
let leo: Player;
beforeEach(async () => {
  w = await world();
  [mia, leo] = [await w.player("mia_1", { balance: 10 }), await w.player("leo_1", { balance: 10 })];
});
afterEach(() => w.close());

let causes = 0;
const take = ({ memberId }: Player, most: number) =>
  w.deps.db.transact((tx) => takeBack(tx, w.deps, { code: "debt", cause: `test:${causes++}`, memberId, most }));
const walletOf = async ({ memberId }: Player) => {
  const { balance, version } = await readWallet(w.deps.db.read, memberId);
  return [balance, version];
};

it("what a provider takes back comes from its member's wallet alone, as far as it reaches", async () => {
  expect(await take(mia, 999)).toBe(999);
  expect(await walletOf(mia)).toEqual([1, 2]);
  expect(await take(mia, 500)).toBe(1);
  expect(await walletOf(mia)).toEqual([0, 3]);
  expect(await take(mia, 500)).toBe(0);
  expect(await walletOf(mia)).toEqual([0, 3]);
  expect(await walletOf(leo)).toEqual([1_000, 1]);
});

it("takes it from a locked wallet too", async () => {
  await w.deps.db.transact((tx) => lockMember(tx, w.deps, mia.memberId, true));
  expect(await take(mia, 1)).toBe(1);
  expect(await walletOf(mia)).toEqual([999, 2]);
});
