import { describe, expect, it } from "vitest";
import { leafText, type Leaf } from "#shared/log/leaf.ts";
import type { Content } from "#shared/log/salted.ts";
import { drandMode, QUICKNET } from "#shared/lottery/beacon.ts";
import { House, MEMBER, roundAt } from "./house.ts";
import { checked, saidOf } from "../../log/evidence-of-app.ts";
import { restored } from "./restored.ts";
import { Phone } from "./phone.ts";

const OTHER = "cd".repeat(32);

/** A member's bet on these terms, which the house counts as the receipt says it. */
async function counted(more: Partial<Content<"bet">> = {}, house = new House()) {
  const phone = new Phone(house);
  await phone.hear({ type: "head", head: house.note() });
  const bets = ["bet_1", "bet_2"].map((order) => house.bet(order, 1, more));
  for (const bet of bets) expect(await phone.watcher.answer("take", bet)).toBe("right");
  await phone.hears(house.close(1));
  const settle = async () => {
    const orders = bets.map(({ placed: { order } }) => ({ member: MEMBER, order, win: "0.00" }));
    await phone.hear({ type: "settled", orders });
    await phone.wait();
  };
  const states = async () => (await phone.kept.receipts(MEMBER)).map(({ state }) => state);
  return { house, phone, settle, states };
}

describe("a receipt's terms", () => {
  it("are those of the opening in the log, which is read once a round", async () => {
    const { phone, settle, states } = await counted();
    await settle();
    expect([await phone.found(), await states()]).toEqual([[], ["counted", "counted"]]);
    expect(phone.files.filter((path) => path.includes("entries"))).toHaveLength(1);
  });

  it.each<[string, Partial<Content<"bet">>]>([
    ["commit", { commit: OTHER }],
    ["odds", { odds: "2" }],
    ["odds_hash", { odds_hash: OTHER }],
    ["rule", { rule: `${drandMode(QUICKNET)}:1000` }],
    ["unit", { unit: "JPY" }],
  ])("with another %s are evidence, although the round counts the bet", async (name, more) => {
    const house = new House();
    const phone = new Phone(house);
    await phone.hear({ type: "head", head: house.note() });
    const { placed, receipt } = house.bet("bet_1", 1, more);
    const { unit } = { unit: placed.unit, ...more };
    expect(await phone.watcher.answer("take", { placed: { ...placed, unit }, receipt })).toBe("right");
    await phone.hears(house.close(1));
    await phone.hear({ type: "settled", orders: [{ member: MEMBER, order: "bet_1", win: "0.00" }] });
    await phone.wait();
    const [finding] = await phone.kept.findings(MEMBER);
    expect(finding).toMatchObject({ kind: "terms", subject: "bet_1", member: MEMBER, evidence: { faults: [name] } });
    expect(await phone.watcher.answer("order", { member: MEMBER, order: "bet_1", origin: null })).toMatchObject({
      receipt: { state: "wrong" },
    });
  });

  const opening = (house: House) => house.proof("bet_1").open!;
  it.each<[string, (house: House) => { leaf: string; number: number } | null]>([
    ["none", () => null],
    ["the leaf of something else", () => ({ leaf: "", number: 0 })],
    ["one after the closing", (house) => ({ ...opening(house), number: house.size + 7 })],
  ])("are not shown by a house that names %s for the opening", async (_, open) => {
    const { house, phone, settle, states } = await counted();
    phone.instead.proof = ({ id }) => ({ ...house.proof(id), open: open(house) });
    await settle();
    expect([await phone.found(), await states()]).toEqual([
      ["terms", "terms"],
      ["wrong", "wrong"],
    ]);
    const [finding] = await phone.kept.findings(MEMBER);
    expect(finding).toMatchObject({ evidence: { faults: ["open"] } });
  });

  it("are those of its own round", async () => {
    const house = new House();
    house.stateOpen(2);
    const { phone, settle } = await counted({}, house);
    phone.instead.proof = ({ id }) => ({ ...house.proof(id), open: { leaf: "", number: 2 } });
    await settle();
    expect(await phone.found()).toEqual(["terms", "terms"]);
  });

  it("wait while the log's files do not come, or prove nothing", async () => {
    const { house, phone, settle, states } = await counted();
    phone.hasFiles = false;
    await expect(settle()).rejects.toThrow("no file");
    expect([await phone.found(), await states()]).toEqual([[], ["taken", "taken"]]);
    phone.hasFiles = true;
    const liar = new House();
    liar.state({ kind: "time", time: 77 });
    liar.close(1);
    phone.house = Object.assign(liar, { answer: house.answer.bind(house) });
    await settle();
    expect([await phone.found(), await states()]).toEqual([[], ["taken", "taken"]]);
    phone.house = house;
    await settle();
    expect([await phone.found(), await states()]).toEqual([[], ["counted", "counted"]]);
  });

  it("are those of a log that began anew, which states the rounds that are open", async () => {
    const { phone, settle } = await counted({}, restored(new House()));
    await settle();
    expect(await phone.found()).toEqual([]);
  });

  it("are told once, however often the bet is looked at", async () => {
    const { phone, settle } = await counted({ odds: "2" });
    await settle();
    await settle();
    await phone.hear({ type: "again", member: MEMBER });
    await phone.wait();
    expect(phone.told.filter(({ to }) => to === "found")).toHaveLength(2);
  });
});

describe("an opening", () => {
  it("is a leaf that says what the round's receipts have to say", () => {
    const house = new House();
    house.bet("bet_1", 1);
    house.close(1);
    const { leaf } = house.proof("bet_1").open!;
    expect(leaf).toContain(`"round":"${roundAt(1)}"`);
    expect(leafText(JSON.parse(leaf) as Leaf)).toBe(leaf);
  });
});

describe("the kind of game that the board showed", () => {
  /** A member's bet, shown as one kind of game and logged as another. */
  async function shownAs(kind: string | undefined, rules: string) {
    const house = new House();
    const phone = new Phone(house);
    await phone.hear({ type: "head", head: house.note() });
    const { placed, receipt } = house.bet("bet_1", 1);
    expect(
      await phone.watcher.answer("take", { placed: { ...placed, ...(kind !== undefined && { kind }) }, receipt }),
    ).toBe("right");
    house.stateOpen(1, { rules });
    await phone.hears(house.close(1));
    const settle = async () => {
      await phone.hear(house.result(1), {
        type: "settled",
        orders: [{ member: MEMBER, order: "bet_1", win: "0.00" }],
      });
      for (let i = 0; i < 4; i++) await phone.wait();
    };
    return { phone, settle };
  }

  it.each(["dice-unknown", "dice-faces"])("is the one that the log names, and not %s", async (rules) => {
    const { phone, settle } = await shownAs("dice-sum", rules);
    await settle();
    const [finding] = await phone.kept.findings(MEMBER);
    expect(finding).toMatchObject({ kind: "terms", evidence: { faults: ["rules"] } });
    const content = await phone.evidence();
    expect(checked(content)).toMatchObject({ isBroken: false, isProven: false });
    expect(saidOf(content, "claimed").join()).toContain(`showed k3-1m as dice-sum. The opening of ${roundAt(1)} says`);
  });

  it("may be missing in what an older app kept", async () => {
    const { phone, settle } = await shownAs(undefined, "dice-sum");
    await settle();
    expect(await phone.kept.findings(MEMBER)).not.toContainEqual(expect.objectContaining({ kind: "terms" }));
  });

  it("is no reason to call a payout checked where this app does not know it", async () => {
    const { phone, settle } = await shownAs("dice-unknown", "dice-unknown");
    await settle();
    expect((await phone.kept.newestReceipt(MEMBER, "bet_1"))!.payout).toEqual({ win: "0.00", isRight: null });
    phone.now += 10 * 60_000;
    await settle();
    const { unchecked, findings } = await phone.report();
    expect([findings, unchecked.bets?.receipts]).toMatchObject([[], [{ order: "bet_1" }]]);
  });
});
