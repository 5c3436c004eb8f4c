import { describe, expect, it } from "vitest";
import { noteText, parseNote } from "#shared/log/note.ts";
import { entriesPath, tilePath } from "#shared/log/tiles.ts";
import { GAME, House } from "./house.ts";
import { restored } from "./restored.ts";
import { Phone } from "./phone.ts";

async function watching(house = new House()): Promise<{ house: House; phone: Phone }> {
  const phone = new Phone(house);
  await phone.round(1);
  await phone.wait();
  return { house, phone };
}

/** The phone is shown another log than before. */
async function showing(phone: Phone, house: House): Promise<string[]> {
  phone.house = house;
  await phone.hear({ type: "head", head: house.note() });
  await phone.wait();
  return phone.found();
}

/** A head that its key did not sign. */
function unsigned(head: string): string {
  const note = parseNote(head)!;
  const spoil = (bytes: Uint8Array) => bytes.map((byte, i) => (i === 9 ? byte ^ 1 : byte));
  return noteText({ ...note, signatures: note.signatures.map((one) => ({ ...one, bytes: spoil(one.bytes) })) });
}

describe("a house that was restored more than once between two visits", () => {
  it("is said to be restored, and no worse, and each restore is kept", async () => {
    const { house, phone } = await watching();
    const third = restored(restored(restored(house)));
    expect(await showing(phone, third)).toEqual(["restored"]);
    const { log } = await phone.report();
    expect([log!.before, log!.restores!.map(({ number }) => number)]).toEqual([house.signer.key.name, [1, 2, 3]]);
  });

  it("is not taken for another log by a browser that keeps files of the log before for ever", async () => {
    const { house, phone } = await watching();
    const next = restored(house);
    while (next.size < house.size) next.endHead();
    while (house.size < next.size) house.endHead();
    const { size, signer } = house;
    for (const path of [entriesPath({ index: 0, width: size }), tilePath({ level: 0, index: 0, width: size })])
      await phone.read(path, signer.key.name);
    expect(await showing(phone, next)).toEqual(["restored"]);
  });

  it("counts the restores of all visits", async () => {
    const { house, phone } = await watching();
    const first = restored(house);
    await showing(phone, first);
    expect(await showing(phone, restored(restored(first)))).toEqual(["restored", "restored"]);
    expect((await phone.report()).log!.restores!.map(({ number }) => number)).toEqual([1, 2, 3]);
  });

  it("is another log nothing yet while it does not say what it continues", async () => {
    const { house, phone } = await watching();
    phone.instead.origins = () => {
      throw new Error("no answer");
    };
    expect(await showing(phone, restored(restored(house)))).toEqual([]);
    delete phone.instead.origins;
    expect(await showing(phone, restored(restored(house)))).toEqual(["restored"]);
  });

  it.each([
    ["leaves one out", (all: House["origins"]) => all.slice(1)],
    ["shows another key", ([one, ...all]: House["origins"]) => [{ ...one!, key: all[0]!.key }, ...all]],
    ["shows another head", ([one, ...all]: House["origins"]) => [{ ...one!, head: all[0]!.head }, ...all]],
    ["shows a head of its own", ([one, ...all]: House["origins"]) => [{ ...one!, head: unsigned(one!.head) }, ...all]],
    ["shows another leaf", ([one, ...all]: House["origins"]) => [{ ...one!, leaf: all[0]!.leaf }, ...all]],
    ["shows no path", ([one, ...all]: House["origins"]) => [{ ...one!, path: ["00".repeat(32)] }, ...all]],
  ])("is another log where it %s", async (_, spoil) => {
    const { house, phone } = await watching();
    const second = restored(restored(house));
    phone.instead.origins = () => spoil(second.origins);
    expect(await showing(phone, second)).toEqual(["otherLog"]);
  });

  it("is another log where a restore skips one, or counts otherwise", async () => {
    const skipping = await watching();
    const next = restored(skipping.house, { number: 2 });
    expect(await showing(skipping.phone, next)).toEqual(["otherLog"]);
    const later = await watching();
    const last = restored(restored(later.house), { number: 3 });
    expect(await showing(later.phone, last)).toEqual(["otherLog"]);
    const back = await watching();
    await showing(back.phone, restored(back.house));
    expect(await showing(back.phone, restored(restored(back.house), { number: 1 }))).toEqual(["restored", "otherLog"]);
  });
});

describe("the days of a house that was restored", () => {
  it("are those of before, and as old as they were there", async () => {
    const { house, phone } = await watching();
    const next = restored(house);
    next.told.time = Date.UTC(2026, 2, 2);
    await showing(phone, next);
    await phone.round(2);
    expect(await phone.found()).toEqual(["restored"]);
    expect((await phone.report()).days).toEqual({ young: 0, unproved: 0 });
    expect(await phone.kept.anchor(next.signer.key.name, GAME, "20260302")).toMatchObject({ anchor: house.anchor });
  });

  it.each([
    ["once", (house: House, days?: string) => restored(house, {}, days)],
    ["twice", (house: House, days?: string) => restored(restored(house), {}, days)],
  ])("are not others after it was restored %s", async (_, restoring) => {
    const { house, phone } = await watching();
    const next = restoring(house, "another day");
    await showing(phone, next);
    await phone.hear(next.open(2));
    await phone.wait();
    expect(await phone.found()).toEqual(["restored", "otherAnchor"]);
    const [finding] = await phone.kept.findings("");
    expect(finding!.evidence).toMatchObject({ kept: { anchor: house.anchor }, shown: { anchor: next.anchor } });
  });
});
