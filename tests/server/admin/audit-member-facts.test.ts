import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { journalIndex, transfers } from "#db/schema/ledger.ts";
import { withdrawals } from "#db/schema/payments.ts";
import { spins, wheelPairs } from "#db/schema/wheel.ts";
import { causeText } from "#server/domains/log/member-leaves.ts";
import { NO_LEAF_BEFORE, type Content } from "#shared/log/salted.ts";
import { CONTENT, hashFor } from "../../log/leaves.ts";
import { named, problemsAtEnd, problemsOf, says } from "./audit-member-said.ts";
import { emptyRows, type Put, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

const nothing: Put = async () => {};

describe("the audit asks a credit or a debit for its transfer,", () => {
  const { amount, cause, code } = CONTENT.credit;
  const into = { code, cause, debit: "house:operator", credit: "member:1", amount, memberId: 1, createdAt: 9 };
  type Transfer = typeof transfers.$inferInsert;
  const put =
    (...some: Partial<Transfer>[]): Put =>
    (tx) =>
      tx.insert(transfers).values(some.map((one) => ({ ...into, ...one })));
  const plan = { ...CONTENT.debit, cause: "plan:month:30d:k", days: 30 };
  const outOf = { ...plan, debit: "member:1", credit: "house:plans", createdAt: plan.at };
  const credit = says("credit");

  it("which is there", async () => {
    const spun = { code: "spin", cause: "a:5d:b", amount: 3 };
    const said = [
      credit,
      says("credit", { cause: "d-2" }, { memberId: 2 }),
      says("debit", plan),
      says("debit", { ...plan, ...spun, days: 0 }),
      says("debit", { ...plan, cause: "plan:none", days: 0 }),
    ];
    const given = put(
      {},
      { cause: "d-2", credit: "member:2", memberId: 2 },
      outOf,
      { ...outOf, ...spun },
      { ...outOf, cause: "plan:none" },
    );
    expect(await problemsOf(rows, given, [said])).toEqual([]);
  });

  it.each<[string, Partial<Transfer>]>([
    ["went to another account", { credit: "member:2" }],
    ["changed another wallet", { memberId: 2 }],
    ["is of another amount", { amount: amount + 1 }],
    ["is of another time", { createdAt: 8 }],
  ])("which %s", async (_, other) => {
    expect(await problemsOf(rows, put(other), [[credit]])).toEqual([`${named(credit)} differs from its transfer`]);
  });

  it.each<[string, Partial<Transfer>, Partial<Content<"debit">>]>([
    ["gives other days", {}, { days: 31 }],
    ["came from another account", { debit: "member:2" }, {}],
    ["bought no days", { cause: "plan:none" }, { cause: "plan:none", days: 1 }],
    ["is no plan, and gives days", { code: "spin" }, { code: "spin" }],
  ])("which %s", async (_, other, change) => {
    const debit = says("debit", { ...plan, ...change });
    const problems = await problemsOf(rows, put({ ...outOf, ...other }), [[debit]]);
    expect(problems).toEqual([`${named(debit)} differs from its transfer`]);
  });

  it.each<[string, Partial<Transfer>]>([
    ["another code", { code: "credit" }],
    ["another cause", { cause: "d-2" }],
  ])("which is not there under %s", async (_, other) => {
    expect(await problemsOf(rows, put(other), [[credit]])).toEqual([`${named(credit)} has no transfer in the tables`]);
  });

  it("which is among the member's, where the leaf has a hash of its cause", async () => {
    const spelled = "für dich";
    const hashed = says("credit", { cause: causeText(spelled) });
    const indexed: Put = async (tx, run) => {
      await put({ id: 5, cause: spelled })(tx, run);
      await tx.insert(journalIndex).values({ memberId: 1, version: 1, kind: "transfer", rowId: 5 });
    };
    expect(await problemsOf(rows, indexed, [[hashed]])).toEqual([]);
    const problems = await problemsOf(rows, put({ id: 5, cause: spelled }), [[hashed]]);
    expect(problems).toEqual([`${named(hashed)} has no transfer in the tables`]);
  });

  it("from the first that is stated on, each has its leaf", async () => {
    const given = put({ id: 3, cause: "a" }, { id: 4, cause: "b" }, { id: 5, cause: "c" }, { id: 6, cause: "d" });
    const said = ["c", "b"].map((one) => says("credit", { cause: one }));
    expect(await problemsAtEnd(rows, given, said)).toEqual(
      [4, 5, 6].map((id) => `the log does not state transfer ${id} (deposit)`),
    );
  });
});

const PAIR = { id: 3, memberId: 1, number: 0, commit: CONTENT.pair.next_commit, createdAt: 9 };
const putPairs =
  (...some: Partial<typeof wheelPairs.$inferInsert>[]): Put =>
  (tx) =>
    tx.insert(wheelPairs).values(some.map((one) => ({ ...PAIR, ...one })));

describe("the audit asks what a member is told of a pair for the pair,", () => {
  const pair = says("pair");

  it("which is there, for each of them", async () => {
    const other = says("pair", { pair: 2 }, { memberId: 2 });
    const given = putPairs({}, { id: 4, memberId: 2, number: 2 });
    expect(await problemsOf(rows, given, [[pair, other]])).toEqual([]);
  });

  it("which has another commit", async () => {
    const problems = await problemsOf(rows, putPairs({ commit: hashFor("other") }), [[pair]]);
    expect(problems).toEqual([`${named(pair)} differs from its pair`]);
  });

  it.each([{ memberId: 2 }, { number: 1 }])("which is not the one with %j", async (other) => {
    const problems = await problemsOf(rows, putPairs(other), [[pair]]);
    expect(problems).toEqual([`${named(pair)} has no pair in the tables`]);
  });

  it("from the first that was stated as it was made on, each has its leaf", async () => {
    const over = { words: "mine", revealedAt: 10 };
    const given = putPairs(over, { ...over, id: 4, number: 1 }, { ...over, id: 5, number: 2 });
    const said = [says("pair", { pair: 2 }), says("pair", { pair: 1 }), says("pair", { at: 10 })];
    expect(await problemsAtEnd(rows, given, said)).toEqual([4, 5].map((id) => `the log does not state pair ${id}`));
  });
});

describe("the audit asks a spin for its row and its pair,", () => {
  const { amount, price, prize, prize_kind, words, words_by, table_hash } = CONTENT.spin;
  const row = {
    id: 7,
    memberId: 1,
    pairId: 3,
    nonce: 1,
    tableId: 1,
    prizeId: prize,
    kind: prize_kind as "points",
    amount,
    price,
    won: true,
    createdAt: 9,
  };
  const bound = { words, wordsBy: words_by, tableHash: table_hash };
  const put =
    (some: Partial<typeof row>[], pair: Partial<typeof wheelPairs.$inferInsert> = {}): Put =>
    async (tx, run) => {
      await putPairs({ ...bound, ...pair })(tx, run);
      await tx.insert(spins).values(some.map((one) => ({ ...row, ...one })));
    };
  const spin = says("spin");

  it("which are there", async () => {
    const given: Put = async (tx, run) => {
      await put([{}, { id: 8, nonce: 2, amount: 3 }])(tx, run);
      await putPairs({ ...bound, id: 4, memberId: 2 })(tx, run);
      await tx.insert(spins).values({ ...row, id: 9, memberId: 2, pairId: 4 });
    };
    const said = [spin, says("spin", { nonce: 2, amount: 3 }), says("spin", {}, { memberId: 2 })];
    expect(await problemsOf(rows, given, [said])).toEqual([]);
  });

  it.each<[Partial<typeof row>, Partial<typeof wheelPairs.$inferInsert>]>([
    [{ prizeId: "none" }, {}],
    [{ kind: "days" as "points" }, {}],
    [{ amount: amount + 1 }, {}],
    [{ price: price + 1 }, {}],
    [{ createdAt: 8 }, {}],
    [{}, { words: "yours" }],
    [{}, { wordsBy: "house" }],
    [{}, { tableHash: hashFor("other") }],
  ])("which have %j and %j", async (other, pair) => {
    expect(await problemsOf(rows, put([other], pair), [[spin]])).toEqual([`${named(spin)} differs from its spin`]);
  });

  it.each<[Partial<typeof row>, Partial<typeof wheelPairs.$inferInsert>]>([
    [{ nonce: 2 }, {}],
    [{ memberId: 2 }, {}],
    [{}, { number: 1 }],
  ])("which are not those with %j and %j", async (other, pair) => {
    const problems = await problemsOf(rows, put([other], pair), [[spin]]);
    expect(problems).toEqual([`${named(spin)} has no spin in the tables`]);
  });

  it("from the first that is stated on, each has its leaf", async () => {
    const given = put([6, 7, 8, 9].map((id) => ({ id, nonce: id })));
    const said = [says("spin", { nonce: 8 }), says("spin", { nonce: 7 })];
    expect(await problemsAtEnd(rows, given, said)).toEqual([7, 8, 9].map((id) => `the log does not state spin ${id}`));
  });
});

describe("the audit asks what is told of a withdrawal for the withdrawal,", () => {
  type Withdrawal = typeof withdrawals.$inferInsert;
  const row: Withdrawal = { id: 4, memberId: 1, amount: 700, status: "review", day: 1, createdAt: 9, updatedAt: 9 };
  const put =
    (...some: Partial<Withdrawal>[]): Put =>
    (tx) =>
      tx.insert(withdrawals).values(some.map((one) => ({ ...row, ...one })));
  const told = (state: Content<"withdrawal">["state"], change: Partial<Content<"withdrawal">> = {}, memberId = 1) =>
    says("withdrawal", { id: "wdr_4", state, bank: NO_LEAF_BEFORE, ...change }, { memberId });
  const review = told("review");

  it.each<[string, Content<"withdrawal">["state"][], Content<"withdrawal">["state"]]>([
    ["is paid", ["review", "approved"], "paid"],
    ["is refused in the end", ["review", "approved"], "refused"],
    ["is refused at once", ["review"], "refused"],
  ])("which %s", async (_, before, status) => {
    const said = [...before, status].map((state) => told(state));
    expect(await problemsOf(rows, put({ status }), [said])).toEqual([]);
    const pages = said.map((one) => [one]);
    expect(await problemsOf(rows, put({ status }), pages)).toEqual([]);
  });

  it.each<[Content<"withdrawal">["state"], Content<"withdrawal">["state"]]>([
    ["review", "paid"],
    ["review", "review"],
    ["approved", "review"],
    ["refused", "approved"],
    ["paid", "refused"],
  ])("which never goes from %s to %s", async (before, after) => {
    const last = told(after);
    const problems = await problemsOf(rows, put({}), [[told(before), last]]);
    expect(problems).toEqual([`${named(last)} says ${after} after ${before}`]);
  });

  it.each([{ amount: 701 }, { memberId: 2 }])("which has %j", async (other) => {
    expect(await problemsOf(rows, put(other), [[review]])).toEqual([`${named(review)} differs from its withdrawal`]);
  });

  it("which is not there", async () => {
    const others = [told("review", { id: "wdr_5" }), told("review", { id: "x-4" }), told("review", { id: "4" })];
    expect(await problemsOf(rows, put({}), [others])).toEqual(
      others.map((one) => `${named(one)} has no withdrawal in the tables`),
    );
  });

  it("which goes to an account that the same member's leaf states, be its content gone or not", async () => {
    const bank = hashFor("an account");
    const [one, other] = [told("review", { bank }), told("review", { bank }, 2)];
    const stated = says("bank", {}, { word: "an account" });
    const gone = says("limit", {}, { word: "an account" });
    const astray = (leaf: typeof one) => `${named(leaf)} names an account that no leaf before it states`;
    expect(await problemsOf(rows, put({}), [[stated, one]])).toEqual([]);
    expect(await problemsOf(rows, put({}), [[one]], { emptied: [stated] })).toEqual([]);
    expect(await problemsOf(rows, put({}), [[one]], { emptied: [gone] })).toEqual([astray(one)]);
    expect(await problemsOf(rows, put({}), [[one], [stated]])).toEqual([astray(one)]);
    expect(await problemsOf(rows, put({ memberId: 2 }), [[stated, other]])).toEqual([astray(other)]);
  });

  it("which goes to the same account at each step", async () => {
    const stated = says("bank", {}, { word: "an account" });
    const last = told("approved", { bank: hashFor("an account") });
    const problems = await problemsOf(rows, put({}), [[stated, review, last]]);
    expect(problems).toEqual([`${named(last)} names another account than the leaf before`]);
  });

  it("whose state is the one that was told last", async () => {
    const others = [told("review", { id: "wdr_5" }), told("approved", { id: "wdr_5" }), told("review", { id: "x-4" })];
    const given = put({ status: "approved" }, { id: 5, status: "approved" });
    expect(await problemsAtEnd(rows, given, [told("approved"), ...others.slice(0, 1)])).toEqual([
      "the log says review of withdrawal wdr_5, the tables approved",
      "the log does not state withdrawal wdr_5 (review)",
      "the log does not state withdrawal wdr_5 (approved)",
    ]);
    expect(await problemsAtEnd(rows, given, [told("refused"), told("approved"), ...others.slice(2)])).toEqual([]);
  });

  it("from the first that was stated as it was asked for on, each has its leaf", async () => {
    const given = put({ id: 3 }, {}, { id: 5 }, { id: 6 });
    const said = [told("review", { id: "wdr_5" }), told("review"), told("approved", { id: "wdr_3" })];
    const problems = await problemsAtEnd(rows, given, said);
    expect(problems.filter((one) => one.includes("does not state"))).toEqual(
      [4, 5, 6].map((id) => `the log does not state withdrawal wdr_${id} (review)`),
    );
    expect(await problemsOf(rows, nothing, [[]])).toEqual([]);
  });
});
