import { describe, expect, it } from "vitest";
import { checked } from "../../log/evidence-of-app.ts";
import { NOTE_KEY } from "#shared/log/note.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { signerOf } from "../../log/world.ts";
import { House, MEMBER } from "./house.ts";
import { credit, watching } from "./owned.ts";
import type { Phone } from "./phone.ts";

describe("a house that signs no note of now", () => {
  /** Minutes go by, with a head each, and an answer every five of them. */
  async function live(phone: Phone, minutes: number, note: () => string): Promise<void> {
    for (let i = 1; i <= minutes; i++) {
      phone.house.since += MINUTE_MS;
      phone.now += MINUTE_MS;
      phone.house.endHead();
      await phone.hear({ type: "head", head: phone.house.note() });
      await phone.wait();
      if (i % 5 === 0) await phone.hear({ type: "chain", member: MEMBER, note: note() });
    }
  }
  const fresh = (house: House) => house.chainNote({ time: house.since + 1_000 });
  const owedOf = async (phone: Phone) => (await phone.report()).unchecked.own;

  it.each<[string, (house: House, phone: Phone) => string]>([
    ["one of long ago", (house) => house.chainNote()],
    ["one that is dated a year ahead", (house, phone) => house.chainNote({ time: phone.now + 365 * DAY_MS })],
    ["none", () => ""],
  ])("but %s is said to be unchecked, until it signs one", async (_, noteOf) => {
    const { house, phone, balance } = await watching(1);
    await balance();
    const [old, since] = [noteOf(house, phone), phone.now];
    await live(phone, 40, () => old);
    expect(await owedOf(phone)).toMatchObject({ number: 1, owed: { at: phone.now } });
    expect((await owedOf(phone))!.since).toBeGreaterThan(since);
    expect(checked(await phone.savedFile()).isBroken).toBe(false);
    await live(phone, 5, () => fresh(house));
    expect(await owedOf(phone)).toBeNull();
    expect(await phone.found()).toEqual([]);
  });

  it("from the start is said to be unchecked, too", async () => {
    const { phone } = await watching(1);
    await live(phone, 20, () => "");
    expect(await owedOf(phone)).toMatchObject({ number: 0 });
  });

  it("by a key that it names is accused of nothing, and is unchecked until the leaf of that key can be read", async () => {
    const { house, phone, balance } = await watching(1);
    await balance();
    house.rotate("second");
    phone.hasFiles = false;
    await phone.hear(house.balance(1, 500));
    await live(phone, 20, () => fresh(house));
    expect([await phone.found(), await owedOf(phone)]).toMatchObject([[], { number: 1 }]);
    phone.hasFiles = true;
    await live(phone, 5, () => fresh(house));
    expect([await phone.found(), await owedOf(phone)]).toEqual([[], null]);
    await phone.hear(house.balance(1, 400));
    expect(await phone.found()).toEqual(["balance"]);
  });

  it("of a balance that can be read owes it, though its lines can be", async () => {
    const { house, phone, balance } = await watching(1);
    await balance();
    const unnamed = new House();
    unnamed.signer = signerOf(house.signer.key.name, NOTE_KEY, "second");
    // It names a leaf that nobody gets to read.
    phone.instead.head = () => ({ ...house.headReply(), changes: [0] });
    phone.hasFiles = false;
    for (let version = 1; version <= 3; version++) {
      await phone.hear(unnamed.balance(version, 500));
      await live(phone, 10, () => fresh(house));
    }
    expect([await phone.found(), await owedOf(phone)]).toMatchObject([[], { number: 1 }]);
    phone.instead = {};
    phone.hasFiles = true;
    await live(phone, 5, () => fresh(house));
    expect([await phone.found(), await owedOf(phone)]).toEqual([["balance"], null]);
  });

  it.each<[string, (house: House, phone: Phone) => number]>([
    ["of some minutes ago", (house) => house.since + 1_000 - 9 * MINUTE_MS],
    ["that is dated some minutes ahead", (_, phone) => phone.now + 9 * MINUTE_MS],
    ["that is dated as its heads are, by a phone whose clock is behind", (house) => house.since + 1_000],
  ])("but one %s is not owed", async (_, timeOf) => {
    const { house, phone, balance } = await watching(1);
    await balance();
    if (_.includes("clock is behind")) house.since = phone.now + 365 * DAY_MS;
    await live(phone, 40, () => house.chainNote({ time: timeOf(house, phone) }));
    expect(await owedOf(phone)).toBeNull();
  });

  it("for a moment is not", async () => {
    const { house, phone, balance } = await watching(1);
    await balance();
    await live(phone, 5, () => "");
    await live(phone, 20, () => fresh(house));
    await live(phone, 5, () => "");
    expect(await owedOf(phone)).toBeNull();
  });

  it("and still owes a line that it signed before is said to owe both since the first", async () => {
    const { house, phone, balance } = await watching(1);
    await balance();
    house.own<"credit">(credit("c-2"));
    const promise = fresh(house);
    phone.instead.mine = () => {
      throw new Error("away");
    };
    await live(phone, 5, () => promise);
    const since = phone.now;
    await live(phone, 30, () => promise);
    expect(await owedOf(phone)).toMatchObject({ since, promised: { number: 2 }, owed: {} });
  });
});

describe("a note that is dated a year ahead", () => {
  const chainOf = async (phone: Phone) => (await phone.kept.chain(MEMBER, (await phone.kept.currentLog())!.origin))!;
  /** The house says where the chain ends, on that date. */
  const say = (phone: Phone, time: number) =>
    phone.hear({ type: "chain", member: MEMBER, note: phone.house.chainNote({ time }) });
  const sayAhead = (phone: Phone) => say(phone, phone.now + 365 * DAY_MS);

  it("hides no chain that gets shorter: its lines are dated by the answer that they came with", async () => {
    const { house, phone } = await watching(2);
    await sayAhead(phone);
    house.owns.pop();
    await say(phone, MINUTE_MS);
    expect(await phone.found()).toEqual(["chainGap"]);
    expect(checked(await phone.evidence())).toMatchObject({ isProven: true, isBroken: false });
  });

  it("hides none either where that answer is dated so, too", async () => {
    const { house, phone } = await watching(2);
    house.chainTime = phone.now + 365 * DAY_MS;
    await sayAhead(phone);
    house.owns.pop();
    await say(phone, MINUTE_MS);
    expect(await phone.found()).toEqual(["chainGap"]);
    expect(checked(await phone.evidence())).toMatchObject({ isProven: false, isBroken: false });
  });

  it("takes the place of no line that was signed before and did not come", async () => {
    const { house, phone, balance } = await watching(2);
    await balance();
    phone.instead.mine = () => {
      throw new Error("away");
    };
    house.own<"credit">(credit("undone"));
    await balance();
    house.own<"credit">(credit("undone-too"));
    await sayAhead(phone);
    expect((await chainOf(phone)).promised).toMatchObject({ number: 3 });
    house.owns.splice(2);
    await say(phone, MINUTE_MS);
    expect(await phone.found()).toEqual(["chainGap"]);
    expect(checked(await phone.evidence())).toMatchObject({ isProven: true, isBroken: false });
  });

  it("accuses nobody, if it is the shorter one: a clock may be wrong", async () => {
    const { house, phone, balance } = await watching(2);
    await balance();
    house.owns.pop();
    await sayAhead(phone);
    const owed = { since: phone.now, at: phone.now };
    expect([await phone.found(), await chainOf(phone)]).toMatchObject([[], { number: 2, owed }]);
  });

  it("that has another line than this phone is found all the same", async () => {
    const { house, phone, balance } = await watching(2);
    await balance();
    house.owns.pop();
    house.own<"credit">(credit("another"));
    await sayAhead(phone);
    expect(await phone.found()).toEqual(["chain"]);
  });
});

describe("a note that was made before a line, and comes after it", () => {
  it("is no shorter chain, though nobody had said yet how the longer one ends", async () => {
    const { house, phone, balance } = await watching(1);
    await balance();
    house.chainTime = MINUTE_MS - 1;
    const before = house.chainNote();
    house.own<"credit">(credit("c-2"));
    house.chainTime = MINUTE_MS;
    const hash = "cd".repeat(32);
    await phone.watcher.answer("pair", { member: MEMBER, number: 0, commit: hash, table: hash });
    expect((await phone.report()).own.count).toBe(2);
    await phone.hear({ type: "chain", member: MEMBER, note: before });
    expect(await phone.found()).toEqual([]);
  });
});
