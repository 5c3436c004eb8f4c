import { describe, expect, it } from "vitest";
import { checked } from "../../log/evidence-of-app.ts";
import { NOTE_KEY } from "#shared/log/note.ts";
import { signerOf } from "../../log/world.ts";
import { House, MEMBER } from "./house.ts";
import { credit, watching } from "./owned.ts";
import type { Phone } from "./phone.ts";

describe("a house that signs no note of now", () => {
  const MINUTE_MS = 60_000;
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

  it.each<[string, (house: House) => string]>([
    ["one of long ago", (house) => house.chainNote()],
    ["none", () => ""],
  ])("but %s is said to be unchecked, until it signs one", async (_, noteOf) => {
    const { house, phone, balance } = await watching(1);
    await balance();
    const [old, since] = [noteOf(house), phone.now];
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

  it("but one of some minutes ago is not owed", async () => {
    const { house, phone, balance } = await watching(1);
    await balance();
    await live(phone, 40, () => house.chainNote({ time: house.since + 1_000 - 9 * MINUTE_MS }));
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
