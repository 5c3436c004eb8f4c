import { describe, expect, it } from "vitest";
import { cosign } from "#shared/log/cosignature.ts";
import { COSIGNATURE_KEY, noteText, parseNote } from "#shared/log/note.ts";
import { drandMode, randomnessOf, signedAt } from "#shared/lottery/beacon.ts";
import { beaconsOf } from "#shared/lottery/beacon-signature.ts";
import { HOUR_MS } from "#shared/time.ts";
import { timesOf } from "./game.ts";
import { ownChain } from "../../support/drand-relay.ts";
import { signerOf } from "../../log/world.ts";
import { House } from "./house.ts";
import { Phone } from "./phone.ts";
import { both, cosigned, one, signers, two, watching } from "./witnessed.ts";
import { restored } from "./restored.ts";

describe("a phone of a house with witnesses", () => {
  it("keeps who signed a head that follows from what it saw, and when", async () => {
    const { house, phone } = await watching();
    expect(await signers(phone)).toMatchObject({ needed: 2, by: [], head: null });
    await phone.round(1);
    await phone.wait();
    const head = cosigned(house, 50, [one, two]);
    await phone.hear({ type: "head", head });
    expect(await signers(phone)).toMatchObject({
      head,
      size: house.size,
      by: [
        { name: one.key.name, at: 50_000 },
        { name: two.key.name, at: 50_000 },
      ],
    });
  });

  it("takes another witness' line of the same head in, and loses none to a later head without lines", async () => {
    const { house, phone } = await watching();
    await phone.hear({ type: "head", head: cosigned(house, 50, [one]) });
    expect((await signers(phone)).by).toHaveLength(1);
    await phone.hear({ type: "head", head: cosigned(house, 51, [one, two]) });
    await phone.hear({ type: "head", head: house.note() });
    expect((await signers(phone)).by).toHaveLength(2);
  });

  it("counts no line of a stranger, of another head, or of a key that only has the name", async () => {
    const { house, phone } = await watching();
    const stranger = signerOf("stranger.example/w", COSIGNATURE_KEY, "stranger");
    const thief = signerOf(one.key.name, COSIGNATURE_KEY, "thief");
    const note = parseNote(house.note())!;
    const ofOther = { ...cosign(`${note.text}more\n`, 50, one) };
    const forged = { ...cosign(note.text, 50, one), bytes: cosign(note.text, 50, thief).bytes };
    const lines = [cosign(note.text, 50, stranger), cosign(note.text, 50, thief), ofOther, forged];
    await phone.hear({ type: "head", head: noteText({ ...note, signatures: [...note.signatures, ...lines] }) });
    expect((await signers(phone)).by).toEqual([]);
    expect(await phone.found()).toEqual([]);
  });

  it("does not believe that a witness signed a fork of what it saw", async () => {
    const { phone } = await watching();
    await phone.round(1);
    await phone.wait();
    const fork = new House();
    fork.close(2);
    fork.close(3);
    phone.house = fork;
    await phone.hear({ type: "head", head: cosigned(fork, 50, [one, two]) });
    await phone.wait();
    expect(await phone.found()).toEqual(["fork"]);
    expect((await signers(phone)).by).toEqual([]);
  });

  it("remembers those who were named before, and that fewer have to sign now", async () => {
    const { house, phone } = await watching();
    await phone.hear({ type: "head", head: house.note(), witnesses: { keys: [both.keys[1]!], needed: 1 } });
    await phone.hear({ type: "head", head: cosigned(house, 50, [one]) });
    expect(await signers(phone)).toMatchObject({ needed: 1, mostNeeded: 2, by: [{ name: one.key.name }] });
  });

  it("gets the newest signed head when it asks for the newest", async () => {
    const { house, phone } = await watching();
    const signed = cosigned(house, 50, [one]);
    house.close(1);
    phone.instead.head = () => ({ ...house.headReply(), cosigned: signed });
    await phone.watcher.answer("renew", {});
    expect((await phone.kept.currentLog())!.newest).toBe(house.note());
    expect(await signers(phone)).toMatchObject({ head: signed, by: [{ name: one.key.name }] });
  });
});

describe("a round under a public beacon", () => {
  /** It closes 8 s before its draw, and the chain's round 1000 is signed 3 s later. */
  const closes = timesOf(1).draws - 8_000;
  const chain = { ...ownChain(), genesisS: (closes + 3_000) / 1_000 - 999 * 3 };
  const rule = `${drandMode(chain)}:1000`;
  const beaconMs = signedAt(chain, 1_000);
  const signature = chain.sign(1_000);
  const mixed = { rule, beacon: randomnessOf(signature), beacon_signature: signature };

  /** A round whose closing is signed by a witness at that time, or by nobody. */
  async function round(cosignedMs: number | null, more: Partial<typeof mixed> = {}) {
    const { house, phone } = await watching();
    phone.beacons = beaconsOf(chain);
    await phone.hear(house.open(1, { beacon: "drand", closes }));
    await phone.wait();
    await phone.hears(house.close(1));
    await phone.wait();
    if (cosignedMs !== null) await phone.hear({ type: "head", head: cosigned(house, cosignedMs / 1_000, [one]) });
    const beacon = { ...mixed, ...more };
    await phone.hear(house.result(1, { ...beacon, opencode: house.dice(1, beacon) }));
    return { phone, report: await phone.report() };
  }

  it("is proven early where a witness had signed its closing before the beacon", async () => {
    const { phone, report } = await round(beaconMs - 2_000);
    expect([report.rounds, report.beacons, report.early, await phone.found()]).toEqual([1, 1, 1, []]);
  });

  it.each([
    ["signed with the beacon", beaconMs],
    ["signed after it", beaconMs + 1_000],
    ["signed by nobody else", null],
  ])("is not, where it was %s", async (_name, at) => {
    const { phone, report } = await round(at);
    expect([report.rounds, report.beacons, report.early, await phone.found()]).toEqual([1, 1, 0, []]);
  });

  it("is proven by a later head that holds the closing, too", async () => {
    const { house, phone } = await watching();
    phone.beacons = beaconsOf(chain);
    await phone.hear(house.open(1, { beacon: "drand", closes }));
    await phone.wait();
    await phone.hears(house.close(1));
    house.endHead();
    await phone.hear({ type: "head", head: cosigned(house, beaconMs / 1_000 - 1, [one]) });
    await phone.wait();
    await phone.hear(house.result(1, { ...mixed, opencode: house.dice(1, mixed) }));
    expect((await phone.report()).early).toBe(1);
  });

  /** A round whose closing reaches the phone, by its clock, so long before the beacon's time, and its beacon so long after. */
  async function roundByClock(closedMs: number, cameMs: number, wrong: { set?: number; signature?: string } = {}) {
    const { house, phone } = await watching();
    phone.beacons = beaconsOf(chain);
    await phone.hear(house.open(1, { beacon: "drand", closes }));
    await phone.wait();
    const at = (ms: number, clock = 0) => ({ clock: beaconMs + ms + clock, passed: 100_000 + ms });
    await phone.hear({ type: "closing", told: house.close(1), at: at(-closedMs) });
    await phone.hear({ type: "beacon", rule, signature, at: at(cameMs, wrong.set), ...wrong });
    await phone.hear(house.result(1, { ...mixed, opencode: house.dice(1, mixed) }));
    await phone.wait();
    const { rounds, hereEarly } = await phone.report();
    return { rounds, hereEarly, found: await phone.found() };
  }

  it("is proven early to the phone that its closing had reached, where the beacon confirms the phone's clock", async () => {
    expect(await roundByClock(2_500, 600)).toEqual({ rounds: 1, hereEarly: 1, found: [] });
    expect(await roundByClock(1_000, 1_000)).toMatchObject({ hereEarly: 1 });
  });

  it.each<[string, Parameters<typeof roundByClock>]>([
    ["its closing came less than a second before", [900, 600]],
    ["the beacon came late, or was held back", [2_500, 1_100]],
    ["the beacon came before its time: the clock is slow", [2_500, -1_100]],
    ["the clock was set meanwhile", [2_500, -1_000, { set: 1_500 }]],
    ["the beacon is forged", [2_500, 600, { signature: chain.sign(999) }]],
  ])("is not, where %s", async (_why, given) => {
    expect(await roundByClock(...given)).toEqual({ rounds: 1, hereEarly: 0, found: [] });
  });

  it("a later beacon that comes before its time takes the clock's word back", async () => {
    const { house, phone } = await watching();
    phone.beacons = beaconsOf(chain);
    await phone.hear(house.open(1, { beacon: "drand", closes }));
    await phone.wait();
    const at = (clock: number) => ({ clock: beaconMs + clock, passed: clock });
    await phone.hear({ type: "closing", told: house.close(1), at: at(-2_500) });
    await phone.hear({ type: "beacon", rule, signature, at: at(600) });
    const next = `${drandMode(chain)}:1001`;
    await phone.hear({ type: "beacon", rule: next, signature: chain.sign(1_001), at: at(1_000) });
    await phone.hear(house.result(1, { ...mixed, opencode: house.dice(1, mixed) }));
    await phone.wait();
    expect(await phone.report()).toMatchObject({ rounds: 1, hereEarly: 0 });
  });

  it("that has a beacon which the chain did not sign is found by the phone itself", async () => {
    const false_ = chain.sign(999);
    const { phone, report } = await round(beaconMs - 2_000, {
      beacon: randomnessOf(false_),
      beacon_signature: false_,
    });
    expect([report.beacons, report.early, await phone.found()]).toEqual([0, 0, ["dice"]]);
  });

  it("is checked for the page, too", async () => {
    const phone = new Phone(new House());
    phone.beacons = beaconsOf(chain);
    expect(await phone.watcher.answer("beacon", { rule, signature })).toBe(true);
    expect(await phone.watcher.answer("beacon", { rule: "none", signature })).toBe(false);
    expect(await phone.watcher.answer("beacon", { rule, signature: chain.sign(999) })).toBe(false);
  });
});

describe("the twelve words", () => {
  it("are the same on two phones in one hour, however much each has seen of the log", async () => {
    const { house, phone } = await watching();
    house.since = 5 * HOUR_MS;
    house.close(1);
    await phone.hear({ type: "head", head: house.note() });
    await phone.wait();
    const first = (await phone.report()).hour!;
    house.close(2);
    house.close(3);
    const other = new Phone(house);
    await other.hear({ type: "head", head: house.note() });
    expect((await other.report()).hour).toEqual(first);
    expect([first.hour, first.words.length]).toEqual([5 * HOUR_MS, 12]);
    house.since = 6 * HOUR_MS;
    house.close(4);
    phone.now += HOUR_MS;
    await phone.wait();
    const next = (await phone.report()).hour!;
    expect(next.hour).toBe(6 * HOUR_MS);
    expect(next.words).not.toEqual(first.words);
  });

  it("differ where two phones are shown two logs", async () => {
    const [{ phone }, other] = [await watching(), new House()];
    other.state({ kind: "seal", number: 1, root: "0".repeat(64), seal: "1".repeat(64), at: 1 });
    other.endHead();
    const forked = new Phone(other);
    await forked.hear({ type: "head", head: other.note() });
    await phone.wait();
    const hours = [await phone.report(), await forked.report()].map(({ hour }) => hour!);
    // The first head of that hour is the same in both: the next hour tells them apart.
    expect(hours[0]).toEqual(hours[1]);
    for (const [at, one] of [phone, forked].entries()) {
      one.house.since = HOUR_MS;
      one.house.close(1);
      one.now += HOUR_MS;
      await one.hear({ type: "head", head: one.house.note() });
      await one.wait();
      hours[at] = (await one.report()).hour!;
    }
    expect(hours[0]!.words).not.toEqual(hours[1]!.words);
  });

  it.each<[string, (house: House) => unknown]>([
    ["is signed by another", (house) => ({ ...house.hourReply(), head: new House("other").note(2) })],
    ["is of another hour", (house) => ({ ...house.hourReply(), hour: HOUR_MS })],
    ["is of no full hour", (house) => ({ ...house.hourReply(), hour: 60_000 })],
    ["does not end in its time", (house) => ({ ...house.hourReply(), path: [] })],
    ["is none", () => ({ hour: 0, head: "none", leaf: "none", path: [] })],
  ])("are not shown of a head that %s", async (_name, answer) => {
    const { house, phone } = await watching();
    phone.instead.hour = () => answer(house) as never;
    await phone.wait();
    expect((await phone.report()).hour).toBeNull();
  });

  it("are never those of an older hour than the phone's newest head has", async () => {
    const { house, phone } = await watching();
    const old = house.hourReply();
    phone.instead.hour = () => old;
    expect((await phone.report()).hour).toMatchObject({ hour: 0 });
    house.since = 6 * HOUR_MS;
    await phone.round(1);
    await phone.wait();
    expect((await phone.report()).hour).toBeNull();
    phone.now += HOUR_MS;
    expect((await phone.report()).hour).toBeNull();
    phone.hasFiles = false;
    house.endHead();
    await phone.hear({ type: "head", head: house.note() });
    await phone.wait();
    expect((await phone.report()).hour).toBeNull();
    phone.hasFiles = true;
    delete phone.instead.hour;
    await phone.watcher.answer("renew", {});
    expect((await phone.report()).hour).toMatchObject({ hour: 6 * HOUR_MS });
  });

  it("stay while the house does not answer, and are not those of the log before after a restore", async () => {
    const { house, phone } = await watching();
    const first = (await phone.report()).hour;
    phone.instead.hour = () => {
      throw new Error("no answer");
    };
    house.endHead();
    await phone.hear({ type: "head", head: house.note() });
    await phone.wait();
    phone.now += HOUR_MS;
    expect((await phone.report()).hour).toEqual(first);
    await phone.meets(restored(house));
    expect((await phone.report()).hour).toBeNull();
  });

  it("are not shown of a head that does not follow from what the phone saw", async () => {
    const { phone } = await watching();
    for (const number of [1, 2]) await phone.round(number);
    await phone.wait();
    const fork = new House();
    for (const number of [1, 2])
      fork.state({ kind: "seal", number, root: "0".repeat(64), seal: "1".repeat(64), at: number });
    fork.since = HOUR_MS;
    fork.endHead();
    phone.instead.hour = () => fork.hourReply();
    await phone.wait();
    expect((await phone.report()).hour).toBeNull();
    expect(await phone.found()).toContain("fork");
  });
});
