import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { creditDeposit } from "#server/domains/payments/credit-deposit.ts";
import { lockMember } from "#server/domains/account/change-status.ts";
import { creditMember, reverseCredit } from "#server/domains/wallet/operator-credit.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { bet, drawWithoutSettling } from "../../support/ledger.ts";
import { settleInSteps } from "../../support/settling.ts";
import { notify, orderTopUp, topUp } from "../../support/top-up.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
});
afterEach(() => w.close());

const report = async (player = mia) => (await player.call("/member/getPersonalreport")).data;
const NOTHING = { play_money: "0.00", recharge: "0.00", withdrawal: "0.00", win_money: "0.00" };

describe("a member's report", () => {
  it("starts at zero, whatever the operator gave", async () => {
    expect(await report()).toEqual(NOTHING);
  });

  it("counts stakes once their round is settled, and wins as they were paid", async () => {
    await bet(w, mia, 10, "A,B");
    await bet(w, mia, 30, "C,D");
    expect(await report()).toEqual(NOTHING);
    w.pass(MINUTE_MS - 1_001);
    await w.settle();
    expect(await report()).toEqual(NOTHING);
    await w.live(1);
    const settled = { ...NOTHING, play_money: "80.00", win_money: "78.00" };
    expect(await report()).toEqual(settled);
    await bet(w, mia, 5);
    expect(await report()).toEqual(settled);
  });

  it("counts a round as soon as the member is paid, indexed or not", async () => {
    await bet(w, mia, 10, "A,B");
    w.pass(MINUTE_MS);
    await drawWithoutSettling(w);
    await bet(w, mia, 5);
    const seen: string[] = [];
    for await (const piece of settleInSteps(w, 1)) {
      const { play_money } = await report();
      seen.push(piece && "outcomes" in piece ? `paid ${play_money}` : play_money);
    }
    const paid = seen.indexOf("paid 20.00");
    expect(paid).toBeGreaterThan(0);
    expect(new Set(seen.slice(0, paid))).toEqual(new Set(["0.00"]));
    expect(new Set(seen.slice(paid + 1))).toEqual(new Set(["20.00"]));
    await w.settle();
    expect(await report()).toMatchObject({ play_money: "20.00", win_money: "19.50" });
  });

  it("counts paid top-ups, once each, and none that was only ordered or failed", async () => {
    const order = await topUp(w, mia, 50);
    await notify(w, { order, money: 50 });
    await orderTopUp(mia, 60);
    const { data } = await orderTopUp(mia, 70);
    await notify(w, { order: data.order, money: 70, status: "failed" });
    expect(await report()).toEqual({ ...NOTHING, recharge: "50.00" });
    await notify(w, { order: data.order, money: 70 });
    expect(await report()).toEqual({ ...NOTHING, recharge: "120.00" });
  });

  it("counts the operator's top-ups, and no other credit, until they are reversed", async () => {
    const { db } = w.deps;
    await db.transact((tx) => creditMember(tx, w.deps, mia.memberId, 900, "sorry"));
    const credit = { memberId: mia.memberId, amount: 4_000, reason: "at the bank" };
    const { transferId } = await db.transact((tx) => creditDeposit(tx, w.deps, credit));
    expect(await report()).toEqual({ ...NOTHING, recharge: "40.00" });
    await db.transact((tx) => reverseCredit(tx, w.deps, transferId, "it was another's"));
    expect(await report()).toEqual(NOTHING);
  });

  it("is each member's own, and refused to a locked member", async () => {
    const leo = await w.player("leo_1", { balance: 100 });
    await topUp(w, mia, 50);
    expect(await report(leo)).toEqual(NOTHING);
    await w.deps.db.transact((tx) => lockMember(tx, w.deps, mia.memberId, true));
    expect(await mia.call("/member/getPersonalreport")).toMatchObject({ code: 403, data: { reason: "member.locked" } });
    expect((await w.call("/member/getPersonalreport")).code).toBe(401);
  });
});
