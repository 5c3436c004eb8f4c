import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { debts, deposits, erasedMembers, paymentReturns, transfers } from "#db/schema/index.ts";
import { auditDeposits } from "#server/admin/audit/deposits.ts";
import { add, addMany, AT_BORDER, BORDERS, emptyRows, moved, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

type Deposit = typeof deposits.$inferInsert;
type Return = typeof paymentReturns.$inferInsert;
type Transfer = typeof transfers.$inferInsert;
type Debt = typeof debts.$inferInsert;

interface Given {
  deposits?: Deposit[];
  returns?: Return[];
  debts?: Debt[];
  transfers?: Transfer[];
  erasedAt?: number;
}

/** What is said of these rows, and of a member 1 who was erased at this time. */
const saidOf = ({ erasedAt, ...some }: Given) =>
  rows.saidOf(auditDeposits, async (tx) => {
    await add(tx, deposits, ...(some.deposits ?? []));
    await add(tx, paymentReturns, ...(some.returns ?? []));
    await add(tx, debts, ...(some.debts ?? []));
    await add(tx, transfers, ...(some.transfers ?? []));
    if (erasedAt !== undefined) await add(tx, erasedMembers, { memberId: 1, mark: "", reason: "", erasedAt });
  });
const problemsOf = async (some: Given) => (await saidOf(some)).problems;
const nothing = { problems: [], notes: [] };

const order = (id: number, more: Partial<Deposit> = {}): Deposit => ({
  id,
  orderNo: `o${id}`,
  memberId: 1,
  channel: "sandbox",
  amount: 100,
  status: "paid",
  locale: "en_us",
  createdAt: 1,
  expiresAt: 1,
  ...more,
});
const CHANNELS = { debit: "house:channels", amount: 100 };
const TO_CHANNELS = { debit: "member:1", credit: "house:channels" };
const credited = (id: number, more: Partial<Transfer> = {}) => moved(id, "deposit", `o${id}`, { ...CHANNELS, ...more });
const back = (id: number, due: number | null, more: Partial<Return> = {}): Return => ({
  id,
  depositId: 1,
  reference: `re_${id}`,
  kind: "refund",
  amount: 100,
  due,
  createdAt: 1,
  ...more,
});
const taken = (id: number, amount: number, more: Partial<Transfer> = {}) =>
  moved(10 + id, "chargeback", `o1:re_${id}`, { ...TO_CHANNELS, amount, ...more });
const given = (id: number, amount: number, more: Partial<Transfer> = {}) =>
  moved(20 + id, "chargeback-return", `o1:re_${id}`, { debit: "house:channels", amount, ...more });
const owed = (id: number, amount: number, more: Partial<Debt> = {}): Debt => ({
  id,
  memberId: 1,
  returnId: id,
  amount,
  createdAt: 1,
  ...more,
});
const repaid = (debt: number, place: number, amount: number, more: Partial<Transfer> = {}) =>
  moved(100 * debt + place, "debt", `debt:${debt}:${place}`, { ...TO_CHANNELS, amount, ...more });
/** One credited order of 100, and what else there is. */
const ofOne = (more: Given): Given => ({
  deposits: [order(1)],
  ...more,
  transfers: [credited(1), ...(more.transfers ?? [])],
});

const UNLIKE = "top-up o1: its transfer is not the one of its order";
const MORE = "top-up o1: more was taken back than was credited";
const unlike = (id: number) =>
  `payment return o1:re_${id}: its transfers and its debt are not those of what was taken back`;

describe("the audit compares a top-up with its transfer:", () => {
  it.each(["waiting", "failed", "review", "refunding"] as const)("%s, it was not credited", async (status) => {
    const of = { deposits: [order(1, { status })] };
    expect(await saidOf(of)).toEqual(nothing);
    expect(await problemsOf({ ...of, transfers: [credited(1)] })).toEqual([
      `top-up o1: is ${status}, but was credited`,
    ]);
  });

  it.each(["paid", "credited"] as const)("%s, it was", async (status) => {
    const of = { deposits: [order(1, { status })] };
    expect(await saidOf({ ...of, transfers: [credited(1)] })).toEqual(nothing);
    expect(await problemsOf(of)).toEqual([`top-up o1: is ${status}, but was not credited`]);
  });

  it.each(["disputed", "refunded"] as const)("%s, either may be", async (status) => {
    const of = { deposits: [order(1, { status })] };
    expect(await saidOf(of)).toEqual(nothing);
    expect(await saidOf({ ...of, transfers: [credited(1)] })).toEqual(nothing);
  });

  it("another transfer of the same cause is no credit", async () => {
    const gift = moved(2, "credit", "o1");
    expect(await saidOf({ deposits: [order(1, { status: "waiting" })], transfers: [gift] })).toEqual(nothing);
  });

  it.each<[string, Deposit, Transfer, string[]]>([
    ["a channel may bring less", order(1), credited(1, { amount: 99 }), []],
    ["a channel brings no more", order(1), credited(1, { amount: 101 }), [UNLIKE]],
    ["an operator brings all", order(1, { channel: "operator" }), credited(1, { debit: "house:operator" }), []],
    [
      "an operator brings no less",
      order(1, { channel: "operator" }),
      credited(1, { debit: "house:operator", amount: 99 }),
      [UNLIKE],
    ],
    ["an operator's comes from no channel", order(1, { channel: "operator" }), credited(1), [UNLIKE]],
    ["a channel's does not come from an operator", order(1), credited(1, { debit: "house:operator" }), [UNLIKE]],
    ["it goes to its member", order(1), credited(1, { credit: "member:2" }), [UNLIKE]],
  ])("%s", async (_, deposit, credit, problems) => {
    expect(await saidOf({ deposits: [deposit], transfers: [credit] })).toEqual({ problems, notes: [] });
  });

  it("each of two has its own", async () => {
    const transfers = [credited(1), credited(2, { amount: 200 })];
    const both = { deposits: [order(1), order(2, { amount: 200 })], transfers };
    expect(await saidOf(both)).toEqual(nothing);
  });
});

describe("the audit finds a payment return as it should be", () => {
  it.each<[string, Given]>([
    ["that took all", { returns: [back(1, 100)], transfers: [taken(1, 100)] }],
    ["that took nothing, for nothing was due", { returns: [back(1, null)] }],
    ["two of them", { returns: [back(1, 40), back(2, 60)], transfers: [taken(1, 40), taken(2, 60)] }],
    ["that left a debt", { returns: [back(1, 100)], transfers: [taken(1, 70)], debts: [owed(1, 30)] }],
    ["that left nothing but a debt", { returns: [back(1, 30)], debts: [owed(1, 30)] }],
    [
      "whose debt is paid in part",
      { returns: [back(1, 30)], debts: [owed(1, 30, { paid: 9 })], transfers: [repaid(1, 1, 4), repaid(1, 2, 5)] },
    ],
    [
      "whose debt is paid",
      {
        returns: [back(1, 30)],
        debts: [owed(1, 30, { paid: 30, settledAt: 5 })],
        transfers: [repaid(1, 1, 10), repaid(1, 2, 20), moved(9, "credit", "debt:1:3")],
      },
    ],
    [
      "whose debts are two",
      {
        returns: [back(1, 30), back(2, 30)],
        debts: [owed(1, 30, { paid: 30, settledAt: 5 }), owed(2, 30, { paid: 8 })],
        transfers: [repaid(1, 1, 30), repaid(2, 1, 8)],
      },
    ],
    [
      "that failed, and gave back what it took and what was paid",
      {
        returns: [back(1, 100, { endedAt: 9 })],
        debts: [owed(1, 30, { paid: 8, settledAt: 9 })],
        transfers: [taken(1, 70), repaid(1, 1, 8), given(1, 78)],
      },
    ],
    ["that failed, and had taken nothing", { returns: [back(1, null, { endedAt: 9 })] }],
  ])("%s", async (_, more) => {
    expect(await saidOf(ofOne(more))).toEqual(nothing);
  });
});

describe("the audit names a payment return", () => {
  const debt = { returns: [back(1, 30)], debts: [owed(1, 30)] };
  it.each<[string, Given]>([
    ["that took nothing", { returns: [back(1, 50)] }],
    ["that took too little", { returns: [back(1, 50)], transfers: [taken(1, 49)] }],
    ["that took from another", { returns: [back(1, 50)], transfers: [taken(1, 50, { debit: "member:2" })] }],
    ["that took though nothing was due", { returns: [back(1, null)], transfers: [taken(1, 1)] }],
    ["that left a false debt", { returns: [back(1, 50)], transfers: [taken(1, 20)], debts: [owed(1, 31)] }],
    ["whose debt says more is paid", { ...debt, debts: [owed(1, 30, { paid: 1 })] }],
    ["whose debt says less is paid", { ...debt, transfers: [repaid(1, 1, 5)] }],
    [
      "whose debt another paid",
      { ...debt, debts: [owed(1, 30, { paid: 5 })], transfers: [repaid(1, 1, 5, { debit: "member:2" })] },
    ],
    ["whose debt is over too early", { ...debt, debts: [owed(1, 30, { settledAt: 5 })] }],
    ["whose debt goes on", { ...debt, debts: [owed(1, 30, { paid: 30 })], transfers: [repaid(1, 1, 30)] }],
    ["whose debt goes on after it failed", { ...debt, returns: [back(1, 30, { endedAt: 9 })] }],
    ["that failed, and gave nothing back", { returns: [back(1, 50, { endedAt: 9 })], transfers: [taken(1, 50)] }],
    [
      "that failed, and gave less back",
      { returns: [back(1, 50, { endedAt: 9 })], transfers: [taken(1, 50), given(1, 49)] },
    ],
    [
      "that failed, and gave back to another",
      { returns: [back(1, 50, { endedAt: 9 })], transfers: [taken(1, 50), given(1, 50, { credit: "member:2" })] },
    ],
    ["that goes on, and gave back", { returns: [back(1, 50)], transfers: [taken(1, 50), given(1, 50)] }],
  ])("%s", async (_, more) => {
    expect(await saidOf(ofOne(more))).toEqual({ problems: [unlike(1)], notes: [] });
  });
});

describe("the audit adds up what was taken back:", () => {
  it("all of it and no more", async () => {
    expect(await problemsOf(ofOne({ returns: [back(1, 101)], transfers: [taken(1, 101)] }))).toEqual([MORE]);
    const two = { returns: [back(1, 100), back(2, 1)], transfers: [taken(1, 100), taken(2, 1)] };
    expect(await problemsOf(ofOne(two))).toEqual([MORE]);
    expect(await problemsOf(ofOne({ returns: [back(1, 101), back(2, null)], transfers: [taken(1, 101)] }))).toEqual([
      MORE,
    ]);
  });

  it("nothing of an order that was not credited", async () => {
    const of = { deposits: [order(1, { status: "refunded" })] };
    expect(await saidOf({ ...of, returns: [back(1, null)] })).toEqual(nothing);
    expect(await problemsOf({ ...of, returns: [back(1, 1)], transfers: [taken(1, 1)] })).toEqual([MORE]);
  });

  it("not what came back", async () => {
    const failed = { returns: [back(1, 100, { endedAt: 9 }), back(2, 100)] };
    expect(await saidOf(ofOne({ ...failed, transfers: [taken(1, 100), given(1, 100), taken(2, 100)] }))).toEqual(
      nothing,
    );
  });
});

describe("the audit of top-ups of an erased member", () => {
  const note = (money: number) => ({
    problems: [],
    notes: [`member 1 was erased, and top-up o1 came back since: give ${money} back`],
  });
  const failed = (endedAt: number) => ({ returns: [back(1, 50, { endedAt })], transfers: [taken(1, 50)] });

  it("tells what came back since, and has to be given back by other means", async () => {
    expect(await saidOf({ ...ofOne(failed(9)), erasedAt: 9 })).toEqual(note(50));
    expect(await saidOf({ ...ofOne(failed(10)), erasedAt: 9 })).toEqual(note(50));
    const beside = { returns: [back(1, 50, { endedAt: 9 }), back(2, 30)], transfers: [taken(1, 50), taken(2, 30)] };
    expect(await saidOf({ ...ofOne(beside), erasedAt: 9 })).toEqual(note(50));
  });

  it("wants in the wallet what came back before", async () => {
    expect(await problemsOf({ ...ofOne(failed(8)), erasedAt: 9 })).toEqual([unlike(1)]);
    const before = { returns: [back(1, 50, { endedAt: 8 })], transfers: [taken(1, 50), given(1, 50)] };
    expect(await saidOf({ ...ofOne(before), erasedAt: 9 })).toEqual(nothing);
    const both = { returns: [...before.returns, back(2, 30, { endedAt: 9 })] };
    const all = ofOne({ ...both, transfers: [...before.transfers, taken(2, 30)] });
    expect(await saidOf({ ...all, erasedAt: 9 })).toEqual(note(30));
  });

  it("tells nothing of what was kept", async () => {
    expect(await saidOf({ ...ofOne({ returns: [back(1, 50)], transfers: [taken(1, 50)] }), erasedAt: 9 })).toEqual(
      nothing,
    );
    expect(await saidOf({ ...ofOne({}), erasedAt: 9 })).toEqual(nothing);
  });

  it("tells it of nobody else", async () => {
    expect(await saidOf(ofOne({ returns: [back(1, 50)], transfers: [taken(1, 60)] }))).toEqual({
      problems: [unlike(1)],
      notes: [],
    });
    const others = { deposits: [order(1, { memberId: 2 })], returns: [back(1, 50, { endedAt: 9 })] };
    const moves = [credited(1, { credit: "member:2" }), taken(1, 50, { debit: "member:2" })];
    expect(await saidOf({ ...others, transfers: moves, erasedAt: 9 })).toEqual({ problems: [unlike(1)], notes: [] });
  });
});

describe("the audit of rests", () => {
  const rest = (id: number, of: number, due: number | null, more: Partial<Return> = {}) =>
    back(id, due, { reference: `rest:${of}:${id}`, ...more });
  const took = (id: number, of: number, amount: number) =>
    moved(10 + id, "chargeback", `o1:rest:${of}:${id}`, { ...TO_CHANNELS, amount });
  const wrong = (of: number) => `top-up o1: the rests of return ${of} are not what it left`;

  it.each<[string, Given, string[]]>([
    [
      "takes those that make a return whole",
      {
        returns: [back(1, 40), rest(2, 1, 35), rest(3, 1, 25)],
        transfers: [taken(1, 40), took(2, 1, 35), took(3, 1, 25)],
      },
      [],
    ],
    [
      "takes one of a return that took nothing",
      { returns: [back(1, null), rest(2, 1, 100)], transfers: [took(2, 1, 100)] },
      [],
    ],
    ["takes one that is due nothing", { returns: [back(1, 100), rest(2, 1, null)], transfers: [taken(1, 100)] }, []],
    [
      "names those that are more than their return",
      {
        returns: [back(1, 40, { amount: 60 }), rest(2, 1, 21)],
        transfers: [taken(1, 40), took(2, 1, 21)],
      },
      [wrong(1)],
    ],
    [
      "names those that are more than a return that took nothing",
      { returns: [back(1, null, { amount: 60 }), rest(2, 1, 61)], transfers: [took(2, 1, 61)] },
      [wrong(1)],
    ],
    [
      "names those that are more, beside one that is due nothing",
      { returns: [back(1, 61, { amount: 60 }), rest(2, 1, null)], transfers: [taken(1, 61)] },
      [wrong(1)],
    ],
    ["names one of no return", { returns: [rest(2, 9, 50)], transfers: [took(2, 9, 50)] }, [wrong(9)]],
    [
      "names one that goes on after its return",
      {
        returns: [back(1, null, { endedAt: 9 }), rest(2, 1, null, { endedAt: 9 }), rest(3, 1, 50)],
        transfers: [took(3, 1, 50)],
      },
      [wrong(1)],
    ],
    [
      "names one that ended at another time",
      { returns: [back(1, null, { endedAt: 9 }), rest(2, 1, null, { endedAt: 8 })] },
      [wrong(1)],
    ],
  ])("%s", async (_, more, problems) => {
    expect(await saidOf(ofOne(more))).toEqual({ problems, notes: [] });
  });
});

it("the audit asks each of many top-ups once, in their order", async () => {
  const problems = await rows.problemsOf(auditDeposits, () =>
    addMany(rows, "deposits", {
      id: "i",
      order_no: "'o' || i",
      member_id: "1",
      channel: "'sandbox'",
      amount: "1",
      locale: "'en_us'",
      created_at: "1",
      expires_at: "1",
      status: `case when ${AT_BORDER} then 'paid' else 'waiting' end`,
    }),
  );
  expect(problems).toEqual(BORDERS.map((id) => `top-up o${id}: is paid, but was not credited`));
});
