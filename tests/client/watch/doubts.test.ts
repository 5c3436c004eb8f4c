import { describe, expect, it } from "vitest";
import { drawn } from "./betting.ts";
import { House, MEMBER } from "./house.ts";
import { Phone } from "./phone.ts";
import { restored } from "./restored.ts";

const MINUTE_MS = 60_000;
const NOBODY = `house.example/${"ab".repeat(32)}`;

/** A phone that was told the closing of the second round. */
async function watching() {
  const house = new House();
  const phone = new Phone(house);
  await phone.hear({ type: "head", head: house.note() });
  await phone.round(1);
  await phone.hear(house.open(2));
  await phone.wait();
  await phone.hears(house.close(2));
  const lie = () => phone.hear(house.result(2, { opencode: [6, 6, 6] }));
  return { house, phone, lie };
}

/** The house's head under a name that is nobody's. */
const headOfNobody = (house: House) => house.note().replaceAll(house.signer.key.name, NOBODY);

/** The house names a log of nobody each time it is asked why, and then does not let it be met. */
function hide(phone: Phone): void {
  let asked = 0;
  phone.instead.head = () =>
    ++asked % 2 === 1 ? { ...phone.house.headReply(), head: headOfNobody(phone.house) } : null;
}

/** Rounds go on. */
async function live(phone: Phone, [from, to]: [number, number]): Promise<void> {
  for (let number = from; number <= to; number++) {
    phone.now += MINUTE_MS;
    await phone.round(number);
    await phone.wait();
  }
}

describe("a house that was caught, and then names a log of nobody", () => {
  it("is found all the same once it goes on with its own log", async () => {
    const { phone, lie } = await watching();
    hide(phone);
    await lie();
    delete phone.instead.head;
    await live(phone, [3, 20]);
    expect(await phone.found()).toEqual(["dice"]);
    expect(phone.told).toContainEqual({ to: "found", kind: "dice", member: "" });
  });

  it("is found at a later visit, too", async () => {
    const { house, phone, lie } = await watching();
    hide(phone);
    await lie();
    const later = new Phone(house, phone.shelf);
    later.now = phone.now + 20 * MINUTE_MS;
    await later.hear({ type: "member", member: MEMBER });
    expect(await later.found()).toEqual(["dice"]);
  });

  it("is unchecked as long as it goes on naming that one, and found where its own log goes on beside it", async () => {
    const { phone, lie } = await watching();
    hide(phone);
    await lie();
    phone.now += 10 * MINUTE_MS;
    await phone.hear({ type: "head", head: phone.house.note() });
    const { findings, unchecked } = await phone.report();
    expect([findings, unchecked.log]).toMatchObject([[], { since: Date.UTC(2026, 2, 2) }]);
    expect(phone.told).toContainEqual({ to: "found", kind: "unchecked", member: "" });
    await live(phone, [3, 4]);
    expect(await phone.found()).toEqual(["dice"]);
    expect((await phone.report()).unchecked.log).toBeNull();
  });

  it("is found though the phone's clock was a year ahead as it lied first", async () => {
    const { phone, lie } = await watching();
    hide(phone);
    phone.now += 365 * 24 * 60 * MINUTE_MS;
    await lie();
    phone.now -= 365 * 24 * 60 * MINUTE_MS;
    delete phone.instead.head;
    await live(phone, [3, 20]);
    expect(await phone.found()).toEqual(["dice"]);
  });

  it("is found for a payout that is too low", async () => {
    const { phone, settle, told } = await drawn();
    await phone.hears(told);
    hide(phone);
    await settle("0.01");
    await phone.wait();
    delete phone.instead.head;
    await live(phone, [2, 20]);
    expect(await phone.found()).toEqual(["payout"]);
  });

  it("has its export judged by what stands in it", async () => {
    const { house, phone } = await drawn();
    hide(phone);
    const head = [
      { kind: "head", text: house.note() },
      { kind: "key", text: house.key },
    ];
    const text = JSON.stringify({ log: head, bets: [], entries: [] });
    const held = await phone.watcher.answer("held", { member: MEMBER });
    expect((await phone.watcher.answer("export", { member: MEMBER, held, text })).state).toBe("wrong");
    expect(await phone.found()).toEqual(["export"]);
  });

  it("owes the answer for an export of that log, which is found once its own goes on", async () => {
    const { house, phone } = await drawn();
    const head = [
      { kind: "head", text: headOfNobody(house) },
      { kind: "key", text: house.key },
    ];
    const text = JSON.stringify({ log: head, bets: [], entries: [] });
    const held = await phone.watcher.answer("held", { member: MEMBER });
    let asked = 0;
    phone.instead.head = () => (++asked === 2 ? { ...house.headReply(), head: headOfNobody(house) } : null);
    expect(await phone.watcher.answer("export", { member: MEMBER, held, text })).toEqual({ state: "unknown", bets: 0 });
    delete phone.instead.head;
    await live(phone, [2, 20]);
    expect(await phone.found()).toEqual(["export"]);
  });
});

describe("a house that was just restored", () => {
  it("is accused of nothing that its new log answers, where that can be met only later", async () => {
    const { house, phone, lie } = await watching();
    phone.house = restored(house);
    phone.hasFiles = false;
    await lie();
    expect(await phone.found()).toEqual([]);
    // A server that has not heard of it yet.
    await phone.hear({ type: "head", head: house.note() });
    phone.now += 30 * MINUTE_MS;
    phone.hasFiles = true;
    await phone.hear({ type: "member", member: MEMBER });
    await phone.meets();
    await live(phone, [3, 20]);
    expect(await phone.found()).toEqual(["restored"]);
    expect((await phone.report()).unchecked.log).toBeNull();
  });

  it("is accused of nothing while it cannot be asked", async () => {
    const { house, phone, lie } = await watching();
    phone.house = restored(house);
    phone.hasFiles = false;
    await lie();
    phone.now += 30 * MINUTE_MS;
    phone.instead.head = () => {
      throw new Error("no answer");
    };
    await phone.hear({ type: "again", member: MEMBER });
    await phone.hear({ type: "again", member: MEMBER });
    expect(await phone.found()).toEqual([]);
  });
});
