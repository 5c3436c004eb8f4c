import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { transfers, wallets, withdrawals } from "#db/schema/index.ts";
import { auditHeld } from "#server/admin/audit/held.ts";
import { add, addMany, AT_BORDER, BORDERS, emptyRows, MANY, moved, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

type Withdrawal = typeof withdrawals.$inferInsert;
type Transfer = typeof transfers.$inferInsert;

const problemsOf = (
  asked: Withdrawal[],
  moves: Transfer[],
  totals: [memberId: number, withdrawnTotal: number][] = [],
) =>
  rows.problemsOf(auditHeld, async (tx) => {
    await add(tx, withdrawals, ...asked);
    await add(tx, transfers, ...moves);
    await add(tx, wallets, ...totals.map(([memberId, withdrawnTotal]) => ({ memberId, withdrawnTotal })));
  });

const asked = (id: number, status: Withdrawal["status"], amount = 10, memberId = 1): Withdrawal => ({
  id,
  memberId,
  amount,
  status,
  day: 1,
  createdAt: 1,
  updatedAt: 1,
});
const HELD = "held:withdrawals";
const ENDS = {
  withdraw: { debit: "member:1", credit: HELD },
  "withdraw-return": { debit: HELD, credit: "member:1" },
  "withdraw-paid": { debit: HELD, credit: "house:channels", memberId: null },
};
let next = 1;
const move = (of: number, code: keyof typeof ENDS, more: Partial<Transfer> = {}): Transfer =>
  moved(next++, code, `wdr_${of}`, { ...ENDS[code], ...more });
const unlike = (id: number, status: string) => `withdrawal wdr_${id}: its transfers do not match its status ${status}`;
const held = (has: number, waiting: number) => `${HELD} has ${has}, withdrawals wait for ${waiting}`;

describe("the audit of withdrawals", () => {
  it("finds none where there is none", async () => {
    expect(await problemsOf([], [], [[1, 0]])).toEqual([]);
  });

  it.each<[Withdrawal["status"], Transfer[], number]>([
    ["review", [move(1, "withdraw")], 0],
    ["approved", [move(1, "withdraw")], 0],
    ["refused", [move(1, "withdraw"), move(1, "withdraw-return")], 0],
    ["refused", [move(1, "withdraw-return"), move(1, "withdraw")], 0],
    ["paid", [move(1, "withdraw"), move(1, "withdraw-paid")], 10],
  ])("takes one that is %s with its transfers", async (status, moves, paid) => {
    expect(await problemsOf([asked(1, status)], moves, [[1, paid]])).toEqual([]);
  });

  it.each<[string, Withdrawal["status"], Transfer[], string[]]>([
    ["without any transfer", "review", [], [unlike(1, "review"), held(0, 10)]],
    ["of which nothing is held", "approved", [], [unlike(1, "approved"), held(0, 10)]],
    [
      "that was returned and waits",
      "review",
      [move(1, "withdraw"), move(1, "withdraw-return")],
      [unlike(1, "review"), held(0, 10)],
    ],
    ["that was refused and not returned", "refused", [move(1, "withdraw")], [unlike(1, "refused"), held(10, 0)]],
    ["that took more", "review", [move(1, "withdraw", { amount: 11 })], [unlike(1, "review"), held(11, 10)]],
    ["that another paid for", "review", [move(1, "withdraw", { debit: "member:2" })], [unlike(1, "review")]],
    [
      "that another got back",
      "refused",
      [move(1, "withdraw"), move(1, "withdraw-return", { credit: "member:2" })],
      [unlike(1, "refused")],
    ],
    ["that was moved by a transfer of another", "review", [move(2, "withdraw")], [unlike(1, "review")]],
  ])("names one %s", async (_, status, moves, problems) => {
    expect(await problemsOf([asked(1, status)], moves)).toEqual(problems);
  });

  it("looks only at transfers of withdrawals", async () => {
    const gift = moved(900, "credit", "wdr_1");
    expect(await problemsOf([asked(1, "review")], [move(1, "withdraw"), gift])).toEqual([]);
  });

  it("adds up what waits, and what is held", async () => {
    const some = [asked(1, "review", 10), asked(2, "approved", 20), asked(3, "refused", 40)];
    const moves = [
      move(1, "withdraw"),
      move(2, "withdraw", { amount: 20 }),
      move(3, "withdraw", { amount: 40 }),
      move(3, "withdraw-return", { amount: 40 }),
    ];
    expect(await problemsOf(some, moves)).toEqual([]);
    expect(await problemsOf(some, [...moves, moved(901, "credit", "x", { debit: HELD, amount: 1 })])).toEqual([
      held(29, 30),
    ]);
    expect(await problemsOf(some, [...moves, moved(901, "credit", "x", { credit: HELD, amount: 1 })])).toEqual([
      held(31, 30),
    ]);
  });

  it("adds up what each member was paid", async () => {
    const some = [asked(1, "paid", 10), asked(2, "paid", 20), asked(3, "approved", 10)];
    const moves = [1, 2, 3].map((of) => move(of, "withdraw", { amount: of === 2 ? 20 : 10 }));
    const paid = [1, 2].map((of) => move(of, "withdraw-paid", { amount: of * 10 }));
    const of = (...totals: [number, number][]) => problemsOf(some, [...moves, ...paid], totals);
    expect(await of([1, 30], [2, 0])).toEqual([]);
    expect(await of([1, 29], [2, 1])).toEqual([
      "wallet of member 1: was paid withdrawals of 30, the wallet has 29",
      "wallet of member 2: was paid withdrawals of 0, the wallet has 1",
    ]);
  });

  it("asks many withdrawals, transfers and wallets, each once", async () => {
    const border = (then: number, otherwise: number) => `case when ${AT_BORDER} then ${then} else ${otherwise} end`;
    const problems = await rows.problemsOf(auditHeld, async () => {
      const times = { day: "1", created_at: "1", updated_at: "1" };
      await addMany(rows, "withdrawals", {
        id: "i",
        member_id: "1",
        amount: border(11, 10),
        status: "'review'",
        ...times,
      });
      await addMany(rows, "transfers", {
        id: "i",
        code: "'withdraw'",
        cause: "'wdr_' || i",
        debit: "'member:1'",
        credit: `'${HELD}'`,
        amount: "10",
        member_id: "1",
        created_at: "1",
      });
      await addMany(rows, "wallets", { member_id: "i", withdrawn_total: border(1, 0) });
    });
    expect(problems).toEqual([
      ...BORDERS.map((id) => unlike(id, "review")),
      held(10 * MANY, 10 * MANY + 3),
      ...BORDERS.map((id) => `wallet of member ${id}: was paid withdrawals of 0, the wallet has 1`),
    ]);
  });
});
