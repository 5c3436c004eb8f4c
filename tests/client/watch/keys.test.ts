import { describe, expect, it } from "vitest";
import { headAddress } from "#shared/log/address.ts";
import { originOf } from "#shared/log/checkpoint.ts";
import { keyText, NOTE_KEY, parseNote } from "#shared/log/note.ts";
import { signerOf } from "../../log/world.ts";
import { House, MEMBER } from "./house.ts";
import { Phone } from "./phone.ts";

async function watching(house = new House()): Promise<{ house: House; phone: Phone }> {
  const phone = new Phone(house);
  await phone.meets();
  return { house, phone };
}

/** A phone that knows one replacement of the key, and a house that shows another one from now on. */
async function replacedTwice() {
  const { house, phone } = await watching();
  house.rotate("second");
  await phone.meets();
  await phone.wait();
  const liar = new House();
  liar.rotate("third");
  liar.close(1);
  phone.house = liar;
  return { house, phone, liar };
}

const take = (phone: Phone, { placed, receipt }: ReturnType<House["bet"]>) =>
  phone.watcher.answer("take", { placed, receipt });

describe("a phone whose log gets another key", () => {
  it("follows the leaf that both keys signed, and finds nothing", async () => {
    const { house, phone } = await watching();
    await phone.round(1);
    const [first, before] = [house.key, house.note()];
    house.rotate("second");
    await phone.round(2);
    house.rotate("third");
    house.rotate("fourth");
    await phone.round(3);
    await phone.wait();
    expect(await phone.found()).toEqual([]);
    const log = (await phone.kept.currentLog())!;
    expect(log).toMatchObject({ key: house.key, newest: house.note() });
    expect(log.retired!.map(({ key }) => key)[0]).toBe(first);
    expect(log.retired).toHaveLength(3);
    // A head from before the change is still one of the old key.
    await phone.hear({ type: "head", head: before });
    expect(await phone.found()).toEqual([]);
    expect(await phone.report()).toMatchObject({ rounds: 3, address: expect.stringContaining("#head=") });
    // Of the changes that the house names, those that are known are not followed again.
    house.rotate("fifth");
    await phone.meets();
    await phone.wait();
    expect([await phone.found(), (await phone.kept.currentLog())!.key]).toEqual([[], house.key]);
  });

  it("that meets it later begins with the key that its origin names", async () => {
    const house = new House();
    const first = house.key;
    house.rotate("second");
    house.rotate("third");
    const { phone } = await watching(house);
    await phone.round(1);
    await phone.wait();
    expect(await phone.found()).toEqual([]);
    expect(await phone.kept.currentLog()).toMatchObject({ key: house.key, retired: [{ key: first }, {}] });
  });

  it("takes receipts under the key of their batch", async () => {
    const { house, phone } = await watching();
    const early = house.bet("o1", 1);
    house.rotate("second");
    expect(await take(phone, house.bet("o2", 1))).toBe("right");
    expect(await take(phone, early)).toBe("right");
    expect(await phone.found()).toEqual([]);
  });

  it("does not judge a receipt while the house cannot be asked for its key", async () => {
    const { house, phone } = await watching();
    house.rotate("second");
    phone.instead.head = () => {
      throw new Error("away");
    };
    expect(await take(phone, house.bet("o1", 1))).toBe("unknown");
    await phone.meets();
    phone.instead = {};
    expect(await phone.found()).toEqual([]);
  });

  it("compares with another phone that knows the change first", async () => {
    const { house, phone } = await watching();
    house.rotate("second");
    const address = headAddress("https://house.example/Proof", parseNote(house.note())!, house.signer.key)!;
    expect(await phone.watcher.answer("compare", { address, member: "" })).toBe("linked");
    expect(await phone.found()).toEqual([]);
  });
});

describe("a phone says of", () => {
  const stranger = signerOf("any", NOTE_KEY, "stranger");

  it.each([
    ["the old key alone signed", (house: House) => void house.rotate("second", { next_signature: signatureOf("old") })],
    ["the new key alone signed", (house: House) => void house.rotate("second", { old_signature: signatureOf("new") })],
    ["a stranger signed", (house: House) => void house.rotate("second", { old: keyOfStranger(house) })],
    [
      "belongs to a log of another origin",
      (house: House) => {
        const other = signerOf(originOf("other.example", stranger.key.publicKey), NOTE_KEY, "stranger");
        house.signer = other;
        house.rotate("second");
      },
    ],
    ["names an earlier batch than one before", (house: House) => twiceBack(house)],
  ])("a change of keys that %s", async (_title, spoil) => {
    const { house, phone } = await watching();
    const { name } = house.signer.key;
    spoil(house);
    house.signer = signerOf(name, NOTE_KEY, "second");
    await phone.hear({ type: "head", head: house.noteBy(house.signer) });
    expect(await phone.found()).toEqual(["signature"]);
  });

  const signatureOf = (word: string) => Buffer.from(stranger.sign(Buffer.from(word))).toString("base64");
  const keyOfStranger = (house: House) => keyText(signerOf(house.signer.key.name, NOTE_KEY, "stranger").key);
  function twiceBack(house: House): void {
    house.rotate("between");
    house.rotate("second", { batch: 3 });
  }

  it("a change of keys that no leaf names", async () => {
    const { house, phone } = await watching();
    house.signer = signerOf(house.signer.key.name, NOTE_KEY, "second");
    await phone.meets();
    expect(await phone.found()).toEqual(["signature"]);
  });

  it("a head that the old key signed after its replacement, heard before the change or after it", async () => {
    const { house, phone } = await watching();
    const old = house.rotate("second");
    await phone.meets();
    house.close(1);
    await phone.hear({ type: "head", head: house.noteBy(old) });
    expect(await phone.found()).toEqual(["signature"]);

    const other = new House("other");
    const late = new Phone(other);
    await late.hear({ type: "head", head: other.note() });
    const replaced = other.rotate("second");
    late.instead.consistency = () => null;
    await late.kept.keepLog({ ...(await late.kept.currentLog())!, newest: other.noteBy(replaced) });
    await late.hear({ type: "head", head: other.note() });
    expect(await late.found()).toEqual(["fork"]);
  });

  it("a log that names other keys than it had named, and puts down both", async () => {
    const { house, phone, liar } = await replacedTwice();
    await phone.hear({ type: "head", head: liar.note() });
    const [finding] = await phone.kept.findings("");
    expect(finding).toMatchObject({
      kind: "fork",
      evidence: { ours: house.note(), shown: liar.note(), shownLog: { key: liar.key, retired: [{}] } },
    });
    expect(await phone.kept.currentLog()).toMatchObject({ key: house.key, newest: house.note() });
  });

  it("another phone's head under a key that was replaced", async () => {
    const { house, phone } = await watching();
    const old = house.rotate("second");
    await phone.meets();
    const liar = new House();
    liar.close(1);
    const theirs = headAddress("https://house.example/Proof", parseNote(liar.note())!, old.key)!;
    expect(await phone.watcher.answer("compare", { address: theirs, member: "" })).toBe("differs");
    expect(await phone.found()).toEqual(["signature"]);
  });

  it("another phone's head under other keys, which the house shows now", async () => {
    const { phone, liar } = await replacedTwice();
    const address = headAddress("https://house.example/Proof", parseNote(liar.note())!, liar.signer.key)!;
    expect(await phone.watcher.answer("compare", { address, member: "" })).toBe("differs");
    const [finding] = await phone.kept.findings("");
    expect(finding).toMatchObject({
      kind: "fork",
      evidence: { theirs: expect.any(String), shownLog: { key: liar.key } },
    });
  });

  it("a receipt that the old key signed after its replacement", async () => {
    const { house, phone } = await watching();
    const old = house.rotate("second");
    await phone.meets();
    expect(await take(phone, house.bet("o1", 1, {}, old))).toBe("wrong");
    const [finding] = await phone.kept.findings(MEMBER);
    expect(finding).toMatchObject({ kind: "receipt", evidence: { faults: ["key", "signature"] } });
  });

  it("a receipt under a key that no head names", async () => {
    const { house, phone } = await watching();
    const unnamed = signerOf(house.signer.key.name, NOTE_KEY, "second");
    expect(await take(phone, house.bet("o1", 1, {}, unnamed))).toBe("wrong");
    expect(await phone.found()).toEqual(["receipt"]);
  });

  it("a log whose first key, before all changes, is not the one that its origin names", async () => {
    const house = new House();
    house.signer = signerOf(house.signer.key.name, NOTE_KEY, "another");
    house.rotate("second");
    const { phone } = await watching(house);
    expect(await phone.found()).toEqual(["key"]);
  });
});
