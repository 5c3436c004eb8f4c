import { describe, expect, it } from "vitest";
import { checked, saidOf } from "../../log/evidence-of-app.ts";
import { House, MEMBER } from "./house.ts";
import { Phone } from "./phone.ts";
import { restored } from "./restored.ts";
import type { Question } from "#client/watch/messages.ts";

const MINUTE_MS = 60_000;
const credit = { kind: "credit", code: "credit", cause: "c-1", amount: 500, unit: "point" } as const;

/** What a server that refuses may answer instead; hanging and answering with an error are the same to the watcher. */
const REFUSALS: [string, () => never][] = [
  [
    "an error",
    () => {
      throw new Error("no answer");
    },
  ],
  ["that it has no such thing", () => null as never],
  ["what has no form", () => ({ path: "garbage", leaves: 7, bet: null }) as never],
  ["hashes of nothing", () => ({ path: ["ab".repeat(32), "cd".repeat(32)] }) as never],
];

async function watching(): Promise<{ house: House; phone: Phone }> {
  const house = new House();
  const phone = new Phone(house);
  await phone.round(1);
  await phone.wait();
  return { house, phone };
}

/** Rounds go on for some minutes, one a minute. */
async function live(phone: Phone, [from, to]: [number, number]): Promise<void> {
  for (let number = from; number <= to; number++) {
    phone.now += MINUTE_MS;
    phone.house.close(number);
    // Another phone heard the proof that came with it.
    phone.house.tell(number);
    await phone.hear(phone.house.open(number));
    await phone.hears({ ...phone.house.tell(number), consistency: null });
    await phone.hear(phone.house.result(number));
    await settle(phone);
  }
}

/** What fails is left for the next time, as in the app. */
async function settle(phone: Phone): Promise<void> {
  for (let i = 0; i < 4; i++) await phone.wait().catch(() => undefined);
}

const banners = ({ told }: Phone) => told.filter((one) => one.to === "found" && one.kind === "unchecked").length;

it("a house that shows no head is said to owe it, though the phone's clock was a year ahead at first", async () => {
  const { phone } = await watching();
  phone.instead.head = REFUSALS[0]![1];
  const renew = async (minutes: number) => {
    phone.now += minutes * MINUTE_MS;
    await phone.watcher.answer("renew", {});
    return (await phone.report()).unchecked.log;
  };
  const year = 365 * 24 * 60;
  expect(await renew(year)).toBeNull();
  expect(await renew(-year)).toBeNull();
  const since = phone.now;
  expect(await renew(9)).toBeNull();
  expect(await renew(1)).toMatchObject({ since });
});

describe("a house that answers the question for a proof of consistency with", () => {
  it.each(REFUSALS)("%s is said to be unchecked since then, and accused of nothing", async (_, refusal) => {
    const { phone } = await watching();
    const { rounds } = await phone.report();
    const since = phone.now + MINUTE_MS;
    phone.instead.consistency = refusal;
    await live(phone, [2, 5]);
    expect([(await phone.report()).unchecked, banners(phone)]).toEqual([
      { log: null, rounds: null, bets: null, own: null },
      0,
    ]);
    await live(phone, [6, 14]);
    const report = await phone.report();
    expect(report).toMatchObject({ rounds, findings: [], unchecked: { log: { since } } });
    expect(banners(phone)).toBe(1);
    delete phone.instead.consistency;
    await live(phone, [15, 15]);
    expect((await phone.report()).unchecked.log).toBeNull();
    expect((await phone.report()).rounds).toBeGreaterThan(rounds);
  });

  it.each(REFUSALS)("%s hands over two signed heads in the file, that convict nobody", async (_, refusal) => {
    const { phone } = await watching();
    phone.instead.consistency = refusal;
    await live(phone, [2, 14]);
    const content = await phone.savedFile();
    expect(checked(content)).toMatchObject({ isProven: false, isBroken: false });
    expect(saidOf(content, "signed")).toHaveLength(2);
    expect(saidOf(content, "claimed").join()).toMatch(/^The house showed no proof that joins these two heads/);
  });

  it("one old head again and again is not checked while it goes on refusing the newer ones", async () => {
    const { house, phone } = await watching();
    const old = house.headReply();
    phone.instead.consistency = () => null;
    await live(phone, [2, 14]);
    phone.instead.head = () => old;
    await phone.watcher.answer("renew", {});
    expect((await phone.report()).unchecked.log).not.toBeNull();
  });
});

describe("a short refusal", () => {
  it("is not said, however often it comes", async () => {
    const { phone } = await watching();
    for (const from of [2, 5, 8, 11, 14]) {
      phone.instead.consistency = REFUSALS[0]![1];
      await live(phone, [from, from + 1]);
      phone.instead = {};
      await live(phone, [from + 2, from + 2]);
    }
    expect([await phone.found(), (await phone.report()).unchecked.log, banners(phone)]).toEqual([[], null, 0]);
  });
});

describe("a house that refuses", () => {
  const later = async (phone: Phone, again: () => Promise<unknown>) => {
    for (const _ of [1, 2]) {
      await again();
      await settle(phone);
      phone.now += 10 * MINUTE_MS;
    }
  };

  it.each<[string, (phone: Phone) => void]>([
    ["its newest head", (phone) => void (phone.instead.head = REFUSALS[0]![1])],
    ["any head at all", (phone) => void (phone.instead.head = () => ({ ...phone.house.headReply(), head: null }))],
  ])("%s is said to be unchecked", async (_, refuse) => {
    const { phone } = await watching();
    refuse(phone);
    await later(phone, () => phone.watcher.answer("renew", {}));
    expect(await phone.report()).toMatchObject({ findings: [], unchecked: { log: { heads: null } } });
  });

  it.each<[string, (phone: Phone) => void]>([
    ["the logs between", (phone) => void (phone.instead.origins = REFUSALS[0]![1])],
    ["the first leaf of its new log", (phone) => void (phone.hasFiles = false)],
  ])("%s is said to be unchecked, and its new log is not taken for the old one", async (_, refuse) => {
    const { house, phone } = await watching();
    phone.house = restored(restored(house));
    refuse(phone);
    await later(phone, () => phone.hear({ type: "head", head: phone.house.note() }));
    const { log, unchecked, findings } = await phone.report();
    expect([log!.origin, findings, unchecked.log?.heads]).toEqual([house.signer.key.name, [], null]);
    phone.instead = {};
    phone.hasFiles = true;
    await phone.hear({ type: "head", head: phone.house.note() });
    expect((await phone.report()).unchecked.log).toBeNull();
  });

  it("the leaf that replaced its key is said to be unchecked", async () => {
    const { house, phone } = await watching();
    house.rotate("second");
    phone.hasFiles = false;
    await later(phone, () => phone.hear({ type: "head", head: house.note() }));
    expect(await phone.report()).toMatchObject({ findings: [], unchecked: { log: { heads: null } } });
  });

  it.each(REFUSALS.filter(([name]) => name !== "that it has no such thing"))(
    "a line that it signed about the member with %s is said to be unchecked, and owed by the file",
    async (_, refusal) => {
      const { house, phone } = await watching();
      house.own<"credit">(credit);
      phone.instead.mine = refusal;
      await later(phone, () => phone.hear({ type: "chain", member: MEMBER, note: house.chainNote() }));
      const { unchecked, findings } = await phone.report();
      expect([findings, unchecked.own]).toMatchObject([[], { number: 0, promised: { number: 1 } }]);
      const content = await phone.savedFile();
      expect(saidOf(content, "claimed").join()).toMatch(/did not answer a line that it had signed.*from=1\.$/);
      expect(checked(content).isBroken).toBe(false);
      phone.instead = {};
      await phone.hear({ type: "chain", member: MEMBER, note: house.chainNote() });
      expect((await phone.report()).unchecked.own).toBeNull();
    },
  );
});

describe("a bet of which the house does not show", () => {
  /** The phone has a bet on a round that is over, and goes on for a while. */
  async function owing(question: Question | "file", refusal: () => never) {
    const { house, phone } = await watching();
    await phone.hear(house.open(2));
    await phone.watcher.answer("take", house.bet("bet_1", 2));
    await phone.hears(house.close(2));
    await phone.hear(house.result(2));
    if (question === "file") phone.hasFiles = false;
    else phone.instead[question] = refusal;
    for (const _ of [1, 2]) {
      await phone.hear({ type: "again", member: MEMBER });
      await settle(phone);
      phone.now += 10 * MINUTE_MS;
    }
    return { house, phone };
  }

  it.each<[string, Question | "file"]>([
    ["the path to its closing", "proof"],
    ["what it won", "orders"],
    ["the odds of its round", "round"],
    ["the opening of its round", "file"],
  ])("%s is said to be unchecked, and so named", async (_, question) => {
    const { phone } = await owing(question, REFUSALS[0]![1]);
    const { unchecked, findings, bets } = await phone.report();
    expect([findings, unchecked.bets?.receipts.map(({ order }) => order)]).toEqual([[], ["bet_1"]]);
    expect(bets.counted).toBe(question === "proof" || question === "file" ? 0 : 1);
    const content = await phone.savedFile();
    expect(checked(content).isBroken).toBe(false);
    const owes = /owes one to its member: \/api\/fair\/proof\?id=bet_1/;
    expect(owes.test(saidOf(content, "claimed").join())).toBe(question === "proof");
  });

  it.each(REFUSALS)("its round, with %s, is not checked for ever", async (_, refusal) => {
    const { house, phone } = await owing("round", refusal);
    expect((await phone.report()).unchecked.bets).not.toBeNull();
    house.paid.set("bet_1", "0.00");
    phone.instead = {};
    await phone.hear({ type: "again", member: MEMBER });
    await settle(phone);
    expect((await phone.report()).unchecked.bets).toBeNull();
  });

  it("anything is tried again when another bet is settled", async () => {
    const { house, phone } = await owing("proof", REFUSALS[0]![1]);
    house.paid.set("bet_1", "0.00");
    phone.instead = {};
    await phone.hear({ type: "settled", orders: [{ member: MEMBER, order: "bet_9", win: "0.00" }] });
    await settle(phone);
    expect((await phone.report()).unchecked.bets).toBeNull();
  });

  it("nothing is said while its round is open", async () => {
    const { house, phone } = await watching();
    await phone.hear(house.open(2));
    await phone.watcher.answer("take", house.bet("bet_1", 2));
    phone.instead.proof = REFUSALS[1]![1];
    for (const _ of [1, 2]) {
      await phone.hear({ type: "again", member: MEMBER });
      await settle(phone);
      phone.now += 10 * MINUTE_MS;
    }
    expect((await phone.report()).unchecked.bets).toBeNull();
    phone.now += 24 * 60 * MINUTE_MS;
    for (const _ of [1, 2]) {
      await phone.hear({ type: "again", member: MEMBER });
      await settle(phone);
      phone.now += 10 * MINUTE_MS;
    }
    expect((await phone.report()).unchecked.bets).toMatchObject({ receipts: [{ order: "bet_1" }] });
  });
});
