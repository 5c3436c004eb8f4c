import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { freezeWallet, readWallet } from "#server/domains/ledger/wallet.ts";
import { changeLimits, excludeMember } from "#server/domains/ledger/limits.ts";
import { admitPlayers, payWins, takeStakes } from "#server/domains/ledger/stake.ts";
import { recordTransfer, type MemberTransfer } from "#server/domains/ledger/transfer.ts";
import { Refusal } from "#shared/refusal.ts";
import { DAY_MS } from "#shared/time.ts";
import { traces } from "../../support/ledger.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;
let leo: Player;

beforeEach(async () => {
  w = await world();
  mia = await w.player("mia_1", { balance: 100 });
  leo = await w.player("leo_1", { balance: 70 });
});
afterEach(() => w.close());

const transact: World["deps"]["db"]["transact"] = (work) => w.deps.db.transact(work);
const walletOf = ({ memberId }: Player) => readWallet(w.deps.db.read, memberId);
function only<T>(answers: Map<number, T | Refusal>): T {
  const [answer] = answers.values();
  if (answer instanceof Refusal) throw answer;
  return answer!;
}
const admit = ({ memberId }: Player) => transact(async (tx) => only(await admitPlayers(tx, [memberId], w.now())));
let plays = 0;
const play = (over: Partial<MemberTransfer>): MemberTransfer => ({
  memberId: mia.memberId,
  code: "spin",
  cause: `test:${++plays}`,
  account: "house:wheel",
  amount: 1_000,
  ...over,
});
const stake = (over: Partial<MemberTransfer> = {}) =>
  transact(async (tx) => {
    const { memberId, amount, ...rest } = play(over);
    const taken = only(await takeStakes(tx, { memberIds: [memberId], amount, now: w.now() }));
    return recordTransfer(tx, w.deps, { memberId, amount: -amount, ...rest }, taken);
  });
const win = (over: Partial<MemberTransfer> = {}) =>
  transact(async (tx) => {
    const { memberId, amount, ...rest } = play({ code: "prize", ...over });
    const paid = only(await payWins(tx, { memberIds: [memberId], amount, now: w.now() }));
    return recordTransfer(tx, w.deps, { memberId, amount, ...rest }, paid);
  });

/** What refuses a player, and that it leaves no trace. */
async function expectRefused(reason: string, works: (() => Promise<unknown>)[]): Promise<void> {
  const before = await traces(w);
  for (const work of works) await expect(work()).rejects.toMatchObject({ reason });
  expect(await traces(w)).toEqual(before);
}

describe("a player", () => {
  it("is admitted with their own balance, and nothing changes by it", async () => {
    const before = await traces(w);
    expect([await admit(mia), await admit(leo)]).toEqual([10_000, 7_000]);
    expect(await traces(w)).toEqual(before);
  });

  it("who is locked neither plays nor stakes, but is paid; others play on", async () => {
    await transact((tx) => freezeWallet(tx, mia.memberId, true));
    await expectRefused("member.locked", [() => admit(mia), () => stake()]);
    expect(await admit(leo)).toBe(7_000);
    await win();
    expect(await walletOf(mia)).toMatchObject({ balance: 11_000, frozen: true });
  });

  it("who is on a break neither plays nor stakes, to its last millisecond", async () => {
    await transact((tx) => excludeMember(tx, mia.memberId, w.now() + DAY_MS, w.now()));
    w.pass(DAY_MS - 1);
    await expectRefused("member.excluded", [() => admit(mia), () => stake()]);
    w.pass(1);
    expect(await admit(mia)).toBe(10_000);
    await stake();
    expect(await walletOf(mia)).toMatchObject({ balance: 9_000 });
  });
});

describe("a stake", () => {
  it("leaves one wallet, counts there, and is a transfer to the game's account", async () => {
    const others = await walletOf(leo);
    const { memberId } = mia;
    const taken = await stake({ amount: 10_000, cause: "all" });
    expect(taken).toMatchObject({ memberId, delta: -10_000, code: "spin", balance: 0, version: 2 });
    expect(await walletOf(mia)).toMatchObject({ balance: 0, version: 2, stakedTotal: 10_000, stakedDay: 10_000 });
    expect(await walletOf(leo)).toEqual(others);
    expect((await traces(w)).transfers!.at(-1)).toMatchObject({
      id: taken.transferId,
      cause: "all",
      debit: `member:${memberId}`,
      credit: "house:wheel",
      amount: 10_000,
    });
  });

  it("is refused beyond the balance, or beyond the member's own limit", async () => {
    await expectRefused("balance.insufficient", [() => stake({ amount: 10_001 })]);
    await transact((tx) => changeLimits(tx, mia.memberId, { limitStakeDay: 5_000 }, w.now()));
    await expectRefused("limit.reached", [() => stake({ amount: 5_001 })]);
    expect(await stake({ amount: 5_000 })).toMatchObject({ delta: -5_000 });
    await expectRefused("limit.reached", [() => stake({ amount: 1 })]);
    expect(await walletOf(mia)).toMatchObject({ balance: 5_000, stakedDay: 5_000 });
  });
});

describe("a win", () => {
  it("is paid to its member alone, and makes room below the limit of losses", async () => {
    await transact((tx) => changeLimits(tx, mia.memberId, { limitLossDay: 1_000 }, w.now()));
    await stake();
    await expectRefused("limit.reached", [() => stake({ amount: 1 })]);
    const others = await walletOf(leo);
    const paid = await win({ amount: 400 });
    expect(paid).toMatchObject({ memberId: mia.memberId, delta: 400, code: "prize", balance: 9_400, version: 3 });
    expect(await walletOf(mia)).toMatchObject({ balance: 9_400, version: 3, wonTotal: 400, wonDay: 400 });
    expect(await walletOf(leo)).toEqual(others);
    await expectRefused("limit.reached", [() => stake({ amount: 401 })]);
    await stake({ amount: 400 });
  });

  it("is not paid to nobody", async () => {
    const before = await traces(w);
    await expect(win({ memberId: 99 })).rejects.toThrow("member 99 has no wallet");
    expect(await traces(w)).toEqual(before);
  });
});
