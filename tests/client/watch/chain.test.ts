import { describe, expect, it } from "vitest";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { parseNote } from "#shared/log/note.ts";
import { ownHash } from "#shared/log/leaf.ts";
import { rowsOf, tableHash } from "#shared/wheel.ts";
import type { Questions } from "#client/watch/messages.ts";
import { checked } from "../../log/evidence-of-app.ts";
import { House, MEMBER } from "./house.ts";
import { restored } from "./restored.ts";
import { credit, watching } from "./owned.ts";
import type { Phone } from "./phone.ts";

const COMMIT = "cd".repeat(32);
type Table = Questions["table"]["reply"];

const ownOf = async (phone: Phone) => {
  const { count, newest } = (await phone.report()).own;
  return { count, numbers: newest.map(({ number }) => number), told: newest.map(({ told }) => told !== null) };
};

/** What the house answers while no head has the member's lines. */
const inNoHead =
  (house: House) =>
  ({ from }: { from: string }) => {
    const { leaves, ...reply } = house.mine(Number(from));
    return { ...reply, leaves: leaves.map((leaf) => ({ ...leaf, place: null })) };
  };

describe("a phone with an honest house", () => {
  it("asks for each number that it does not know, once, and keeps it with its place in a head", async () => {
    const { house, phone, balance } = await watching(2);
    await balance();
    await balance();
    expect(await ownOf(phone)).toEqual({ count: 2, numbers: [2, 1], told: [true, true] });
    house.own<"credit">(credit("c-3"));
    await balance();
    expect((await ownOf(phone)).numbers).toEqual([3, 2, 1]);
    expect(phone.asked.filter((one) => one === "mine")).toHaveLength(2);
    expect(await phone.found()).toEqual([]);
  });

  it("reads a long chain in pieces", async () => {
    const { phone, balance } = await watching(230);
    await balance();
    expect(await ownOf(phone)).toMatchObject({ count: 230 });
    expect(phone.asked.filter((one) => one === "mine")).toHaveLength(3);
  });

  it("knows that there is nothing yet", async () => {
    const { phone, balance } = await watching();
    await balance();
    expect([await ownOf(phone), await phone.found()]).toEqual([{ count: 0, numbers: [], told: [] }, []]);
  });

  it("asks again for a leaf that was in no head yet", async () => {
    const { house, phone, balance } = await watching(1);
    phone.instead.mine = inNoHead(house);
    await balance();
    expect(await ownOf(phone)).toEqual({ count: 1, numbers: [1], told: [false] });
    phone.instead = {};
    await balance();
    expect(await ownOf(phone)).toEqual({ count: 1, numbers: [1], told: [true] });
  });

  it("waits where there is no answer, and takes an answer that comes late for what it is", async () => {
    const { house, phone, balance } = await watching(1);
    const before = house.chainNote();
    house.own<"credit">(credit("c-2"));
    phone.instead.mine = () => {
      throw new Error("away");
    };
    await balance();
    expect((await ownOf(phone)).count).toBe(0);
    phone.instead = {};
    await balance();
    await phone.hear({ type: "chain", member: MEMBER, note: before });
    expect([(await ownOf(phone)).count, await phone.found()]).toEqual([2, []]);
  });

  it("forgets with the member what is theirs", async () => {
    const { phone, balance } = await watching(1);
    await balance();
    await phone.watcher.answer("forget", { member: MEMBER });
    expect((await ownOf(phone)).count).toBe(0);
  });
});

describe("a phone finds", () => {
  it.each<[string, (house: House, phone: Phone) => void, string]>([
    ["a note that another key signed", (_house, phone) => void (phone.house = new House("other")), "chain"],
    ["a number that is missing", (house) => void house.owns.splice(1, 1), "chain"],
    [
      "an answer without the leaf",
      (house, phone) => void (phone.instead.mine = () => ({ ...house.mine(), leaves: [] })),
      "chainGap",
    ],
    [
      "a leaf that says something else than its hash",
      (house) => void (house.owns[1]!.content = house.owns[1]!.content.replace("500", "501")),
      "chain",
    ],
    ["a leaf with another salt", (house) => void (house.owns[1]!.salt = COMMIT), "chain"],
    [
      "a leaf that is not where its answer says",
      (house) => void (house.owns[1]!.place = { index: 0, path: [] }),
      "chain",
    ],
  ])("%s", async (_, spoil, kind) => {
    const { house, phone } = await watching(3);
    const note = _.includes("another key") ? new House("other").chainNote() : house.chainNote();
    spoil(house, phone);
    if (_.includes("another key")) phone.house = house;
    await phone.hear({ type: "chain", member: MEMBER, note });
    expect(await phone.found()).toEqual([kind]);
  });

  it("another leaf under a number that it keeps", async () => {
    const { house, phone, balance } = await watching(2);
    await balance();
    house.owns.pop();
    house.own<"credit">(credit("another"));
    await balance();
    expect(await phone.found()).toEqual(["chain"]);
  });

  it("a chain that got shorter, and says so later than the longer one", async () => {
    const { house, phone, balance } = await watching(2);
    await balance();
    house.owns.pop();
    await phone.hear({ type: "chain", member: MEMBER, note: house.chainNote({ time: 60_000 }) });
    expect(await phone.found()).toEqual(["chainGap"]);
  });

  it("a leaf that was signed and undone before it came", async () => {
    const { house, phone, balance } = await watching(2);
    await balance();
    const { origin } = (await phone.kept.currentLog())!;
    house.own<"credit">(credit("undone"));
    const promise = house.chainNote();
    house.owns.pop();
    await phone.hear({ type: "chain", member: MEMBER, note: promise });
    expect([(await phone.kept.chain(MEMBER, origin))!.promised!.number, await phone.found()]).toEqual([3, []]);
    await phone.hear({ type: "chain", member: MEMBER, note: house.chainNote({ time: 60_000 }) });
    expect(await phone.found()).toEqual(["chainGap"]);
  });

  it("another leaf in the place of one that was signed", async () => {
    const { house, phone, balance } = await watching(2);
    await balance();
    house.own<"credit">(credit("undone"));
    const promise = house.chainNote();
    house.owns.pop();
    await phone.hear({ type: "chain", member: MEMBER, note: promise });
    house.own<"credit">(credit("another"));
    await balance();
    expect(await phone.found()).toEqual(["chain"]);
  });

  it("nothing where a signed leaf comes later", async () => {
    const { house, phone, balance } = await watching(2);
    await balance();
    house.own<"credit">(credit("late"));
    const promise = house.chainNote();
    const late = house.owns.pop()!;
    await phone.hear({ type: "chain", member: MEMBER, note: promise });
    house.owns.push(late);
    await balance();
    const { origin } = (await phone.kept.currentLog())!;
    expect(await phone.kept.chain(MEMBER, origin)).toMatchObject({ number: 3 });
    expect((await phone.kept.chain(MEMBER, origin))!.promised).toBeUndefined();
    expect(await phone.found()).toEqual([]);
  });

  it("a note about another member", async () => {
    const { house, phone } = await watching(1);
    await phone.hear({ type: "chain", member: MEMBER, note: house.chainNote({ member: "8" }) });
    expect(await phone.found()).toEqual(["chain"]);
  });
});

describe("a log that begins again after a loss", () => {
  /** The same house after a restore: it has the first leaves of the member's chain, and states where that ends. */
  async function restoredAt(kept: number) {
    const { house, phone, balance } = await watching(5);
    await balance();
    const next = restored(house, { kept: 1 });
    next.takeOver(house.owns.slice(0, kept));
    phone.house = next;
    await phone.hear({ type: "head", head: next.note() });
    const after = () => phone.hear({ type: "chain", member: MEMBER, note: next.chainNote() });
    return { next, phone, after };
  }

  it("and has all that was signed about the member is said to be restored, and no worse", async () => {
    const { next, phone, after } = await restoredAt(5);
    await after();
    await after();
    expect(await phone.found()).toEqual(["restored"]);
    expect(await ownOf(phone)).toMatchObject({ count: 5, told: [true, true, true, true, true] });
    expect(phone.asked.filter((one) => one === "mine")).toHaveLength(2);
    next.own<"credit">(credit("c-6"));
    await after();
    expect([await phone.found(), (await ownOf(phone)).count]).toEqual([["restored"], 6]);
  });

  it("and has lost lines about the member names them, though it signs others in their place", async () => {
    const { next, phone, after } = await restoredAt(3);
    next.own<"credit">(credit("other"));
    await after();
    expect((await phone.found()).sort()).toEqual(["chainLost", "restored"]);
    const finding = (await phone.kept.findings(MEMBER)).find(({ kind }) => kind === "chainLost");
    expect((finding!.evidence as { lost: { number: number }[] }).lost.map(({ number }) => number)).toEqual([4, 5]);
  });

  it("and then once more names the lines that are gone, though this phone read none of those between", async () => {
    const { next, phone } = await restoredAt(3);
    const third = restored(next, { kept: 1 });
    third.takeOver(next.owns);
    await phone.meets(third);
    await phone.hear({ type: "chain", member: MEMBER, note: third.chainNote() });
    const found = await phone.kept.findings(MEMBER);
    expect(found.map(({ kind }) => kind).sort()).toEqual(["chainLost", "restored", "restored"]);
    expect(checked(await phone.evidence()).isBroken).toBe(false);
    const { evidence } = found.find(({ kind }) => kind === "chainLost")!;
    expect((evidence as { lost: { number: number }[] }).lost.map(({ number }) => number)).toEqual([4, 5]);
  });

  it("names the lines that are gone, though this phone had not read them all", async () => {
    const { house, phone } = await watching(5);
    phone.instead.mine = ({ from }) => {
      if (from !== "1") throw new Error("away");
      return { ...house.mine(), leaves: house.mine().leaves.slice(0, 4) };
    };
    await phone.watcher.answer("pair", { member: MEMBER, number: 0, commit: COMMIT, table: COMMIT });
    phone.instead = {};
    const next = restored(house, { kept: 1 });
    next.takeOver(house.owns.slice(0, 3));
    await phone.meets(next);
    await phone.hear({ type: "chain", member: MEMBER, note: next.chainNote() });
    expect((await phone.found()).sort()).toEqual(["chainLost", "restored"]);
  });

  it("and then once more names the lines that are gone once", async () => {
    const { next, phone, after } = await restoredAt(3);
    await after();
    const third = restored(next, { kept: 1 });
    third.takeOver(next.owns);
    await phone.meets(third);
    await phone.hear({ type: "chain", member: MEMBER, note: third.chainNote() });
    expect((await phone.found()).sort()).toEqual(["chainLost", "restored", "restored"]);
  });

  it("is accused of nothing when the oldest of many lines are kept no more", async () => {
    const { next, phone, after } = await restoredAt(5);
    await after();
    const origin = next.signer.key.name;
    await phone.kept.shelf.write({ drop: [1, 2].map((number) => ["own", MEMBER, origin, number]) });
    next.own<"credit">(credit("c-6"));
    await after();
    expect([await phone.found(), (await ownOf(phone)).count]).toEqual([["restored"], 6]);
  });

  it("and has nothing of the member any more says so", async () => {
    const { phone, after } = await restoredAt(0);
    await after();
    expect((await phone.found()).sort()).toEqual(["chainLost", "restored"]);
  });
});

it("a page that asks is told of the log that the house has today, and of the one before while another cannot be met", async () => {
  const { house, phone } = await watching();
  const first = await phone.watcher.answer("log", {});
  const next = restored(house, { kept: 1 });
  phone.house = next;
  const second = await phone.watcher.answer("log", {});
  expect([first, second]).toEqual([house, next].map(({ signer }) => signer.key.name));
});

it("of many lines the newest fifty are shown, in their order", async () => {
  const { phone, balance } = await watching(60);
  await balance();
  const { count, newest } = (await phone.report()).own;
  expect([count, newest.map(({ number }) => number)]).toEqual([60, Array.from({ length: 50 }, (_, i) => 60 - i)]);
});

it("a line in no head yet is evidence as it came", async () => {
  const { house, phone, balance } = await watching(1);
  phone.instead.mine = inNoHead(house);
  await balance();
  await phone.hear({ type: "chain", member: MEMBER, note: house.chainNote({ hash: "ab".repeat(32) }) });
  expect(await phone.found()).toEqual(["chain"]);
  expect(checked(await phone.evidence()).isBroken).toBe(false);
});

it("lines that the house answers of another member are none of this one, and are owed", async () => {
  const { house, phone, balance } = await watching(3);
  phone.instead.mine = ({ from }) => ({ ...house.mine(Number(from)), chain: house.chainNote({ member: "8" }) });
  await balance();
  expect([await phone.found(), (await ownOf(phone)).count]).toEqual([[], 0]);
  phone.instead = {};
  await balance();
  expect([await phone.found(), (await ownOf(phone)).count]).toEqual([[], 3]);
});

describe("words for the wheel", () => {
  const prizes = [{ amount: 1_000, id: "ten", kind: "points" as const, weight: 3 }];
  const table = tableHash(rowsOf(prizes));
  const pair = (phone: Phone, commit = COMMIT) =>
    phone.watcher.answer("pair", { member: MEMBER, number: 0, commit, table });
  /** The house states a table, and ends a head. */
  function offer(house: House, offered = prizes): void {
    const leaf = { kind: "table" as const, id: String(house.size), unit: "point", prizes: offered, from: 1 };
    house.state({ ...leaf, hash: ownHash(leaf) });
    house.endHead();
  }
  const begun = async () => {
    const site = await watching();
    site.house.own<"pair">({ kind: "pair", pair: 0, next_commit: COMMIT });
    return site;
  };

  it("wait until the commit stands in a head that this phone keeps", async () => {
    const { house, phone } = await watching(1);
    offer(house);
    expect(await pair(phone)).toBe("waits");
    house.own<"pair">({ kind: "pair", pair: 0, next_commit: COMMIT });
    phone.instead.mine = inNoHead(house);
    expect(await pair(phone)).toBe("waits");
    phone.instead = {};
    expect(await pair(phone)).toBe("told");
    const { told } = (await phone.kept.owns(MEMBER, house.signer.key.name))[1]!;
    expect(parseCheckpoint(parseNote(told!.head)!.text)!.size).toBeGreaterThan(told!.index);
    expect(await phone.found()).toEqual([]);
  });

  it("are not made for another commit than the log has", async () => {
    const { house, phone } = await watching();
    house.own<"pair">({ kind: "pair", pair: 0, next_commit: COMMIT });
    expect(await pair(phone, "ef".repeat(32))).toBe("differs");
    expect(await phone.found()).toEqual(["chain"]);
  });

  it("wait for a head that does not continue what was seen", async () => {
    const { house, phone } = await watching();
    house.own<"pair">({ kind: "pair", pair: 0, next_commit: COMMIT });
    phone.instead.consistency = () => null;
    expect(await pair(phone)).toBe("waits");
  });

  it("wait while a smaller head of a fork is not proved", async () => {
    const { house, phone } = await watching();
    offer(house);
    house.endHead();
    await phone.watcher.answer("renew", {});
    const fork = new House();
    fork.own<"pair">({ kind: "pair", pair: 0, next_commit: COMMIT });
    expect(fork.size).toBeLessThan(house.size);
    phone.instead.mine = ({ from }) => fork.mine(Number(from));
    phone.instead.consistency = () => {
      throw new Error("no answer");
    };
    expect(await pair(phone)).toBe("waits");
    expect(await phone.found()).toEqual([]);
  });

  it("wait until the table of the wheel stands in a head that this phone keeps, which it asks for once", async () => {
    const { house, phone } = await begun();
    expect(await pair(phone)).toBe("noTable");
    offer(house, [{ ...prizes[0]!, weight: 4 }]);
    expect(await pair(phone)).toBe("noTable");
    offer(house);
    expect([await pair(phone), await pair(phone)]).toEqual(["told", "told"]);
    expect(phone.asked.filter((one) => one === "table")).toHaveLength(3);
    expect((await phone.kept.table(house.signer.key.name, table))?.leaf).toContain('"ten"');
    expect(await phone.found()).toEqual([]);
  });

  it.each<[string, (truth: Table, house: House) => Table | null]>([
    ["another table's leaf", (truth, house) => ({ ...truth, leaf: house.firstText })],
    ["a leaf that says other chances", (truth) => ({ ...truth, leaf: truth.leaf.replace("3}", "9}") })],
    ["another place", (truth) => ({ ...truth, index: truth.index - 1 })],
    ["a head of another key", (truth) => ({ ...truth, head: new House("other").note() })],
    ["no head", (truth) => ({ ...truth, head: "none" })],
    ["nothing", () => null],
  ])("wait where the house answers %s for the table", async (_, spoil) => {
    const { house, phone } = await begun();
    offer(house);
    phone.instead.table = ({ hash }) => spoil(house.table(hash)!, house);
    expect(await pair(phone)).toBe("noTable");
  });
});
