import { afterEach, beforeEach, expect, it } from "vitest";
import { settleRanges } from "#db/schema/lottery.ts";
import { ENGINE } from "../../support/databases.ts";
import { drawWithoutSettling } from "../../support/ledger.ts";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { runMigration } from "../../support/run-migration.ts";
import { settleInSteps } from "../../support/settling.ts";
import { expectPaid, failingWorld, payoutsOf, problemsOf, roundOf, type FailingWorld } from "./failing-world.ts";

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

/** As the version before left it: a round had one number that said how far it was settled. */
async function goBack(settledTo: number): Promise<void> {
  await connection.run("drop table settle_ranges");
  if (ENGINE === "postgres") await connection.run("drop function is_settled");
  await connection.run("alter table rounds add column settled_to bigint not null default 0");
  await connection.run(`update rounds set settled_to = ${settledTo} where id = 1`);
}

it("a round that the version before had half settled goes on where it stood", async () => {
  const { w, ill } = site;
  w.pass(60_000);
  await drawWithoutSettling(w);
  for await (const piece of settleInSteps(w, 1)) if (piece && "outcomes" in piece) break;
  const [first] = await payoutsOf(w, 1);
  await goBack(first!.memberId);
  await runMigration(connection, "0050_settle_ranges");
  const [range, ...more] = await w.deps.db.read.select().from(settleRanges);
  expect(more).toEqual([]);
  expect(range).toEqual({
    roundId: 1,
    fromId: 1,
    toId: Number.MAX_SAFE_INTEGER,
    settledTo: first!.memberId,
    indexedTo: 0,
  });
  await w.live(3_000);
  await expectPaid(ill, 1);
  expect(await payoutsOf(w, 1)).toHaveLength(3);
  expect(await roundOf(w, 1)).toMatchObject({ failedAt: null, indexedAt: expect.any(Number) });
  expect(await w.deps.db.read.select().from(settleRanges)).toEqual([]);
  expect(await problemsOf(w)).toEqual([]);
});
