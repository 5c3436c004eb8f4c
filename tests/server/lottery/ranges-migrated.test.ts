import { afterEach, beforeEach, expect, it } from "vitest";
import { settleRanges } from "#db/schema/lottery.ts";
import { drawWithoutSettling } from "../../support/ledger.ts";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { runMigration } from "../../support/run-migration.ts";
import { settleInSteps } from "../../support/settling.ts";
import { operate } from "../admin/operate.ts";
import { goBackBeforeRanges } from "./before-ranges.ts";
import { expectPaid, failingWorld, payoutsOf, problemsOf, ROUND, roundOf, type FailingWorld } from "./failing-world.ts";

let site: FailingWorld;
let connection: OwnConnection;

beforeEach(async () => {
  site = await failingWorld();
  connection = await openConnection(site.w.config.database);
});
afterEach(async () => {
  await connection.close();
  await site.close();
});

/** Settles the first round up to a piece of that name, as the version before, and then updates. */
async function updateAfter(name: "outcomes" | "settled"): Promise<number> {
  const { w } = site;
  w.pass(60_000);
  await drawWithoutSettling(w);
  for await (const piece of settleInSteps(w, 1)) if (piece && name in piece) break;
  const settledTo = (await payoutsOf(w, 1)).at(-1)!.memberId;
  await goBackBeforeRanges(connection);
  await connection.run(`update rounds set settled_to = ${settledTo} where id = 1`);
  await runMigration(connection, "0050_settle_ranges");
  return settledTo;
}

const ranges = () => site.w.deps.db.read.select().from(settleRanges);

it.each([
  ["half settled", "outcomes"],
  ["settled and not indexed", "settled"],
] as const)("a round that the version before had %s goes on where it stood", async (_, name) => {
  const { w, ill } = site;
  const settledTo = await updateAfter(name);
  expect(await ranges()).toEqual([{ roundId: 1, fromId: 1, toId: Number.MAX_SAFE_INTEGER, settledTo, indexedTo: 0 }]);
  await w.live(3_000);
  await expectPaid(ill, 1);
  expect(await payoutsOf(w, 1)).toHaveLength(3);
  expect(await roundOf(w, 1)).toMatchObject({ failedAt: null, indexedAt: expect.any(Number) });
  expect(await ranges()).toEqual([]);
  expect(await problemsOf(w)).toEqual([]);
});

it("a round that had failed in the middle stays so until it is retried, and pays the rest then", async () => {
  const { w, ill } = site;
  const settledTo = await updateAfter("outcomes");
  await connection.run("update rounds set failed_at = 1, failure = 'a test' where id = 1");
  await w.live(3_000);
  expect((await payoutsOf(w, 1)).at(-1)!.memberId).toBe(settledTo);
  await operate(w, "round:retry", "k3-1m", ROUND);
  await w.live(2_000);
  await expectPaid(ill, 1);
  expect(await payoutsOf(w, 1)).toHaveLength(3);
});
