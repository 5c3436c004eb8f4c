import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeLimits } from "#server/domains/ledger/limits.ts";
import { freezeWallet, readWallet } from "#server/domains/ledger/wallet.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { bet } from "../../support/ledger.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 100 });
  await w.live(1_000);
});
afterEach(() => w.close());

const transact: World["deps"]["db"]["transact"] = (work) => w.deps.db.transact(work);
const wallet = () => readWallet(w.deps.db.read, mia.memberId);
const answer = async (money: number, item?: string) => {
  const { code, reason } = await bet(w, mia, money, item);
  return reason ?? code;
};

describe("a bet", () => {
  it("may take the whole balance, and not a unit more", async () => {
    expect(await answer(101)).toBe("balance.insufficient");
    expect(await answer(100)).toBe(200);
    expect(await wallet()).toMatchObject({ balance: 0, version: 2, stakedTotal: 10_000, stakedDay: 10_000 });
    expect(await answer(1)).toBe("balance.insufficient");
  });

  it("needs all of it: the balance, an open wallet and room below the limits", async () => {
    await transact((tx) => freezeWallet(tx, mia.memberId, true));
    expect(await answer(1)).toBe("member.locked");
    await transact((tx) => freezeWallet(tx, mia.memberId, false));
    await transact((tx) => changeLimits(tx, mia.memberId, { limitStakeDay: 1_000 }, w.now()));
    expect(await answer(11)).toBe("limit.reached");
    expect(await answer(10)).toBe(200);
    expect(await answer(1)).toBe("limit.reached");
    expect(await wallet()).toMatchObject({ balance: 9_000, stakedDay: 1_000, stakedWeek: 1_000, stakedMonth: 1_000 });
  });

  it("counts in its day, and its win in the day of its round", async () => {
    expect(await answer(10, "A,B")).toBe(200);
    await w.live(MINUTE_MS);
    expect(await wallet()).toMatchObject({
      balance: 9_950,
      stakedDay: 2_000,
      wonDay: 1_950,
      wonWeek: 1_950,
      wonTotal: 1_950,
    });
    await w.live(DAY_MS);
    expect(await answer(1)).toBe(200);
    expect(await wallet()).toMatchObject({
      stakedDay: 100,
      stakedWeek: 2_100,
      wonDay: 0,
      wonWeek: 1_950,
      wonMonth: 1_950,
    });
  });
});
