import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { moved as movedAt } from "../../cheats/plays/all-that-follows.ts";
import { auditGround, besideTheLog, type Ground } from "./audit-ground.ts";

let ground: Ground;
beforeAll(async () => {
  ground = await auditGround();
});
afterAll(() => ground.close());

/** Just after the ground's last round opened. */
const moved = (code: string, cause: string, from: string, to: string): string =>
  movedAt(code, cause, from, to, 1_772_409_900_000);

describe.concurrent("the audit of what caused a transfer", () => {
  it("finds no problem in untouched data", async () => {
    expect(await ground.after("select 1")).toMatchObject({ ok: true, problems: [], notes: [] });
  });

  it.each([
    [
      "a top-up without an order",
      `${moved("deposit", "ord_x", "house:channels", "member:2")};
       update wallets set deposited_total = deposited_total + 100 where member_id = 2`,
      [/^transfer \d+ \(deposit\) of 100 has no cause: there is no ord_x$/],
    ],
    [
      "a chargeback without a return",
      moved("chargeback", "ord_x:dp_1", "member:2", "house:channels"),
      [/^transfer \d+ \(chargeback\) of 100 has no cause: there is no ord_x:dp_1$/],
    ],
    [
      "a payment of a debt that there is not",
      moved("debt", "debt:9:0", "member:2", "house:channels"),
      [/^transfer \d+ \(debt\) of 100 has no cause: there is no debt:9:0$/],
    ],
    [
      "a reversal of a credit that never was",
      moved("reversal", "trf_999", "member:2", "house:operator"),
      [/^transfer \d+ \(reversal\) takes back 100 from member 2: no operator gave that \(trf_999\)$/],
    ],
    [
      "a reversal of more than was given",
      "update transfers set amount = amount + 1 where code = 'reversal' and cause like 'trf%'",
      [/^transfer \d+ \(reversal\) takes back 4001 from member 2: no operator gave that/],
    ],
    [
      "a reversal from another member than was given to",
      "update transfers set member_id = 1, debit = 'member:1' where code = 'reversal'",
      [/^transfer \d+ \(reversal\) takes back 4000 from member 1: no operator gave that/],
    ],
    [
      "a reversal of a win",
      moved("reversal", "trf_1", "member:2", "house:operator").replace(
        "'trf_1'",
        "'trf_' || (select min(id) from transfers where code = 'prize')",
      ),
      [/^transfer \d+ \(reversal\) takes back 100 from member 2: no operator gave that/],
    ],
    [
      "a reversal of a demo balance",
      `update transfers set member_id = 3, debit = 'member:3', amount = 6000,
         cause = 'trf_' || (select t.id from transfers t where t.code = 'demo')
       where code = 'reversal' and amount = 4000`,
      [/^transfer \d+ \(reversal\) takes back 6000 from member 3: no operator gave that/],
    ],
    [
      "a demo balance of somebody else",
      moved("demo", "demo:nils_2", "house:operator", "member:2"),
      [/^transfer \d+ \(demo\) gives 100 to member 2, who is none of the demo$/],
    ],
    [
      "a second demo balance",
      "update transfers set cause = 'demo:again' where code = 'demo'",
      [/^transfer \d+ \(demo\) gives 6000 to member 3, who is none of the demo$/],
    ],
    [
      "points at registration for another member",
      moved("welcome", "welcome:3", "house:operator", "member:2"),
      [/^transfer \d+ \(welcome\) of 100 to member 2 has the cause welcome:3$/],
    ],
    [
      "a kind of transfer that there is not",
      moved("fee", "fee:1", "member:2", "house:operator"),
      [/^transfer \d+ \(fee\) moves money from member:2 to house:operator: nothing explains that$/],
    ],
    [
      "money between accounts of the house",
      `insert into transfers (code, cause, debit, credit, amount, created_at)
       values ('credit', 'x', 'house:channels', 'house:operator', 5, 1)`,
      [/^transfer \d+ \(credit\) moves money from house:channels to house:operator: nothing explains that$/],
    ],
    [
      "a withdrawal's transfer without it",
      "delete from withdrawals where id = 4; delete from messages",
      [
        /^transfer \d+ \(withdraw\) has no cause: there is no withdrawal wdr_4$/,
        /^transfer \d+ \(withdraw-paid\) has no cause: there is no withdrawal wdr_4$/,
      ],
    ],
    [
      "a membership that gave no days",
      `insert into plans (id, name, days, price, position) values ('gold', '"Gold"', 30, 100, 9);
       ${moved("plan", "gold:30d:2:x", "member:2", "house:plans")}`,
      [/^member 2: plans and prizes gave membership until \S+, it ends \S+$/],
    ],
    [
      "days that were taken back",
      "update members set member_until = member_until - 1 where id = 1",
      [/^member 1: plans and prizes gave membership until 2026-03-03T00:00:00.000Z, it ends 2026-03-02T23:59:59.999Z$/],
    ],
    [
      "a plan that there is not",
      moved("plan", "lead:30d:2:x", "member:2", "house:plans"),
      [/^transfer \d+ \(plan\) paid for no plan: lead:30d:2:x$/],
    ],
    [
      "a plan for somebody else",
      moved("plan", "spent:1d:1:x", "member:2", "house:plans"),
      [/^transfer \d+ \(plan\) paid for no plan: spent:1d:1:x$/],
    ],
    [
      "a plan of no days",
      moved("plan", "spent:0d:2:x", "member:2", "house:plans"),
      [/^transfer \d+ \(plan\) paid for no plan: spent:0d:2:x$/],
    ],
  ])("finds and names %s", async (_, sql, problems) => {
    const { ok, problems: found } = await ground.after(sql);
    expect(ok).toBe(false);
    for (const problem of problems) expect(found).toContainEqual(expect.stringMatching(problem));
  });

  it("counts the days of a plan that was sold before causes named them", async () => {
    const sql = "update transfers set cause = 'spent:1:x' where code = 'plan'";
    const named = ({ problems }: { problems: string[] }) =>
      besideTheLog(problems).filter((one) => !one.startsWith("seal "));
    expect(named(await ground.after(sql))).toEqual([]);
    expect(named(await ground.after(`${sql}; update members set member_until = 0 where id = 1`))).toEqual([
      expect.stringMatching(/^member 1: plans and prizes gave membership until /),
    ]);
  });
});

const FIRST_APPROVAL = "(select min(id) from messages where kind = 'withdraw.approved')";

describe.concurrent("the audit of decisions on withdrawals", () => {
  it.each([
    [
      "a payment that nobody decided",
      `update withdrawals set status = 'paid' where id = 2;
       insert into transfers (code, cause, debit, credit, amount, created_at)
       values ('withdraw-paid', 'wdr_2', 'held:withdrawals', 'house:channels', 11000, 1);
       update wallets set withdrawn_total = withdrawn_total + 11000 where member_id = 1`,
      "withdrawal wdr_2 counts as paid, but nobody told its member so",
    ],
    [
      "an approval that was not told",
      `delete from messages where id = ${FIRST_APPROVAL}`,
      "withdrawal wdr_2 counts as approved, but nobody told its member so",
    ],
    [
      "a payment without an approval",
      `delete from messages where kind = 'withdraw.approved' and id > ${FIRST_APPROVAL}`,
      "withdrawal wdr_4 counts as approved, but nobody told its member so",
    ],
    [
      "a refusal that was told and undone",
      "update withdrawals set status = 'review' where id = 3",
      "member 1 was told 1 times that 120.00 was refused: 0 withdrawals say so",
    ],
    [
      "a decision that was told for another amount",
      "update withdrawals set amount = amount + 1 where id = 4",
      "withdrawal wdr_4 counts as paid, but nobody told its member so",
    ],
  ])("finds and names %s", async (_, sql, problem) => {
    expect((await ground.after(sql)).problems).toContain(problem);
  });

  it("lets a withdrawal be refused that was approved before", async () => {
    const sql = `insert into messages (member_id, kind, facts, created_at)
      values (1, 'withdraw.approved', '{"money":"120.00"}', 1)`;
    expect((await ground.after(sql)).problems).toEqual([]);
  });
});
