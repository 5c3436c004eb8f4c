import { describe, expect, it } from "vitest";
import type { Result } from "#shared/contract/events.ts";
import { drandMode, drandRule, QUICKNET, randomnessOf, signedAt } from "#shared/lottery/beacon.ts";
import { QUICKNET_BEACONS } from "#shared/lottery/beacon-signature.ts";
import { QUICKNET_1000 } from "../../support/drand-relay.ts";
import { checked, saidOf } from "../../log/evidence-of-app.ts";
import { DAY, timesOf } from "./game.ts";
import { GAME, House, MEMBER, roundAt } from "./house.ts";
import { Phone } from "./phone.ts";

const MINUTE_MS = 60_000;
/** A true beacon of years ago, of which everybody knows what it draws. */
const { signature } = QUICKNET_1000;
const PAST = { rule: `${drandMode(QUICKNET)}:1000`, beacon: randomnessOf(signature), beacon_signature: signature };
const pastCloses = signedAt(QUICKNET, 1_000) - 3_000;

async function watching(): Promise<{ house: House; phone: Phone }> {
  const house = new House();
  const phone = new Phone(house);
  phone.beacons = QUICKNET_BEACONS;
  await phone.hear({ type: "head", head: house.note() });
  return { house, phone };
}

/** The first round as the house tells it: what it opened with, its closing, its result. */
async function told(result: Partial<Result>, open: Parameters<House["open"]>[1] | null = {}, chance = 0.5) {
  const { house, phone } = await watching();
  phone.chance = chance;
  if (open) await phone.hear(house.open(1, open));
  await phone.wait();
  await phone.hears(house.close(1));
  await phone.hear(house.result(1, result));
  return { house, phone };
}

const dice = { opencode: new House().dice(1, PAST) };
const counts = async (phone: Phone) => {
  const { rounds, untold, unchecked } = await phone.report();
  return { rounds, untold, unchecked: unchecked.rounds };
};

describe("a result", () => {
  it("with another beacon than its opening told is found", async () => {
    for (const open of [{}, { beacon: "drand", closes: timesOf(1).draws - 8_000 }] as const) {
      const { phone } = await told({ ...PAST, ...dice }, open);
      expect([await phone.found(), (await phone.report()).rounds]).toEqual([["otherCommit"], 0]);
    }
  });

  it("whose opening told another close than the log has is found", async () => {
    const { phone } = await told({}, { closes: timesOf(1).closes - 1_000 }, 0);
    await phone.wait();
    expect(await phone.found()).toEqual(["otherCommit"]);
  });

  it("without the beacon that its opening told is found", async () => {
    const { phone } = await told({}, { beacon: "drand", closes: timesOf(1).draws - 8_000 });
    expect(await phone.found()).toEqual(["otherCommit"]);
  });

  it.each([
    ["the day", undefined],
    ["its span", 60],
  ])("with the beacon of a close that lies outside %s of the round is found", async (_, period) => {
    const { house, phone } = await watching();
    const { period: _period, kind: _kind, ...open } = house.open(1, { beacon: "drand", closes: pastCloses });
    await phone.hear({ ...open, ...(period !== undefined && { period }) });
    await phone.wait();
    await phone.hears(house.close(1));
    await phone.hear(house.result(1, { ...PAST, ...dice }));
    expect(await phone.found()).toEqual(["otherCommit"]);
  });

  it("whose opening was not seen counts once the log has proved the opening", async () => {
    for (const open of [null, { isOpen: false }]) {
      const { phone } = await told({}, open);
      expect(await counts(phone)).toEqual({ rounds: 0, untold: 0, unchecked: null });
      await phone.wait();
      expect(await counts(phone)).toEqual({ rounds: 1, untold: 0, unchecked: null });
      expect(await phone.found()).toEqual([]);
    }
  });

  it("whose opening was not seen is found where the log has another one, and the file holds that", async () => {
    const { phone } = await told({ ...PAST, ...dice }, null);
    await phone.wait();
    expect([await phone.found(), (await phone.report()).rounds]).toEqual([["otherCommit"], 0]);
    const file = await phone.evidence();
    expect(saidOf(file, "signed").join()).toContain(`A signed head holds the opening of ${GAME} ${roundAt(1)}`);
    expect(saidOf(file, "reckoned")).toEqual(["The beacon in the result is not the one that its rule names."]);
    expect(checked(file)).toMatchObject({ isProven: false, isBroken: false });
  });

  it("is compared with the log at random though its opening was seen: the house cannot tell an own one to a phone", async () => {
    const { house, phone } = await watching();
    const closes = timesOf(1).draws - 8_000;
    const rule = drandRule(QUICKNET, closes);
    phone.beacons = { chains: [QUICKNET], isSigned: () => true };
    phone.chance = 0;
    await phone.hear(house.open(1, { beacon: "drand", closes }));
    await phone.wait();
    await phone.hears(house.close(1));
    const mixed = { ...PAST, rule };
    await phone.hear(house.result(1, { ...mixed, opencode: house.dice(1, mixed) }));
    expect(await phone.found()).toEqual([]);
    await phone.wait();
    expect([await phone.found(), (await phone.report()).rounds]).toEqual([["otherCommit"], 0]);
  });

  it.each([0, 0.099])(
    "that is compared with the log counts once, in its order and at a later visit too (%s)",
    async (chance) => {
      const { house, phone } = await told({}, {}, chance);
      await phone.hear(house.result(1));
      phone.chance = 0.1;
      await phone.hear(house.open(2));
      await phone.hears(house.close(2));
      await phone.hear(house.result(2));
      const visit = new Phone(house, phone.shelf);
      await visit.watcher.begin(null);
      await visit.wait();
      await visit.hear(house.result(1), house.result(2));
      await visit.wait();
      expect(await counts(visit)).toEqual({ rounds: 2, untold: 0, unchecked: null });
      expect(await phone.kept.seed(house.signer.key.name, GAME, "20260302")).toMatchObject({ number: 2 });
    },
  );

  it("that waits is compared with what is told again", async () => {
    const { house, phone } = await told({}, {}, 0);
    await phone.hear(house.result(1, { opencode: [1, 1, 1] }));
    expect(await phone.found()).toEqual(["dice"]);
  });

  it("that waits binds nobody by a closing that comes after it", async () => {
    const { house, phone } = await watching();
    await phone.hear(house.result(1));
    await phone.hears(house.close(1));
    await phone.wait();
    expect(await counts(phone)).toEqual({ rounds: 0, untold: 1, unchecked: null });
  });

  it("whose round the log opened at other times than its own is found", async () => {
    const { house, phone } = await watching();
    house.stateOpen(1, { closes: timesOf(1).closes - 3_000 });
    await phone.hears(house.close(1));
    await phone.hear(house.result(1));
    await phone.wait();
    expect(await phone.found()).toEqual(["otherCommit"]);
  });

  it("of a chain that this page does not know is not checked", async () => {
    const other = { ...PAST, rule: `drand:${"ab".repeat(32)}:7` };
    const { house, phone } = await told({ ...other, opencode: new House().dice(1, other) }, null);
    await phone.wait();
    expect([await phone.found(), await counts(phone)]).toMatchObject([[], { rounds: 0, unchecked: { count: 1 } }]);
    expect(house.size).toBeGreaterThan(0);
  });
});

describe("an opening", () => {
  it.each([{ beacon: "drand" }, { closes: timesOf(1).closes - 1_000 }] as const)(
    "that changes to %o is found",
    async (more) => {
      const { house, phone } = await watching();
      await phone.hear(house.open(1), house.open(1), house.open(1, { isOpen: false }), house.open(1, more));
      expect(await phone.found()).toEqual(["otherCommit"]);
      expect(checked(await phone.evidence())).toMatchObject({ isBroken: false });
    },
  );

  it("is that of its log: after a restore another one is no contradiction", async () => {
    const { house, phone } = await watching();
    await phone.hear(house.open(1));
    await phone.wait();
    const other = new House("other", undefined, 1, "house");
    await phone.meets(other);
    await phone.hear(other.open(1, { closes: timesOf(1).closes - 1_000 }));
    await phone.hears(other.close(1));
    await phone.hear(other.result(1));
    expect(await phone.found()).toEqual(["otherLog"]);
  });

  it("is shown to the page as the log proves it, or not at all", async () => {
    const { house, phone } = await watching();
    const opening = () => phone.watcher.answer("opening", { game: GAME, round: roundAt(1) });
    expect(await opening()).toBeNull();
    house.stateOpen(1);
    house.endHead();
    expect(await opening()).toMatchObject({ kind: "open", round: roundAt(1), beacon_rule: "none" });
    for (const open of [null, 0, house.size + 3]) {
      phone.instead.round = ({ expect: round }) => ({ ...house.fairRound(round), logged: { open, anchor: null } });
      expect(await opening()).toBeNull();
    }
    phone.instead = {};
    phone.hasFiles = false;
    expect(await opening()).toBeNull();
  });
});

describe("a house that does not show what a round opened with", () => {
  it.each<[string, (house: House) => NonNullable<Phone["instead"]["round"]>]>([
    ["nothing", () => () => null],
    [
      "no place in the log",
      (house) =>
        ({ expect: round }) => ({ ...house.fairRound(round), logged: { open: null, anchor: null } }),
    ],
    [
      "no odds",
      (house) =>
        ({ expect: round }) => ({ ...house.fairRound(round), odds: null }),
    ],
    [
      "an error",
      () => () => {
        throw new Error("no answer");
      },
    ],
  ])("and answers %s is said to owe it after ten minutes, and not before", async (_, refuse) => {
    const { house, phone } = await watching();
    const since = phone.now;
    phone.instead.round = refuse(house);
    await phone.hears(house.close(1));
    await phone.hear(house.result(1));
    await phone.wait();
    phone.now += 9 * MINUTE_MS;
    await phone.round(2);
    await phone.wait();
    expect(await counts(phone)).toEqual({ rounds: 1, untold: 0, unchecked: null });
    phone.now += MINUTE_MS;
    await phone.round(3);
    await phone.wait();
    expect(await counts(phone)).toEqual({ rounds: 2, untold: 0, unchecked: { count: 1, since } });
    expect(await phone.found()).toEqual([]);
    phone.instead = {};
    await phone.round(4);
    await phone.wait();
    expect(await counts(phone)).toEqual({ rounds: 4, untold: 0, unchecked: null });
  });
});

describe("a result of another kind than its game", () => {
  it.each(["dice-sums", "pick-five"])("(%s) is unchecked at once, said, and found by the log", async (kind) => {
    const { phone } = await told({ kind, opencode: [1, 1, 1] });
    expect([await phone.found(), await counts(phone)]).toMatchObject([[], { rounds: 0, unchecked: { count: 1 } }]);
    expect(phone.told.filter((one) => one.to === "found")).toEqual([{ to: "found", kind: "unchecked", member: "" }]);
    await phone.wait();
    expect(await phone.found()).toEqual(["otherCommit"]);
  });

  it("as its board shows it is unchecked, too", async () => {
    const { house, phone } = await watching();
    await phone.hear({ type: "board", game: GAME, kind: "two-dice", odds: [] });
    await phone.hears(house.close(1));
    await phone.hear(house.result(1));
    await phone.wait();
    expect([await phone.found(), await counts(phone)]).toMatchObject([[], { rounds: 0, unchecked: { count: 1 } }]);
  });
});

describe("a push without its form", () => {
  it.each<[string, object]>([
    ["no round", { expect: null }],
    ["a round that there is not", { expect: "20260302" }],
    ["a text for its dice", { opencode: "111" }],
    ["no game", { key: undefined }],
    ["no rule", { rule: null }],
    ["a number for its rule", { rule: 7 }],
    ["no signature", { beacon_signature: null }],
    ["no seed", { seed: null }],
    ["a text for its head", { head: "9" }],
  ])("is unchecked: a result with %s", async (_, more) => {
    const { phone } = await told({ opencode: [1, 1, 1], ...more });
    await phone.wait();
    expect(await counts(phone)).toMatchObject({ rounds: 0, unchecked: { count: 1 } });
    expect(phone.told.filter((one) => one.to === "found")).toEqual([{ to: "found", kind: "unchecked", member: "" }]);
  });

  it("is unchecked, whatever it is", async () => {
    const { house, phone } = await watching();
    const pushes = [
      { type: "closing", told: { ...house.close(1), close: null }, at: phone.moment() },
      { ...house.open(2), closes: null },
      { type: "result", result: null },
      { type: "head", head: house.note(), witnesses: { keys: null, needed: 0 } },
      { type: "board", game: GAME, kind: "dice-sum", odds: [null] },
      { type: "settled", orders: [{ member: MEMBER, order: 1, win: null }] },
    ];
    for (const push of pushes) await phone.hear(push as never);
    expect(await counts(phone)).toMatchObject({ rounds: 0, unchecked: { count: 3 } });
  });

  it("is forgotten after a month", async () => {
    const { house, phone } = await told({ seed: null as never });
    const visit = new Phone(house, phone.shelf);
    visit.now += 31 * 24 * 60 * MINUTE_MS;
    await visit.watcher.begin(null);
    expect((await counts(visit)).unchecked).toBeNull();
  });
});

describe("of a day it is known", () => {
  const drawn = async (phone: Phone) => {
    const { origin } = (await phone.kept.currentLog())!;
    return (await phone.kept.seed(origin, GAME, DAY))!.drawn;
  };

  it("that a result was checked, though a later one was before it", async () => {
    const { house, phone } = await watching();
    await phone.hear({ type: "board", game: GAME, kind: "two-dice", odds: [] });
    await phone.round(1);
    await phone.wait();
    const next = new Phone(house, phone.shelf);
    await next.round(2);
    expect(await drawn(next)).toEqual([[2, 2]]);
    await next.wait();
    expect([await drawn(next), await next.found()]).toEqual([[[1, 2]], []]);
    expect(await counts(next)).toEqual({ rounds: 2, untold: 0, unchecked: null });
  });

  it("in one range which rounds in a row were, also where each is compared with the log", async () => {
    const { phone } = await watching();
    phone.chance = 0;
    for (const number of [1, 2, 3, 6, 7]) {
      await phone.round(number);
      await phone.wait();
    }
    expect(await drawn(phone)).toEqual([
      [1, 3],
      [6, 7],
    ]);
  });
});
