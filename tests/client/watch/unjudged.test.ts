import { describe, expect, it } from "vitest";
import type { PlacedBet } from "#client/watch/check-bet.ts";
import { unjudgedOf } from "#client/watch/unjudged.ts";
import { checked, saidOf } from "../../log/evidence-of-app.ts";
import { betting } from "./betting.ts";
import { House, MEMBER } from "./house.ts";
import { restored } from "./restored.ts";
import { Phone } from "./phone.ts";

const MINUTE_MS = 60_000;
const noAnswer = () => {
  throw new Error("no answer");
};

/** A house that signs with a key of which this phone has not heard, and does not answer just now. */
async function unheard(placed: Partial<PlacedBet> = {}) {
  const { house, phone } = await betting();
  house.rotate("second");
  phone.instead.head = noAnswer;
  const bet = house.bet("bet_9", 1);
  const take = (receipt: string | null = bet.receipt) =>
    phone.watcher.answer("take", { placed: { ...bet.placed, ...placed }, receipt });
  return { house, phone, bet, take };
}

/** The line is there again, and what waits is tried once more. */
async function again(phone: Phone): Promise<void> {
  await phone.hear({ type: "again", member: MEMBER });
  for (let i = 0; i < 4; i++) await phone.wait().catch(() => undefined);
}

/** The house answers one more question for its head. */
function answerOnce(phone: Phone): void {
  phone.instead.head = () => {
    phone.instead.head = noAnswer;
    return phone.house.headReply();
  };
}

const reportOf = (phone: Phone) => phone.watcher.answer("order", { member: MEMBER, order: "bet_9", origin: null });

describe("a receipt that cannot be judged as it comes", () => {
  it("is kept with what was shown, and judged once the house answers", async () => {
    const { phone, bet, take } = await unheard();
    expect(await take()).toBe("unknown");
    expect(await reportOf(phone)).toMatchObject({ receipt: { state: "unjudged", receipt: bet.receipt } });
    expect((await phone.report()).bets).toMatchObject({ waiting: 1 });
    phone.instead = {};
    await again(phone);
    expect(await reportOf(phone)).toMatchObject({ receipt: { state: "taken", receipt: bet.receipt } });
    expect([await unjudgedOf(phone.kept, MEMBER), await phone.found()]).toEqual([[], []]);
  });

  it("and is another one than was shown is said then", async () => {
    const { phone, take } = await unheard({ stake: 100 });
    expect(await take()).toBe("unknown");
    expect(await phone.found()).toEqual([]);
    phone.instead = {};
    await again(phone);
    expect([await phone.found(), (await reportOf(phone))!.receipt.state]).toEqual([["receipt"], "wrong"]);
  });

  it("is compared with the commit that its round showed, after another visit too", async () => {
    const { house, phone } = await unheard();
    const bet = house.bet("bet_9", 1, { commit: "cd".repeat(32) });
    expect(await phone.watcher.answer("take", bet)).toBe("unknown");
    const next = new Phone(house, phone.shelf);
    await again(next);
    expect(await next.found()).toEqual(["receipt"]);
  });

  it("is named as unchecked after a while, with its text in the file, and accuses nobody", async () => {
    const { phone, take } = await unheard();
    await take();
    await again(phone);
    expect((await phone.report()).unchecked.bets).toBeNull();
    phone.now += 10 * MINUTE_MS;
    await again(phone);
    const { unchecked, findings } = await phone.report();
    expect([findings, unchecked.bets?.receipts.map(({ order }) => order)]).toEqual([[], ["bet_9"]]);
    expect((await reportOf(phone))!.unansweredSince).toBe(unchecked.bets!.since);
    const content = await phone.savedFile();
    expect(checked(content)).toMatchObject({ isBroken: false, isProven: false });
    expect(saidOf(content, "claimed").join()).toMatch(/The house answered this receipt/);
  });

  it("is kept where no log was met yet", async () => {
    const house = new House();
    const phone = new Phone(house);
    phone.instead.head = noAnswer;
    const bet = house.bet("bet_9", 1);
    expect(await phone.watcher.answer("take", bet)).toBe("unknown");
    phone.instead = {};
    await again(phone);
    expect((await reportOf(phone))!.receipt).toMatchObject({ state: "taken", origin: house.signer.key.name });
  });

  it("of a log that this phone has not met accuses nobody while the house does not answer", async () => {
    const { house, phone } = await betting();
    const next = restored(house);
    phone.house = next;
    phone.instead.head = noAnswer;
    expect(await phone.watcher.answer("take", next.bet("bet_9", 2))).toBe("unknown");
    phone.instead = {};
    await again(phone);
    await again(phone);
    expect([await phone.found(), (await reportOf(phone))!.receipt.state]).toEqual([["restored"], "taken"]);
  });

  it.each<[string, (phone: Phone) => void]>([
    ["cannot be met", (phone) => (phone.hasFiles = false)],
    ["is named once, before the house falls silent", (phone) => answerOnce(phone)],
  ])("of a log that %s accuses nobody, and is judged once that one was met", async (_, hinder) => {
    const { house, phone } = await betting();
    const next = restored(house);
    phone.house = next;
    hinder(phone);
    expect(await phone.watcher.answer("take", next.bet("bet_9", 2))).toBe("unknown");
    expect((await reportOf(phone))!.receipt.state).toBe("unjudged");
    [phone.instead, phone.hasFiles] = [{}, true];
    await again(phone);
    await again(phone);
    expect([await phone.found(), (await reportOf(phone))!.receipt.state]).toEqual([["restored"], "taken"]);
  });

  it("of a log that the house has not begun is wrong", async () => {
    const { phone } = await betting();
    expect(await phone.watcher.answer("take", new House("other").bet("bet_9", 2))).toBe("wrong");
    expect(await phone.found()).toEqual(["receipt"]);
  });

  it("is owed by nobody once the house has begun another log", async () => {
    const { house, phone, take } = await unheard();
    await take();
    phone.instead = {};
    await phone.meets(restored(house));
    for (const _ of [1, 2]) {
      phone.now += 10 * MINUTE_MS;
      await again(phone);
    }
    const { unchecked, findings } = await phone.report();
    expect([findings.map(({ kind }) => kind), unchecked.bets]).toEqual([["restored"], null]);
  });

  it("is compared with the other one that came for the same bet", async () => {
    const { house, phone, take } = await unheard();
    await take();
    phone.now++;
    await take(house.bet("bet_9", 1, { stake: 300 }).receipt);
    phone.instead = {};
    await again(phone);
    expect(await phone.found()).toEqual(["receipt"]);
    expect(checked(await phone.evidence())).toMatchObject({ isProven: true, isBroken: false });
  });

  it("is forgotten with what is the member's own", async () => {
    const { phone, take } = await unheard();
    await take();
    await phone.watcher.answer("forget", { member: MEMBER });
    expect([await reportOf(phone), await unjudgedOf(phone.kept, MEMBER)]).toEqual([null, []]);
  });
});

describe("a receipt that does not come", () => {
  it.each([null, ""])("is said to be missing, and is owed after a while: %j", async (none) => {
    const { phone, take } = await unheard();
    phone.instead = {};
    expect(await take(none)).toBe("missing");
    expect(await reportOf(phone)).toMatchObject({ receipt: { state: "unjudged", receipt: "" } });
    phone.now += 10 * MINUTE_MS;
    await again(phone);
    const { unchecked, findings } = await phone.report();
    expect([findings, unchecked.bets?.receipts]).toMatchObject([[], [{ order: "bet_9", receipt: "" }]]);
    expect(checked(await phone.savedFile())).toMatchObject({ isBroken: false, isProven: false });
  });

  it("is owed no more once it came", async () => {
    const { phone, take } = await unheard();
    phone.instead = {};
    await take(null);
    expect([await take(), await unjudgedOf(phone.kept, MEMBER)]).toEqual(["right", []]);
    expect([await take(null), await unjudgedOf(phone.kept, MEMBER)]).toEqual(["right", []]);
  });
});
