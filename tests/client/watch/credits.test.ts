import { describe, expect, it } from "vitest";
import { expectedWin } from "#client/watch/check-bet.ts";
import { parseReceipt } from "#shared/log/receipt.ts";
import { fromDecimal, toDecimal } from "#shared/money.ts";
import { hexToBytes } from "@noble/hashes/utils.js";
import { checked, saidOf } from "../../log/evidence-of-app.ts";
import { House, MEMBER, roundAt } from "./house.ts";
import { Phone } from "./phone.ts";

type List = ReturnType<House["moneyLog"]>["list"];

/** A bet that won, and was told so. */
async function won(bets = 1) {
  const house = new House();
  const phone = new Phone(house);
  await phone.hear({ type: "head", head: house.note() }, house.open(1));
  await phone.wait();
  const orders = Array.from({ length: bets }, (_, i) => `bet_${i + 1}`);
  const receipts = orders.map((order) => house.bet(order, 1));
  for (const one of receipts) await phone.watcher.answer("take", one);
  await phone.hears(house.close(1));
  const receipt = parseReceipt(receipts[0]!.receipt)!;
  const cents = expectedWin(receipt, house.fairRound(roundAt(1)), hexToBytes(house.seed(1)))!;
  const win = toDecimal(cents);
  for (const order of orders) house.paid.set(order, win);
  await phone.hear(house.result(1));
  const settled = { type: "settled", orders: orders.map((order) => ({ member: MEMBER, order, win })) } as const;
  const settle = async () => {
    await phone.hear({ ...settled, orders: [...settled.orders] });
    for (let i = 0; i < 2 * bets + 2; i++) await phone.wait().catch(() => undefined);
  };
  const states = async () => (await phone.kept.receipts(MEMBER)).map(({ payout }) => payout?.credit);
  return { house, phone, cents, settle, states };
}

describe("a win", () => {
  it("that is in the balance is found there", async () => {
    const { house, phone, cents, settle, states } = await won();
    house.credits = () => toDecimal(cents);
    await settle();
    expect([await states(), await phone.found()]).toEqual([["there"], []]);
  });

  it.each<[string, (house: House, cents: number) => void]>([
    ["that is missing", (house) => void (house.credits = () => null)],
    ["that is too small", (house, cents) => void (house.credits = () => toDecimal(cents - 1))],
    [
      "of another round",
      (house, cents) => {
        house.credits = () => toDecimal(cents);
        const list = () => house.moneyLog().list.map((one) => ({ ...one, expect: roundAt(2) }));
        return void (house.answer = answering(house, list));
      },
    ],
  ])("%s is said, with what the receipt wins", async (_, spoil) => {
    const { house, phone, cents, settle, states } = await won();
    spoil(house, cents);
    await settle();
    expect([await states(), await phone.found()]).toEqual([["lacks"], ["credit"]]);
    const content = await phone.evidence();
    expect(checked(content).isBroken).toBe(false);
    expect(saidOf(content, "reckoned").join()).toContain(`bet_1 wins ${toDecimal(cents)}`);
    expect(saidOf(content, "claimed").join()).toContain(`no payment of ${toDecimal(cents)} or more`);
  });

  it("is looked for twice: a change may come a moment later", async () => {
    const { house, phone, settle, states } = await won();
    let asked = 0;
    const { credits } = house;
    house.credits = (round) => (asked++ === 0 ? null : credits(round));
    await settle();
    expect([asked, await states(), await phone.found()]).toEqual([2, ["there"], []]);
  });

  it.each([
    [2, "there", 0],
    [1, "lacks", 1],
  ] as const)(
    "of two bets on one round is paid at once, and each is due: %i of 2 is %s",
    async (part, state, least) => {
      const { house, phone, cents, settle, states } = await won(2);
      house.credits = () => toDecimal(cents * part);
      await settle();
      expect(await states()).toContain(state);
      const found = await phone.found();
      expect([found.every((kind) => kind === "credit"), found.length >= least]).toEqual([true, true]);
      expect(found.length > 0).toBe(least > 0);
    },
  );

  it.each<[string, (list: List) => List]>([
    [
      "does not lead to the balance after it",
      (list) => list.map((one, i) => ({ ...one, balance: i === 0 ? "1.00" : one.balance })),
    ],
    ["leaves a change out", (list) => list.map((one, i) => ({ ...one, version: one.version + (i === 0 ? 1 : 0) }))],
  ])("whose list %s is not believed", async (_, spoil) => {
    const { house, phone, settle } = await won();
    house.bet("bet_9", 2);
    const list = () => spoil(house.moneyLog().list);
    house.answer = answering(house, list);
    await settle();
    expect(await phone.found()).toEqual(["credit"]);
  });

  it("that a signed balance does not hold is not believed", async () => {
    const { house, phone, settle } = await won();
    await phone.hear(house.balance(1, 100));
    await settle();
    expect(await phone.found()).toEqual(["credit"]);
  });

  it("that a signed balance holds is believed", async () => {
    const { house, phone, settle } = await won();
    await phone.hear(house.balance(1, 99_900));
    await settle();
    expect(await phone.found()).toEqual([]);
  });

  it.each<[string, number, string[]]>([
    ["as it was shown", 99_900, []],
    ["otherwise than it was shown", 100, ["balance"]],
  ])("whose change is signed later %s", async (_, signed, found) => {
    const { house, phone, settle, states } = await won();
    await settle();
    expect([await states(), await phone.found()]).toEqual([["there"], []]);
    await phone.hear(house.balance(1, signed));
    await phone.hear(house.balance(1, signed));
    expect(await phone.found()).toEqual(found);
    expect(checked(await phone.evidence()).isBroken).toBe(false);
    await phone.watcher.answer("forget", { member: MEMBER });
    expect(await phone.shelf.list(["credited"])).toEqual([]);
  });

  it("is searched from the bet on, page by page, and among many it is found", async () => {
    const { house, phone, settle, states } = await won();
    const [paid] = house.moneyLog().list;
    const other = { ...paid!, key: null, expect: null, money: "0.00" };
    const pages: number[] = [];
    house.answer = answering(
      house,
      (page) => {
        pages.push(page);
        const own = page === 3 ? [{ ...paid!, version: 801 }] : [];
        return [
          ...Array.from({ length: 50 - own.length }, (_, i) => ({ ...other, version: 1_000 - page * 50 - i })),
          ...own,
        ];
      },
      () => 150,
    );
    await settle();
    expect([pages, await states()]).toEqual([[1, 3], ["there"]]);
    expect(await phone.found()).toEqual([]);
  });

  it("that moves to an older page while pages are read is found there", async () => {
    const { house, phone, settle, states } = await won();
    const [paid] = house.moneyLog().list;
    // It is the newest of the 50 changes on the second of three pages. With each answer more come, and it moves down.
    const [place, perAnswer] = [75, 30];
    let count = 125;
    house.answer = answering(
      house,
      (page) => {
        const newest = count - (page - 1) * 50;
        const versions = Array.from({ length: 50 }, (_, i) => newest - i).filter((version) => version > 0);
        count += perAnswer;
        return versions.map((version) => ({
          ...paid!,
          version,
          ...(version !== place && { key: null, expect: null, money: "0.00" }),
          ...(version < place && { balance: "0.00" }),
        }));
      },
      () => count - perAnswer,
    );
    await settle();
    expect([await states(), await phone.found()]).toEqual([["there"], []]);
  });

  it("accuses nobody where more comes after the bet than is looked through", async () => {
    const { house, phone, settle, states } = await won();
    const other = { ...house.moneyLog().list[0]!, key: null, expect: null, money: "0.00" };
    house.answer = withoutDates(house, (at) => ({
      ...other,
      version: 2_000 - at,
      id: at === 1_990 ? "bet_1" : `bet_${5_000 - at}`,
    }));
    await settle();
    expect([await states(), await phone.found()]).toEqual([["missed"], []]);
  });

  it("that a clock which was set back dated before its bet is found after the bet, among many", async () => {
    const { house, phone, settle, states } = await won();
    const [paid] = house.moneyLog().list;
    const other = { ...paid!, key: null, expect: null, money: "0.00" };
    const unpaid = toDecimal(fromDecimal(paid!.balance) - fromDecimal(paid!.money));
    const entry = (page: number, i: number) => {
      const isEarlier = page > 29 || (page === 29 && i > 10);
      const place = { version: 2_050 - page * 50 - i, balance: isEarlier ? unpaid : paid!.balance };
      if (page === 29 && i === 10) return { ...paid!, ...place };
      // Newer bets stand before it, and older changes after it.
      const id = i > 0 || page > 31 ? `trf_${page}_${i}` : page === 31 ? "bet_1" : `bet_${100 - page}`;
      return { ...other, ...place, id };
    };
    house.answer = withoutDates(house, (at) => entry(Math.floor(at / 50) + 1, at % 50));
    await settle();
    expect([await states(), await phone.found()]).toEqual([["there"], []]);
  });

  it("accuses nobody where too many pages in a row have no bet to go by", async () => {
    const { house, phone, settle, states } = await won();
    const other = { ...house.moneyLog().list[0]!, key: null, expect: null, money: "0.00" };
    house.answer = withoutDates(house, (at) => ({ ...other, version: 2_000 - at, id: `trf_${at}` }));
    await settle();
    expect([await states(), await phone.found()]).toEqual([["missed"], []]);
  });

  it("accuses nobody while the house says that there is no list", async () => {
    const { house, phone, settle, states } = await won();
    const truth = house.answer.bind(house);
    house.answer = (question, input) => (question === "money" ? null : truth(question, input));
    await settle();
    expect([await states(), await phone.found()]).toEqual([["waits"], []]);
  });

  it("accuses nobody while the list is not answered, or too long to look through", async () => {
    for (const count of [-1, 10_000]) {
      const { house, phone, settle, states } = await won();
      house.answer = answering(
        house,
        () => [],
        () => count,
      );
      await settle();
      expect([await states(), await phone.found()]).toEqual([["waits"], []]);
    }
  });
});

/** The house answers 2 000 changes, by how many are newer, of which none is dated after the bet. */
function withoutDates(house: House, entry: (newer: number) => List[number]): House["answer"] {
  const truth = house.answer.bind(house);
  return (question, input) => {
    if (question !== "money") return truth(question, input);
    if (input["from"] !== undefined) return { list: [], count: 0 };
    const newer = (Number(input["page"]) - 1) * 50;
    return { list: Array.from({ length: 50 }, (_, i) => entry(newer + i)), count: 2_000 };
  };
}

/** The house answers its list of changes otherwise. */
function answering(
  house: House,
  list: (page: number) => List,
  count: (list: List) => number = (all) => all.length,
): House["answer"] {
  const truth = house.answer.bind(house);
  return (question, input) => {
    if (question !== "money") return truth(question, input);
    const all = list(Number(input["page"]));
    return { list: all, count: count(all) };
  };
}
