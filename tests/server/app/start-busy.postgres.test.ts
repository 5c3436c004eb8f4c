import { expect, it } from "vitest";
import { eventually } from "../../support/client.ts";
import { openConnection } from "../../support/own-connection.ts";
import { ServerProcess } from "../../support/server-process.ts";

/** The lock that a seal holds while it is written (`db/postgres/transactions.ts`); its holder may be frozen. */
const LOCK = "(7247, 1)";

it("a server that starts while another process holds the ledger longer than a lock waits, starts later", async () => {
  const server = await ServerProcess.start();
  await server.kill();
  const other = await openConnection(server.database);
  await other.run(`select pg_advisory_lock${LOCK}`);
  const starts = server.start();
  const waiting = () =>
    other.all<{ from: string }>(
      `select distinct query_start::text as from from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
  const seen = new Set<string>();
  // A second wait that begins later: the first was given up, and the server still runs.
  await eventually(async () => {
    for (const { from } of await waiting()) seen.add(from);
    if (seen.size < 2) throw new Error("nothing waited a second time");
  }, 60_000);
  await other.run(`select pg_advisory_unlock${LOCK}`);
  await starts;
  expect(await other.all("select 1 as one from log_keys limit 1")).toEqual([{ one: 1 }]);
  await other.close();
  await server.close();
}, 120_000);
