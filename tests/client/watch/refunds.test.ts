import { describe, expect, it } from "vitest";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { fairRound } from "#shared/contract/fair.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { beaconAfter, drandMode, QUICKNET, randomnessOf, signedAt } from "#shared/lottery/beacon.ts";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { betting } from "./betting.ts";
import { timesOf } from "./game.ts";
import { MEMBER, roundAt } from "./house.ts";

describe("a stake that went back", () => {
  const FAR = beaconAfter(QUICKNET, timesOf(1).closes);
  const rule = `${drandMode(QUICKNET)}:${FAR}`;
  const signed = signedAt(QUICKNET, FAR);
  // The clock that took the bet was ahead: it was put right before the stakes went back.
  const at = signed - 3_600_001;

  /** A bet on a round whose stakes went back, as the house says; the log does not say so yet. */
  async function returned(win = "4.00", more: Partial<ReplyOf<typeof fairRound>> = {}) {
    const { house, phone, take } = await betting({ rule, time: signed - 60_000 });
    expect(await take()).toBe("right");
    phone.beacons = QUICKNET_BEACONS;
    house.stateOpen(1, { beacon_rule: rule });
    await phone.hears(house.close(1));
    const never = { seed: null, opencode: null, drawn: null };
    const shown = { ...house.fairRound(roundAt(1)), rule, ...never, refunded: at, ...more };
    phone.instead.round = () => shown;
    const settle = async () => {
      await phone.hear({ type: "settled", orders: [{ member: MEMBER, order: "bet_1", win }] });
      for (let i = 0; i < 4; i++) await phone.wait();
    };
    const payout = async () => (await phone.kept.newestReceipt(MEMBER, "bet_1"))!.payout;
    return { house, phone, settle, payout };
  }

  it.each<[string, string, Partial<ReplyOf<typeof fairRound>>, Partial<Leaf<"refund">>, boolean]>([
    ["whole, of a round whose beacon lay more than an hour ahead", "4.00", {}, {}, true],
    ["in part", "3.99", {}, {}, false],
    ["of a round whose beacon lay less than an hour ahead", "4.00", {}, { at: at + 1 }, false],
    ["of a round that was drawn all the same", "4.00", { seed: "ab".repeat(32) }, {}, false],
    ["of a round that shows another rule", "4.00", { rule: `${drandMode(QUICKNET)}:${FAR + 1}` }, {}, false],
    ["of other bets than the closing names", "4.00", {}, { bets_root: "ab".repeat(32) }, false],
  ])("%s is checked", async (_, win, shown, stated, isRight) => {
    const { house, phone, settle, payout } = await returned(win, shown);
    house.stateRefund(1, { at, ...stated });
    await settle();
    expect(await payout()).toMatchObject({ win, isRight });
    expect(await phone.found()).toEqual(isRight ? [] : ["payout"]);
  });

  it("by the house's word alone is not checked, and owed after a while", async () => {
    const { house, phone, settle, payout } = await returned();
    await settle();
    expect([await payout(), await phone.found()]).toEqual([undefined, []]);
    phone.now += 10 * 60_000;
    await settle();
    expect((await phone.report()).unchecked.bets).toMatchObject({ receipts: [{ order: "bet_1" }] });
    house.stateRefund(1, { at });
    await settle();
    expect([(await payout())!.isRight, (await phone.report()).unchecked.bets]).toEqual([true, null]);
  });

  it("by a leaf of another round is not checked", async () => {
    const { house, phone, settle, payout } = await returned();
    house.bet("bet_2", 2);
    house.close(2);
    house.stateRefund(2, { at });
    phone.instead.proof = ({ id }) => ({ ...house.proof(id), refund: house.proof("bet_2").refund });
    await settle();
    expect([await payout(), await phone.found()]).toEqual([undefined, []]);
  });

  it("of a round whose draw the log has is said", async () => {
    const { house, phone, settle, payout } = await returned();
    house.stateDraw(1);
    house.stateRefund(1, { at });
    await settle();
    expect([(await payout())!.isRight, await phone.found()]).toEqual([false, ["payout"]]);
  });

  it.each([1, 2])("of a round whose result this phone had checked is said, after %i results", async (results) => {
    const { house, phone, settle, payout } = await returned();
    phone.beacons = { chains: [QUICKNET], isSigned: () => true };
    const signature = "ab".repeat(48);
    const mixed = { rule, beacon: randomnessOf(signature) };
    await phone.hear(house.result(1, { ...mixed, beacon_signature: signature, opencode: [...house.dice(1, mixed)] }));
    if (results === 2) await phone.round(2);
    house.stateRefund(1, { at });
    await settle();
    expect([(await payout())!.isRight, await phone.found()]).toEqual([false, ["payout"]]);
  });

  it("does not count as drawn because a later round was", async () => {
    const { house, phone, settle, payout } = await returned();
    phone.beacons = QUICKNET_BEACONS;
    await phone.round(2);
    house.stateRefund(1, { at });
    await settle();
    expect([(await payout())!.isRight, await phone.found()]).toEqual([true, []]);
  });
});
