import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { members, plans, spins, transfers } from "#db/schema/index.ts";
import { auditMemberships } from "#server/admin/audit/memberships.ts";
import { DAY_MS } from "#shared/time.ts";
import { add, addMany, AT_BORDER, emptyRows, MANY, moved, person, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

type Spin = typeof spins.$inferInsert;
type Transfer = typeof transfers.$inferInsert;

/** 2026-03-02. */
const NOW = Date.UTC(2026, 2, 2);
const day = (days: number) => NOW + days * DAY_MS;

const bought = (id: number, cause: string, createdAt = NOW, more: Partial<Transfer> = {}): Transfer =>
  moved(id, "plan", cause, { debit: "member:1", credit: "house:plans", createdAt, ...more });
const won = (id: number, amount: number, createdAt: number, more: Partial<Spin> = {}): Spin => ({
  id,
  memberId: 1,
  pairId: 1,
  nonce: id,
  tableId: 1,
  prizeId: "day",
  kind: "days",
  amount,
  price: 0,
  won: true,
  createdAt,
  ...more,
});

/** What is said of member 1, whose membership ends then. Plan `week` has 7 days now. */
const problemsOf = (memberUntil: number, some: { plans?: Transfer[]; spins?: Spin[] }) =>
  rows.problemsOf(auditMemberships, async (tx) => {
    await add(tx, members, person(1, { memberUntil }), person(2, { memberUntil: 0 }));
    await add(tx, plans, { id: "week", name: {}, days: 7, price: 1, position: 1 });
    await add(tx, transfers, ...(some.plans ?? []));
    await add(tx, spins, ...(some.spins ?? []));
  });
const ends = (until: number, is: number) =>
  `member 1: plans and prizes gave membership until ${new Date(until).toISOString()}, it ends ${new Date(is).toISOString()}`;

describe("the audit of memberships", () => {
  it.each<[string, number, Parameters<typeof problemsOf>[1]]>([
    ["nothing at all", 0, {}],
    ["a plan of the days that it names", 3, { plans: [bought(1, "week:3d:1:x")] }],
    ["a plan from before causes named days", 7, { plans: [bought(1, "week:1:x")] }],
    ["a plan of the most days", 99_999, { plans: [bought(1, "week:99999d:1:x")] }],
    ["days that were won", 2, { spins: [won(1, 2, NOW)] }],
    ["one plan after another", 10, { plans: [bought(1, "week:3d:1:x"), bought(2, "week:7d:1:y", day(1))] }],
    ["one long after another", 107, { plans: [bought(1, "week:3d:1:x"), bought(2, "week:7d:1:y", day(100))] }],
    [
      "a plan after days that were won before",
      107,
      { plans: [bought(1, "week:7d:1:y", day(100))], spins: [won(1, 3, NOW)] },
    ],
    [
      "days that were won before and after a plan",
      15,
      { plans: [bought(1, "week:7d:1:y", day(2))], spins: [won(1, 3, day(4)), won(2, 5, NOW)] },
    ],
  ])("adds up %s", async (_, days, some) => {
    const until = days === 0 ? 0 : day(days);
    expect(await problemsOf(until, some)).toEqual([]);
    expect(await problemsOf(until + 1, some)).toEqual([]);
    expect(await problemsOf(until - 1, some)).toEqual([ends(until, until - 1)]);
  });

  it("counts only days that were won, and only one's own", async () => {
    const others = [won(1, 5, NOW, { kind: "points" }), won(2, 5, NOW, { kind: "spin" })];
    expect(await problemsOf(0, { spins: others })).toEqual([]);
    expect(await problemsOf(day(9), { spins: [won(1, 5, NOW, { memberId: 2 })] })).toEqual([
      ends(day(5), 0).replace("member 1", "member 2"),
    ]);
    expect(await problemsOf(0, { plans: [moved(1, "credit", "week:3d:1:x")] })).toEqual([]);
  });

  it.each<[string, Transfer, number]>([
    ["a plan that there is not", bought(1, "month:3d:1:x"), 3],
    ["a plan without days that there is not", bought(1, "month:1:x"), 0],
    ["a plan for another member", bought(1, "week:3d:2:x"), 3],
    ["a plan for another member, from before causes named days", bought(1, "week:2:x"), 7],
    ["a plan that names no member", bought(1, "week"), 7],
    ["a plan of no days", bought(1, "week:0d:1:x"), 7],
    ["a plan of too many days", bought(1, "week:100000d:1:x"), 7],
  ])("names %s", async (_, transfer, days) => {
    const problem = `transfer 1 (plan) paid for no plan: ${transfer.cause}`;
    expect(await problemsOf(day(days), { plans: [transfer] })).toEqual([problem]);
    expect(await problemsOf(day(days) - 1, { plans: [transfer] })).toEqual([problem, ends(day(days), day(days) - 1)]);
  });

  it("gives nobody a plan that nobody paid", async () => {
    expect(await problemsOf(0, { plans: [bought(1, "week:3d:null:x", NOW, { memberId: null })] })).toEqual([]);
  });

  it("asks many members, plans and prizes, each once", async () => {
    const all = 2 * MANY * DAY_MS;
    const problems = await rows.problemsOf(auditMemberships, async (tx) => {
      await add(tx, plans, { id: "day", name: {}, days: 1, price: 1, position: 1 });
      const until = `case when i = 7 then ${all - 1} when ${AT_BORDER} then -1 else 0 end`;
      await addMany(rows, "members", {
        id: "i",
        username: "'member_' || i",
        avatar: "''",
        created_at: "1",
        member_until: until,
      });
      await addMany(rows, "transfers", {
        id: "i",
        code: "'plan'",
        cause: "'day:1d:7:' || i",
        debit: "'member:7'",
        credit: "'house:plans'",
        amount: "1",
        member_id: "7",
        created_at: "0",
      });
      await addMany(rows, "spins", {
        id: "i",
        member_id: "7",
        pair_id: "1",
        nonce: "i",
        table_id: "1",
        prize_id: "'day'",
        kind: "'days'",
        amount: "1",
        price: "0",
        won: "true",
        created_at: "0",
      });
    });
    const of = (id: number, until: number, is: number) => ends(until, is).replace("member 1", `member ${id}`);
    expect(problems).toEqual([of(1, 0, -1), of(7, all, all - 1), of(MANY - 1, 0, -1), of(MANY, 0, -1)]);
  });
});
