import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as decide from "#server/domains/payments/decide-withdrawal.ts";
import { Copies } from "../../support/copies.ts";
import { world, type World } from "../../support/world.ts";
import { asked, saver } from "../payments/purse.ts";
import { operate } from "./operate.ts";

let w: World;
let copies: Copies;

/** Four withdrawals of one member, one in each state: in review, approved, refused, paid. All of it is sealed. */
beforeAll(async () => {
  w = await world();
  const mia = await saver(w, "mia_1", 1_000);
  for (const amount of [100, 110, 120, 130]) await asked(mia, amount);
  const { db } = w.deps;
  await db.transact((tx) => decide.approveWithdrawal(tx, w.deps, 2));
  await db.transact((tx) => decide.refuseWithdrawal(tx, w.deps, 3, "No"));
  await db.transact((tx) => decide.approveWithdrawal(tx, w.deps, 4));
  await db.transact((tx) => decide.payWithdrawal(tx, w.deps, 4));
  await w.site.housekeeping.seal();
  copies = await Copies.of(w);
});
afterAll(async () => {
  await copies.close();
  await w.close();
});

/** The audit's problems in a copy that was changed by hand, past every trigger. */
async function problemsAfter(sql: string): Promise<string[]> {
  const { exit, out } = await operate(await copies.tampered(sql), "audit", "--json");
  const { ok, problems } = JSON.parse(out) as { ok: boolean; problems: string[] };
  expect([exit, ok]).toEqual(problems.length ? [1, false] : [0, true]);
  return problems;
}

describe.concurrent("the audit of withdrawals", () => {
  it("finds no problem in untouched data", async () => {
    expect(await problemsAfter("select 1")).toEqual([]);
  });

  it.each([
    ["one that was called paid", "update withdrawals set status = 'paid' where id = 2", /^withdrawal wdr_2: its tr/],
    [
      "held money that nobody waits for",
      "delete from withdrawals where id = 1",
      /^held:withdrawals has 21000, .* 11000$/,
    ],
    ["an amount that was changed", "update withdrawals set amount = amount + 1 where id = 1", /^withdrawal wdr_1: /],
    [
      "a total that was changed",
      "update wallets set withdrawn_total = 1",
      /^wallet of member 1: was paid .* 13000, .* 1$/,
    ],
    [
      "a return that was another's",
      "update transfers set credit = 'member:9' where code = 'withdraw-return'",
      /^withdrawal wdr_3: /,
    ],
    [
      "a payment that was deleted",
      "delete from transfers where code = 'withdraw-paid'",
      /^held:withdrawals has 34000, /,
    ],
  ])("finds %s", async (_, sql, problem) => {
    expect(await problemsAfter(sql)).toContainEqual(expect.stringMatching(problem));
  });
});
