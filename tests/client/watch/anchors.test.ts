import { describe, expect, it } from "vitest";
import { DAY_MS, SECOND_MS } from "#shared/time.ts";
import { GAME, House } from "./house.ts";
import { Phone } from "./phone.ts";

const DAY = Date.UTC(2026, 2, 2);

async function watching(house = new House()): Promise<{ house: House; phone: Phone }> {
  const phone = new Phone(house);
  await phone.hear({ type: "head", head: house.note() });
  return { house, phone };
}

const daysOf = async (phone: Phone) => (await phone.report()).days;
const anchorOf = async ({ house, kept }: Phone) => kept.anchor(house.signer.key.name, GAME, "20260302");

describe("the anchor of a day", () => {
  it("is looked up in the log, and its head's time is kept", async () => {
    const { house, phone } = await watching();
    await phone.round(1);
    expect((await anchorOf(phone))!.told).toEqual(house.told);
    expect([await phone.found(), await daysOf(phone)]).toEqual([[], { young: 0, unproved: 0 }]);
  });

  it("that one member alone is dealt is another one than the log's", async () => {
    const { house, phone } = await watching();
    const own = new House("a day of their own");
    phone.instead.anchors = () => house.anchorsReply({ anchor: own.anchor });
    await phone.hear(house.open(1));
    await phone.wait();
    expect(await phone.found()).toEqual(["otherAnchor"]);
    const [finding] = await phone.kept.findings("");
    expect(finding!.evidence).toMatchObject({ leaf: { anchor: house.anchor }, shown: { anchor: own.anchor } });
  });

  it("that one member alone is dealt is unproved as long as no leaf is named", async () => {
    const { house, phone } = await watching();
    const own = new House("a day of their own");
    phone.instead.anchors = () => house.anchorsReply({ anchor: own.anchor, told: null });
    await phone.hear(own.open(1));
    await phone.wait();
    await phone.hear(own.result(1));
    expect([await phone.found(), await daysOf(phone)]).toEqual([[], { young: 0, unproved: 1 }]);
    // The truth afterwards contradicts the seeds that were checked, and the anchor that was shown.
    delete phone.instead.anchors;
    await phone.hear(own.open(2));
    await phone.wait();
    expect(await phone.found()).toEqual(["otherAnchor"]);
  });

  it("contradicts the seeds that were checked before it was shown", async () => {
    const { house, phone } = await watching();
    const own = new House("a day of their own");
    phone.instead.anchors = () => [];
    await phone.hear(own.open(1), own.result(1));
    delete phone.instead.anchors;
    await phone.hear(house.open(3));
    await phone.wait();
    expect(await phone.found()).toEqual(["otherAnchor"]);
  });

  it("is another one where the leaf that is named says something else", async () => {
    const { house, phone } = await watching();
    phone.instead.anchors = () => house.anchorsReply({ told: { ...house.told, number: 1 } });
    house.close(1);
    await phone.hear({ type: "head", head: house.note() }, house.open(2));
    await phone.wait();
    expect(await phone.found()).toEqual(["otherAnchor"]);
  });

  it.each([
    ["a head without it", (house: House) => ({ ...house.told, head: 0 })],
    ["a head that does not end in a time", (house: House) => ({ ...house.told, head: 3 })],
    ["a leaf beyond the log", (house: House) => ({ ...house.told, number: 90, head: 91 })],
  ])("is unproved by %s", async (_, told) => {
    const { house, phone } = await watching();
    house.close(1);
    phone.instead.anchors = () => house.anchorsReply({ told: told(house) });
    await phone.round(2);
    expect([await phone.found(), await daysOf(phone)]).toEqual([[], { young: 0, unproved: 1 }]);
  });

  it("is asked for again at the next round, and looked up in a newer head", async () => {
    const { house, phone } = await watching();
    phone.instead.anchors = () => house.anchorsReply({ told: null });
    await phone.round(1);
    expect(await daysOf(phone)).toEqual({ young: 0, unproved: 1 });
    const number = house.state({ kind: "anchor", game: GAME, day: "20260302", anchor: house.anchor });
    house.endHead();
    const told = { number, head: house.size, time: 100 + house.size - 1 };
    // A head from before the leaf would make it older.
    phone.instead.anchors = () => house.anchorsReply({ told: { ...told, head: house.told.head } });
    await phone.hear({ type: "head", head: house.note() }, house.open(2));
    await phone.wait();
    expect(await daysOf(phone)).toEqual({ young: 0, unproved: 1 });
    house.close(3);
    told.head = house.size;
    told.time = 100 + house.size - 1;
    phone.instead.anchors = () => house.anchorsReply({ told });
    await phone.hear(house.open(3));
    await phone.wait();
    expect([await daysOf(phone), (await anchorOf(phone))!.told]).toEqual([{ young: 0, unproved: 0 }, told]);
  });

  it.each([
    ["young", 7 * DAY_MS - SECOND_MS, 1],
    ["not young", 7 * DAY_MS, 0],
  ])("is %s by the head that held it, whatever the house answers", async (_, ahead, young) => {
    const { house, phone } = await watching(new House("house", undefined, DAY - ahead));
    phone.instead.anchors = () => house.anchorsReply({ told: { ...house.told, time: 1 } });
    await phone.round(1);
    expect([await phone.found(), await daysOf(phone)]).toEqual([[], { young, unproved: 0 }]);
  });
});
