import { desc } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operatorActs } from "#db/schema/index.ts";
import { logHeads } from "#db/schema/log.ts";
import { Copies } from "../../support/copies.ts";
import { diceFrom } from "../../support/recompute.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { besideTheLog } from "./audit-ground.ts";
import { operate } from "./operate.ts";

/** With this key the first round's dice differ, so that they can be swapped. */
const env = { MASTER_KEY: "5eed".repeat(16) };
const ROUND = "20260302-0001";

let w: World;
let copies: Copies;
let mia: Player;
let nils: Player;

/** Two members play a round: whatever the dice, mia wins once and nils may. All of it is sealed. */
beforeAll(async () => {
  w = await world({ env });
  await w.game();
  mia = await w.player("mia_1", { balance: 1_000 });
  nils = await w.player("nils_2", { balance: 500 });
  await w.live(1_000);
  const bet = { lid: "lot_1", mid: "", expect: ROUND };
  await mia.call("/game/placeOrder", { ...bet, item: "A,B", money: "100" });
  await nils.call("/game/placeOrder", { ...bet, item: "C", money: "10" });
  await nils.call("/game/placeOrder", { ...bet, item: "D", money: "30" });
  await w.live(58_000);
  await w.live(2_000);
  await w.site.housekeeping.seal();
  copies = await Copies.of(w);
});
afterAll(async () => {
  await copies.close();
  await w.close();
});

async function problemsAfter(sql: string): Promise<string[]> {
  const { exit, out, err } = await operate(await copies.tampered(sql), "audit", "--json");
  expect([exit, err]).toEqual([1, ""]);
  const report = JSON.parse(out) as { ok: boolean; problems: string[] };
  expect(report.ok).toBe(false);
  return report.problems;
}

describe.concurrent("the audit of untouched data", () => {
  it("counts everything and finds that it agrees", async () => {
    const [plain, json] = await Promise.all([operate(w, "audit"), operate(w, "audit", "--json")]);
    expect(plain).toMatchObject({ exit: 0, err: "" });
    expect(plain.out).toMatch(
      /^2 members, 2 transfers, 3 orders, 2 rounds, 0 gaps, \d+ leaves, 0 files\.\n.* 0\.\n.* has \d+ leaves and the root [0-9a-f]{64}\.\nEverything agrees\.\n$/,
    );
    const counts = { members: 2, transfers: 2, ledger_sum: 0, orders: 3, rounds: 2, gaps: 0, files: 0 };
    const [head] = await w.deps.db.read.select().from(logHeads).orderBy(desc(logHeads.size)).limit(1);
    const log = { leaves: head!.size, root: head!.root };
    expect([json.exit, JSON.parse(json.out)]).toEqual([0, { ok: true, ...counts, ...log, problems: [], notes: [] }]);
  });

  it("leaves no trace among the acts, and says how to leave the files out", async () => {
    const acts = () => w.deps.db.read.select().from(operatorActs);
    const before = await acts();
    await operate(w, "audit");
    expect(await acts()).toEqual(before);
    const { out } = await operate(w, "audit", "--help");
    expect(out).toContain("With --only database it skips the files");
  });
});

describe.concurrent("the audit finds and names", () => {
  it("a balance that was changed", async () => {
    const problems = await problemsAfter("update wallets set balance = balance + 5000 where member_id = 2");
    expect(problems).toContainEqual(
      expect.stringMatching(/^wallet of member 2: its rows sum to \d+, the balance is \d+$/),
    );
    expect(problems).toContain("all accounts together are 5000, not 0");
    expect(problems.join()).not.toContain("member 1");
  });

  it("a bet whose stake was changed", async () => {
    const problems = await problemsAfter("update bets set stake = stake * 2 where id = 1");
    expect(problems).toContain("bet 1: total is not stake times options");
    expect(problems).toContainEqual(expect.stringMatching(/^round 1, member 1: won \d+, was paid \d+$/));
    expect(problems).toContain("seal 1: what it covers was changed");
  });

  it("a payout that was changed", async () => {
    const problems = await problemsAfter("update payouts set amount = amount + 1 where member_id = 1");
    expect(problems).toContainEqual(expect.stringMatching(/^round 1, member 1: won \d+, was paid \d+$/));
    expect(problems).toContainEqual(expect.stringMatching(/^house entries of payouts: -?\d+, payouts: \d+$/));
    expect(problems).toContainEqual(expect.stringMatching(/^wallet of member 1: /));
  });

  it("dice that were swapped, though their sum is the same and every payout right", async () => {
    const { opencode } = (await w.call("/fair/round", { key: "k3-1m", expect: ROUND }, { method: "GET" })).data;
    const [one, two, three] = opencode!;
    const swapped = one === two ? [one, three, two] : [two, one, three];
    const problems = await problemsAfter(`update rounds set dice = '${JSON.stringify(swapped)}' where id = 1`);
    const says = `round k3-1m ${ROUND}: the seed gives ${opencode!.join()}, the round has ${swapped.join()}`;
    const lists = `dice is ${JSON.stringify(opencode)}, the rows give ${JSON.stringify(swapped)}`;
    expect(problems.sort()).toEqual([says, `the log's draw of round k3-1m ${ROUND}: ${lists}`]);
  });

  it.each([
    [
      "on a drawn round",
      1,
      "beacon = 'chosen'",
      ["draw of round k3-1m 20260302-0001: beacon is , the rows give chosen"],
    ],
    ["on an open round", 2, "beacon = 'chosen'", []],
    [
      "under a rule that there is not",
      2,
      "beacon_rule = 'drand:quicknet:1000'",
      ["open of round k3-1m 20260302-0002: beacon_rule is none, the rows give drand:quicknet:1000"],
    ],
  ])("a beacon %s", async (_, id, change, logged) => {
    const problems = await problemsAfter(`update rounds set ${change} where id = ${id}`);
    const says = `round k3-1m 20260302-000${id} has a beacon that its rule does not allow`;
    expect(problems).toEqual([says, ...logged.map((one) => `the log's ${one}`)]);
  });

  it("dice that a chosen beacon gives, though seed and commit are right", async () => {
    const { seed, opencode } = (await w.call("/fair/round", { key: "k3-1m", expect: ROUND }, { method: "GET" })).data;
    const chosen = diceFrom(seed!, `k3-1m:${ROUND}:chosen`);
    expect(chosen).not.toEqual(opencode);
    const dice = `dice = '${JSON.stringify(chosen)}'`;
    const other = `round k3-1m ${ROUND}: the seed gives ${opencode!.join()}, the round has ${chosen.join()}`;
    expect(await problemsAfter(`update rounds set beacon = 'chosen', ${dice} where id = 1`)).toEqual(
      expect.arrayContaining([`round k3-1m ${ROUND} has a beacon that its rule does not allow`, other]),
    );
    expect(await problemsAfter(`update rounds set ${dice} where id = 1`)).toContain(other);
  });

  it("a transfer that was deleted", async () => {
    const problems = await problemsAfter("delete from transfers where id = 2");
    expect(problems).toContainEqual(
      expect.stringMatching(/^wallet of member 2: its rows sum to -?\d+, the balance is \d+$/),
    );
    expect(problems).toContainEqual(expect.stringMatching(/^wallet of member 2: \d rows, but version \d$/));
    expect(problems).toContain("seal 1: what it covers was changed");
  });

  it("a seal that was changed", async () => {
    const problems = await problemsAfter(`update seals set seal = '${"ab".repeat(32)}' where id = 1`);
    expect(problems).toEqual(["seal 1 does not follow the one before"]);
  });

  it("by its seal, a history that was rewritten consistently everywhere else", async () => {
    const problems = await problemsAfter(`
      update transfers set amount = amount + 700, balance_after = balance_after + 700 where member_id = 2;
      update bets set balance_after = balance_after + 700 where member_id = 2;
      update payouts set balance_after = balance_after + 700 where member_id = 2;
      update wallets set balance = balance + 700 where member_id = 2`);
    expect(besideTheLog(problems)).toEqual(["seal 1: what it covers was changed"]);
  });

  it("a bet after its round had closed, and a missing round", async () => {
    const late = await problemsAfter("update bets set created_at = (select closes_at from rounds where id = 1)");
    expect(late).toContain("bet 3 was taken after its round had closed");
    const missing = await problemsAfter("update rounds set number = number + 1 where id = 2");
    expect(missing).toContainEqual(expect.stringMatching(/^k3-1m: rounds .*-0002 to .*-0002 are missing/));
  });

  it("in words, and with its exit status", async () => {
    const { exit, out } = await operate(
      await copies.tampered("update wallets set version = 9 where member_id = 1"),
      "audit",
    );
    expect(exit).toBe(1);
    expect(out).toMatch(/What does not match:\n- wallet of member 1: \d rows, but version 9\n/);
  });
});
