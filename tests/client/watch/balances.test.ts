import { describe, expect, it } from "vitest";
import { balancesOf, keepCredited } from "#client/watch/balances.ts";
import type { KeptReceipt } from "#client/watch/kept.ts";
import type { Event } from "#client/watch/messages.ts";
import { House, MEMBER } from "./house.ts";
import { restored } from "./restored.ts";
import { Phone } from "./phone.ts";

async function watching(): Promise<{ house: House; phone: Phone }> {
  const house = new House();
  const phone = new Phone(house);
  await phone.hear({ type: "head", head: house.note() });
  return { house, phone };
}

describe("an export of the member's data", () => {
  /** A phone with the receipt of a bet, and the file that the house writes. */
  async function exporting() {
    const { house, phone } = await watching();
    const { placed, receipt } = house.bet("bet_1", 1);
    expect(await phone.watcher.answer("take", { placed, receipt })).toBe("right");
    const row = { id: "bet_1", game: placed.game, round: placed.round, options: placed.options, stake: "2.00" };
    const held = await phone.watcher.answer("held", { member: MEMBER });
    const fileOf = (bets: object[], from = house) => ({
      log: [
        { kind: "head", text: from.note() },
        { kind: "key", text: from.key },
      ],
      bets,
      entries: bets.map(() => ({ id: "bet_1", amount: "-4.00", balance: "-4.00", version: "1" })),
    });
    const check = (file: object, text = JSON.stringify(file)) =>
      phone.watcher.answer("export", { member: MEMBER, held, text });
    return { house, phone, row, fileOf, check };
  }

  it("has each bet that the phone holds a receipt for", async () => {
    const { phone, row, fileOf, check } = await exporting();
    expect(await check(fileOf([row]))).toEqual({ state: "right", bets: 1 });
    expect(await phone.found()).toEqual([]);
  });

  it("has each balance that the house had signed before", async () => {
    const { house, phone, row, fileOf, check } = await exporting();
    await phone.hear(house.balance(1, 400));
    const held = await phone.watcher.answer("held", { member: MEMBER });
    await phone.hear(house.balance(2, 100));
    expect((await check(fileOf([row]))).state).toBe("right");
    const text = JSON.stringify(fileOf([row]));
    expect((await phone.watcher.answer("export", { member: MEMBER, held, text })).state).toBe("wrong");
    const [finding] = await phone.kept.findings(MEMBER);
    expect((finding!.evidence as { faults: string[] }).faults).toEqual(["entries 1"]);
  });

  it.each<[string, (one: Awaited<ReturnType<typeof exporting>>) => object, string[]]>([
    ["leaves it out", ({ fileOf }) => fileOf([]), ["bet_1"]],
    ["lists another stake", ({ row, fileOf }) => fileOf([{ ...row, stake: "1.00" }]), ["bet_1"]],
    ["lists another option", ({ row, fileOf }) => fileOf([{ ...row, options: ["A", "8"] }]), ["bet_1"]],
    ["has a gap", ({ row, fileOf }) => ({ ...fileOf([row]), entries: [] }), ["bet_1"]],
    ["has no head", ({ row, fileOf }) => ({ ...fileOf([row]), log: [] }), ["head"]],
  ])("that %s is evidence", async (_, make, faults) => {
    const one = await exporting();
    expect((await one.check(make(one))).state).toBe("wrong");
    const [finding] = await one.phone.kept.findings(MEMBER);
    expect([finding!.kind, (finding!.evidence as { faults: string[] }).faults]).toEqual(["export", faults]);
  });

  it("that has the head of another log is not judged, and that head is evidence", async () => {
    const { house, phone, row, fileOf, check } = await exporting();
    const [head, key] = fileOf([row]).log;
    const text = house.noteBy(new House("other").signer);
    expect((await check({ ...fileOf([row]), log: [{ ...head, text }, key] })).state).toBe("unknown");
    expect(await phone.found()).toEqual(["key"]);
  });

  it("is not judged where it broke off, or after a loss that the house said", async () => {
    const { house, phone, row, fileOf, check } = await exporting();
    expect((await check({}, JSON.stringify(fileOf([row])).slice(0, -2))).state).toBe("unknown");
    const next = restored(house, { kept: 1 });
    phone.house = next;
    expect(await check(fileOf([], next))).toEqual({ state: "unknown", bets: 0 });
    expect(await phone.found()).toEqual(["restored"]);
  });
});

describe("the balances of a member", () => {
  /** Two phones of one member, who know their first leaf. */
  async function two() {
    const { house, phone } = await watching();
    house.own<"credit">({ kind: "credit", code: "credit", cause: "c-1", amount: 500, unit: "point" });
    const other = new Phone(house);
    for (const one of [phone, other]) await one.hear({ type: "chain", member: MEMBER, note: house.chainNote() });
    const compare = async (with_: Phone) =>
      other.watcher.answer("compare", { address: (await with_.report()).address!, member: MEMBER });
    return { house, phone, other, compare };
  }

  it("that the house signs once are kept, and the same on another phone", async () => {
    const { house, phone, other, compare } = await two();
    await phone.hear(house.balance(1, 500), house.balance(2, 300), house.balance(2, 300));
    await other.hear(house.balance(1, 500), house.balance(2, 300));
    expect(await compare(phone)).toBe("same");
    await phone.hear(house.balance(3, -100));
    expect(await compare(phone)).toBe("same");
    expect([...(await phone.found()), ...(await other.found())]).toEqual([]);
  });

  it("that the house signs in two ways are evidence, on one phone and on two", async () => {
    const { house, phone, other, compare } = await two();
    await phone.hear(house.balance(2, 300));
    await other.hear(house.balance(2, 400));
    expect(await compare(phone)).toBe("otherBalance");
    expect(await other.found()).toEqual(["balance"]);
    await phone.hear(house.balance(2, 400));
    expect(await phone.found()).toEqual(["balance"]);
  });

  it("tell nothing to another member's phone, nor to one that does not know their first leaf, nor cut", async () => {
    const { house, phone, other } = await two();
    await phone.hear(house.balance(2, 300));
    await other.hear(house.balance(2, 400));
    const { address } = await phone.report();
    expect(await other.watcher.answer("compare", { address: address!, member: "mem_8" })).toBe("same");
    const stranger = new Phone(house);
    await stranger.hear(house.balance(2, 400));
    expect(await stranger.watcher.answer("compare", { address: address!, member: MEMBER })).toBe("same");
    expect((await stranger.report()).address).not.toContain("&mine=");
    const cut = address!.slice(0, -1);
    expect(await other.watcher.answer("compare", { address: cut, member: MEMBER })).toBe("same");
    expect(await other.found()).toEqual([]);
  });

  it.each<[string, (house: House) => Extract<Event, { type: "balance" }>]>([
    ["shown otherwise than it is signed", (house) => house.balance(2, 300, 400)],
    ["of another member", (house) => ({ ...house.balance(2, 300), member: "mem_8" })],
    ["that no key of the log signed", (house) => ({ ...house.balance(2, 300), note: house.chainNote() })],
  ])("%s is evidence", async (_, make) => {
    const { house, phone } = await watching();
    const event = make(house);
    await phone.hear(event);
    expect((await phone.kept.findings(event.member)).map(({ kind }) => kind)).toEqual(["balance"]);
  });

  it("are not compared with a later one that was pushed", async () => {
    const { house, phone } = await watching();
    await phone.hear({ ...house.balance(2, 300), version: 3, money: "9.00" });
    expect(await phone.found()).toEqual([]);
  });

  it("are kept for the last thousand changes", async () => {
    const { house, phone } = await watching();
    const all = Array.from({ length: 1_002 }, (_, i) => house.balance(i, i));
    for (const one of all) await phone.hear(one);
    const kept = await balancesOf(phone.kept, MEMBER, house.signer.key.name);
    expect([kept.length, kept[0]!.version, kept.at(-1)!.version]).toEqual([1_000, 2, 1_001]);
  });
});

it("each win that was shown stays to be compared, though others came after it", async () => {
  const { house, phone } = await watching();
  const origin = house.signer.key.name;
  for (const version of [1, 2, 3])
    await keepCredited(phone.kept, { member: MEMBER, origin, order: `bet_${version}` } as KeptReceipt, {
      version,
      balance: `${version}.00`,
    });
  await phone.hear(house.balance(2, 200));
  expect(await phone.found()).toEqual([]);
  await phone.hear(house.balance(1, 99));
  expect(await phone.found()).toEqual(["balance"]);
});
