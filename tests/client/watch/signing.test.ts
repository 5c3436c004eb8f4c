import { describe, expect, it } from "vitest";
import { cosign } from "#shared/log/cosignature.ts";
import { COSIGNATURE_KEY, keyText, noteText, parseNote } from "#shared/log/note.ts";
import { signerOf } from "../../log/world.ts";
import type { Phone } from "./phone.ts";
import { both, cosigned, one, signers, two, watching } from "./witnessed.ts";

describe("a witness that has not signed for long", () => {
  const MINUTE_MS = 60_000;
  /** The house goes on for some minutes, a head a minute, and nobody else signs. */
  async function goOn(phone: Phone, minutes: number): Promise<void> {
    for (let i = 0; i < minutes; i++) {
      phone.house.since += MINUTE_MS;
      phone.now += MINUTE_MS;
      phone.house.endHead();
      await phone.hear({ type: "head", head: phone.house.note() });
      await phone.wait();
    }
  }
  async function signedOnce() {
    const { house, phone } = await watching();
    await phone.hear({ type: "head", head: cosigned(house, 50, [one, two]) });
    return { house, phone };
  }

  it("counts for as long as it is slow, and no longer than ten minutes", async () => {
    const { phone } = await signedOnce();
    expect(await signers(phone)).toMatchObject({ signed: 2, by: [{ behindMs: 0 }, { behindMs: 0 }] });
    await goOn(phone, 9);
    expect(await signers(phone)).toMatchObject({ signed: 2 });
    await goOn(phone, 10);
    const { signed, by } = await signers(phone);
    expect(signed).toBe(0);
    expect(Math.round(by[0]!.behindMs / MINUTE_MS)).toBe(19);
    expect(await phone.found()).toEqual([]);
  });

  it("is known by its name, where an older app kept no more of it", async () => {
    const { house, phone } = await signedOnce();
    const kept = await phone.kept.witnesses(house.signer.key.name);
    await phone.kept.keepWitnesses(house.signer.key.name, {
      ...kept,
      by: kept.by.map(({ name, at }) => ({ name, at })),
    });
    expect((await signers(phone)).by.map(({ key, size }) => [key, size])).toEqual(
      kept.by.map(({ key, size }) => [key, size]),
    );
  });

  it("is one of twenty that are remembered, however many the house names", async () => {
    const { house, phone } = await watching();
    const keys = Array.from({ length: 30 }, (_, i) => keyText(signerOf(`witness-${i}`, COSIGNATURE_KEY).key));
    await phone.hear({ type: "head", head: house.note(), witnesses: { keys, needed: 1 } });
    expect((await phone.kept.witnesses(house.signer.key.name)).keys).toEqual(keys.slice(0, 20));
  });

  it("counts again once it signs, each by the newest head of its own", async () => {
    const { house, phone } = await signedOnce();
    await goOn(phone, 19);
    await phone.hear({ type: "head", head: cosigned(house, 70, [two]) });
    await phone.hear({ type: "head", head: cosigned(house, 70, []) });
    expect(await signers(phone)).toMatchObject({
      signed: 1,
      by: [{ name: one.key.name }, { behindMs: 0, at: 70_000 }],
    });
  });

  it("does not count by signing an old head anew", async () => {
    const { house, phone } = await signedOnce();
    const { size } = house;
    await goOn(phone, 19);
    const note = parseNote(house.note(size))!;
    const line = cosign(note.text, Math.floor(phone.now / 1_000), one);
    await phone.hear({ type: "head", head: noteText({ ...note, signatures: [...note.signatures, line] }) });
    await phone.wait();
    expect((await signers(phone)).signed).toBe(0);
  });

  it("is judged by this phone's clock while the times of the heads cannot be read", async () => {
    const { phone } = await signedOnce();
    phone.hasFiles = false;
    await goOn(phone, 11);
    expect((await signers(phone)).signed).toBe(0);
  });

  it("is known by what an older app kept of it", async () => {
    const { house, phone } = await signedOnce();
    const { keys, needed, mostNeeded, head, size, by } = await phone.kept.witnesses(house.signer.key.name);
    const older = { keys, needed, mostNeeded, head, size, by: by.map(({ name, at }) => ({ name, at })) };
    await phone.kept.keepWitnesses(house.signer.key.name, older);
    expect((await signers(phone)).signed).toBe(2);
    await goOn(phone, 19);
    expect((await signers(phone)).signed).toBe(0);
  });
});

describe("a house that names witnesses", () => {
  const others = Array.from({ length: 20 }, (_, i) =>
    keyText(signerOf(`other${i}.example/w`, COSIGNATURE_KEY, `other ${i}`).key),
  );

  it("pushes none out that has signed, however many it names", async () => {
    const { house, phone } = await watching();
    await phone.hear({ type: "head", head: cosigned(house, 50, [one]) });
    await phone.hear({ type: "head", head: house.note(), witnesses: { keys: others, needed: 2 } });
    house.endHead();
    await phone.hear({ type: "head", head: cosigned(house, 51, [one]) });
    await phone.wait();
    expect(await signers(phone)).toMatchObject({ by: [{ name: one.key.name, at: 51_000 }] });
  });

  it.each<[string, unknown]>([
    ["no number", { keys: both.keys, needed: "many" }],
    ["half of one", { keys: both.keys, needed: 1.5 }],
    ["no keys", { keys: null, needed: 2 }],
    ["nothing", 7],
  ])("and says %s of them changes nothing", async (_, said) => {
    const { house, phone } = await watching();
    await phone.hear({ type: "head", head: house.note(), witnesses: said as typeof both });
    await phone.hear({ type: "head", head: house.note(), witnesses: { keys: both.keys, needed: 1 } });
    expect(await signers(phone)).toMatchObject({ keys: both.keys, needed: 1, mostNeeded: 2 });
  });

  it("takes no key for one that is none, and repairs what an older app kept", async () => {
    const { house, phone } = await watching();
    const { name: origin } = house.signer.key;
    await phone.kept.keepWitnesses(origin, { ...(await phone.kept.witnesses(origin)), mostNeeded: NaN });
    const keys = ["none", house.key];
    await phone.hear({ type: "head", head: house.note(), witnesses: { keys, needed: 3 } });
    expect(await signers(phone)).toMatchObject({ keys: both.keys, needed: 3, mostNeeded: 3 });
  });

  it("is not believed beside a head that its log did not sign", async () => {
    const { house, phone } = await watching();
    const note = parseNote(house.note())!;
    const unsigned = noteText({ ...note, signatures: [cosign(note.text, 50, one)] });
    await phone.hear({ type: "head", head: unsigned, witnesses: { keys: others, needed: 9 } });
    expect(await signers(phone)).toMatchObject({ keys: both.keys, needed: 2, mostNeeded: 2 });
  });
});
