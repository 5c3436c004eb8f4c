import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { messages, withdrawals } from "#db/schema/index.ts";
import { auditDecisions } from "#server/admin/audit/decisions.ts";
import { ENGINE } from "../../support/databases.ts";
import { add, addMany, AT_BORDER, BORDERS, emptyRows, MANY, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

type Withdrawal = typeof withdrawals.$inferInsert;
type Message = typeof messages.$inferInsert;

const problemsOf = (asked: Withdrawal[], told: Message[]) =>
  rows.problemsOf(auditDecisions, async (tx) => {
    await add(tx, withdrawals, ...asked);
    await add(tx, messages, ...told);
  });

const asked = (id: number, status: Withdrawal["status"], amount = 10_000, memberId = 1): Withdrawal => ({
  id,
  memberId,
  amount,
  status,
  day: 1,
  createdAt: 1,
  updatedAt: 1,
});
const told = (kind: string, money: string | null = "100.00", memberId = 1): Message => ({
  memberId,
  kind,
  facts: money === null ? {} : { money },
  createdAt: 1,
});
const untold = (id: number, status: string) =>
  `withdrawal wdr_${id} counts as ${status}, but nobody told its member so`;
const tooOften = (times: number, status: string, rest: number, money = "100.00") =>
  `member 1 was told ${times} times that ${money} was ${status}: ${rest} withdrawals say so`;
const [APPROVED, REFUSED, PAID] = ["withdraw.approved", "withdraw.refused", "withdraw.paid"] as const;

describe("the audit of decisions on withdrawals", () => {
  it.each<[string, Withdrawal[], Message[]]>([
    ["nothing", [], []],
    ["one in review", [asked(1, "review")], []],
    ["an approval", [asked(1, "approved")], [told(APPROVED)]],
    ["a refusal", [asked(1, "refused")], [told(REFUSED)]],
    ["a refusal after an approval", [asked(1, "refused")], [told(APPROVED), told(REFUSED)]],
    ["a payment after its approval", [asked(1, "paid")], [told(APPROVED), told(PAID)]],
    [
      "two of one amount",
      [asked(1, "paid"), asked(2, "paid")],
      [APPROVED, PAID, APPROVED, PAID].map((kind) => told(kind)),
    ],
    ["another message of money", [], [told("withdrawAsked"), told("withdraw.other")]],
    [
      "those of two members",
      [asked(1, "refused"), asked(2, "refused", 10_000, 2)],
      [told(REFUSED), told(REFUSED, "100.00", 2)],
    ],
  ])("is content with %s", async (_, some, said) => {
    expect(await problemsOf(some, said)).toEqual([]);
  });

  it.each<[string, Withdrawal[], Message[], string[]]>([
    ["an approval that nobody was told", [asked(1, "approved")], [], [untold(1, "approved")]],
    ["a refusal that nobody was told", [asked(1, "refused")], [told(APPROVED)], [untold(1, "refused")]],
    ["a payment that nobody was told", [asked(1, "paid")], [told(APPROVED)], [untold(1, "paid")]],
    ["a payment that nobody approved", [asked(1, "paid")], [told(PAID)], [untold(1, "approved")]],
    [
      "the second of which one was told",
      [asked(1, "refused"), asked(2, "refused"), asked(3, "refused")],
      [told(REFUSED)],
      [untold(2, "refused"), untold(3, "refused")],
    ],
    [
      "a refusal of another amount",
      [asked(1, "refused")],
      [told(REFUSED, "100.01")],
      [untold(1, "refused"), tooOften(1, "refused", 0, "100.01")],
    ],
    ["what was told too often", [asked(1, "refused")], [told(REFUSED), told(REFUSED)], [tooOften(2, "refused", 1)]],
    ["what was told of nothing", [], [told(PAID)], [tooOften(1, "paid", 0)]],
    ["what was told of no amount", [], [told(PAID, null)], [tooOften(1, "paid", 0, "")]],
  ])("names %s", async (_, some, said, problems) => {
    expect(await problemsOf(some, said)).toEqual(problems);
  });

  /** On PostgreSQL a text becomes no JSON by itself. */
  const NO_FACTS = { sqlite: "'{}'", postgres: "'{}'::json" }[ENGINE];

  it("asks many withdrawals, each once", async () => {
    const problems = await rows.problemsOf(auditDecisions, async () => {
      const status = `case when ${AT_BORDER} then 'refused' else 'review' end`;
      const times = { day: "1", created_at: "1", updated_at: "1" };
      await addMany(rows, "withdrawals", { id: "i", member_id: "1", amount: "10000", status, ...times });
    });
    expect(problems).toEqual(BORDERS.map((id) => untold(id, "refused")));
  });

  it("counts many messages, each once", async () => {
    const columns = { id: "i", member_id: "1", kind: `'${REFUSED}'`, facts: NO_FACTS, created_at: "1" };
    const problems = await rows.problemsOf(auditDecisions, () => addMany(rows, "messages", columns));
    expect(problems).toEqual([tooOften(MANY, "refused", 0, "")]);
  });
});
