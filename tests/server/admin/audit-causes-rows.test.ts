import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { debts, deposits, members, paymentReturns, transfers, withdrawals } from "#db/schema/index.ts";
import { auditCauses } from "#server/admin/audit/causes.ts";
import { add, addMany, AT_BORDER, BORDERS, emptyRows, MANY, moved, person, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

type Transfer = typeof transfers.$inferInsert;

const CHANNELS = { debit: "house:channels" };
const FROM = { debit: "member:1", credit: "house:operator" };
const TO_CHANNELS = { debit: "member:1", credit: "house:channels" };
const HELD = { debit: "member:1", credit: "held:withdrawals" };
const BACK = { debit: "held:withdrawals" };
const OUT = { debit: "held:withdrawals", credit: "house:channels", memberId: null };

/** Members 1 and 2 are of the demo, 3 is not. There are two orders, the first with two returns, a debt and a withdrawal. */
const problemsOf = (...some: Transfer[]) =>
  rows.problemsOf(auditCauses, async (tx) => {
    const order = { memberId: 1, channel: "sandbox", amount: 10, status: "paid", locale: "en_us" } as const;
    const times = { createdAt: 1, expiresAt: 1 };
    await add(tx, members, person(1, { demo: true }), person(2, { demo: true }), person(3));
    await add(
      tx,
      deposits,
      { id: 1, orderNo: "one", ...order, ...times },
      { id: 2, orderNo: "two", ...order, ...times },
    );
    const back = { depositId: 1, kind: "refund", amount: 10, createdAt: 1 } as const;
    await add(tx, paymentReturns, { id: 1, reference: "re_1", ...back }, { id: 2, reference: "re_2", ...back });
    await add(tx, debts, { id: 5, memberId: 1, returnId: 1, amount: 10, createdAt: 1 });
    const asked = { memberId: 1, amount: 10, status: "review", day: 1, createdAt: 1, updatedAt: 1 } as const;
    await add(tx, withdrawals, { id: 7, ...asked });
    await add(tx, transfers, ...some);
  });

const noCause = (id: number, code: string, cause: string) =>
  `transfer ${id} (${code}) of 10 has no cause: there is no ${cause}`;
const noOperator = (id: number, cause: string) =>
  `transfer ${id} (reversal) takes back 10 from member 1: no operator gave that (${cause})`;
const noDemo = (id: number, member: number | null) =>
  `transfer ${id} (demo) gives 10 to member ${member}, who is none of the demo`;

describe("the audit takes for explained", () => {
  it.each<[string, ...Transfer[]]>([
    ["a top-up of a channel", moved(1, "deposit", "one", CHANNELS)],
    ["a top-up of an operator", moved(1, "deposit", "two")],
    ["a plan", moved(1, "plan", "x", { debit: "member:1", credit: "house:plans" })],
    ["a reversed credit", moved(1, "credit", "op_1"), moved(2, "reversal", "trf_1", FROM)],
    ["a reversed top-up of an operator", moved(1, "deposit", "one"), moved(2, "reversal", "trf_1", FROM)],
    [
      "two reversals",
      moved(3, "credit", "a"),
      moved(4, "credit", "b"),
      moved(5, "reversal", "trf_4", FROM),
      moved(6, "reversal", "trf_3", FROM),
    ],
    [
      "balances of the demo",
      moved(1, "demo", "demo:member_1"),
      moved(2, "demo", "demo:member_2", { memberId: 2, credit: "member:2" }),
    ],
    ["a welcome", moved(1, "welcome", "welcome:1")],
    [
      "a withdrawal",
      moved(1, "withdraw", "wdr_7", HELD),
      moved(2, "withdraw-return", "wdr_7", BACK),
      moved(3, "withdraw-paid", "wdr_7", OUT),
    ],
    ["a spin", moved(1, "spin", "x", { debit: "member:1", credit: "house:wheel" })],
    ["a prize", moved(1, "prize", "x", { debit: "house:wheel" })],
    [
      "what a channel took back, gave back, and what is still owed",
      moved(1, "chargeback", "one:re_1", TO_CHANNELS),
      moved(2, "chargeback", "one:re_2", TO_CHANNELS),
      moved(3, "chargeback-return", "one:re_2", CHANNELS),
      moved(4, "debt", "debt:5:1", TO_CHANNELS),
    ],
  ])("%s", async (_, ...some) => {
    expect(await problemsOf(...some)).toEqual([]);
  });
});

describe("the audit asks for an explanation of", () => {
  it.each<[string, Transfer[], ...string[]]>([
    [
      "a code that nothing has",
      [moved(1, "gift", "x")],
      "transfer 1 (gift) moves money from house:operator to member:1",
    ],
    [
      "a code that only looks like one",
      [moved(1, "toString", "x")],
      "transfer 1 (toString) moves money from house:operator to member:1",
    ],
    [
      "the other direction",
      [moved(1, "credit", "x", FROM)],
      "transfer 1 (credit) moves money from member:1 to house:operator",
    ],
    [
      "money of another member",
      [moved(1, "credit", "x", { credit: "member:2" })],
      "transfer 1 (credit) moves money from house:operator to member:2",
    ],
  ])("%s", async (_, some, problem) => {
    expect(await problemsOf(...some)).toEqual([`${problem}: nothing explains that`]);
  });

  it.each([0, -1, -MANY])("a transfer that somebody gave the number %d", async (id) => {
    expect(await problemsOf(moved(id, "deposit", "none"))).toEqual([noCause(id, "deposit", "none")]);
  });
});

describe("the audit names a reversal of", () => {
  it.each<[string, Transfer[]]>([
    ["nothing", [moved(9, "reversal", "trf_8", FROM)]],
    ["something that it does not name", [moved(1, "credit", "x"), moved(9, "reversal", "x", FROM)]],
    ["a number with a zero before it", [moved(1, "credit", "x"), moved(9, "reversal", "trf_01", FROM)]],
    ["a number with more behind it", [moved(1, "credit", "x"), moved(9, "reversal", "trf_1.", FROM)]],
    ["a channel's top-up", [moved(1, "deposit", "one", CHANNELS), moved(9, "reversal", "trf_1", FROM)]],
    ["what is no credit", [moved(1, "welcome", "welcome:1"), moved(9, "reversal", "trf_1", FROM)]],
    ["a part", [moved(1, "credit", "x", { amount: 11 }), moved(9, "reversal", "trf_1", FROM)]],
    [
      "what another member had",
      [moved(1, "credit", "x", { memberId: 2, credit: "member:2" }), moved(9, "reversal", "trf_1", FROM)],
    ],
  ])("%s", async (_, some) => {
    expect(await problemsOf(...some)).toEqual([noOperator(9, some.at(-1)!.cause)]);
  });
});

describe("the audit names a gift", () => {
  it.each<[string, Transfer, string]>([
    [
      "of the demo for a member who is none of it",
      moved(1, "demo", "demo:member_3", { memberId: 3, credit: "member:3" }),
      noDemo(1, 3),
    ],
    ["of the demo for the wrong one", moved(1, "demo", "demo:member_2"), noDemo(1, 1)],
    [
      "of the demo for nobody",
      moved(1, "demo", "demo:member_1", { memberId: null, credit: "member:null" }),
      noDemo(1, null),
    ],
    [
      "of the demo for somebody who is not there",
      moved(1, "demo", "demo:member_9", { memberId: 9, credit: "member:9" }),
      noDemo(1, 9),
    ],
    [
      "to a new member that names another",
      moved(1, "welcome", "welcome:2"),
      "transfer 1 (welcome) of 10 to member 1 has the cause welcome:2",
    ],
  ])("%s", async (_, one, problem) => {
    expect(await problemsOf(one)).toEqual([problem]);
  });
});

describe("the audit names what has no cause:", () => {
  it.each<[string, Transfer]>([
    ["a top-up without its order", moved(1, "deposit", "three", CHANNELS)],
    ["a top-up that names a return", moved(1, "deposit", "one:re_1", CHANNELS)],
    ["what was taken back without a return", moved(1, "chargeback", "one:re_3", TO_CHANNELS)],
    ["what was taken back of another order", moved(1, "chargeback", "two:re_1", TO_CHANNELS)],
    ["what was taken back of an order that nothing came back of", moved(1, "chargeback", "two:null", CHANNELS)],
    ["what was given back without a return", moved(1, "chargeback-return", "one", CHANNELS)],
    ["a payment of no debt", moved(1, "debt", "debt:4:1", TO_CHANNELS)],
    ["a payment that names no debt", moved(1, "debt", "5", TO_CHANNELS)],
    ["a payment whose place is not told", moved(1, "debt", "debt:5:", TO_CHANNELS)],
  ])("%s", async (_, one) => {
    const isNamed = (problem: string) => !problem.endsWith("nothing explains that");
    expect((await problemsOf(one)).filter(isNamed)).toEqual([noCause(1, one.code, one.cause)]);
  });

  it.each<[string, Transfer]>([
    ["a withdrawal that nobody asked for", moved(1, "withdraw", "wdr_8", HELD)],
    ["the return of another", moved(1, "withdraw-return", "wdr_70", BACK)],
    ["a payment of what names none", moved(1, "withdraw-paid", "wdr_07", OUT)],
  ])("%s", async (_, one) => {
    expect(await problemsOf(one)).toEqual([
      `transfer 1 (${one.code}) has no cause: there is no withdrawal ${one.cause}`,
    ]);
  });
});

it("the audit asks each of many transfers once, in their order", async () => {
  const problems = await rows.problemsOf(auditCauses, () =>
    addMany(rows, "transfers", {
      id: "i",
      code: "'credit'",
      cause: "'op_' || i",
      debit: "'house:operator'",
      amount: "1",
      created_at: "1",
      member_id: "1",
      credit: `case when ${AT_BORDER} then 'member:2' else 'member:1' end`,
    }),
  );
  expect(problems).toEqual(
    BORDERS.map((id) => `transfer ${id} (credit) moves money from house:operator to member:2: nothing explains that`),
  );
});
