import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
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
});

/** A way to a PostgreSQL that drops the first `listen`, as if the server were too busy to answer in time. */
async function wayThatDropsAListen(to: URL) {
  let dropped = 0;
  const way = createServer((near) => {
    const far = connect(Number(to.port), to.hostname);
    near.on("data", (chunk) => {
      if (dropped === 0 && chunk.includes("listen outbox")) dropped++;
      else far.write(chunk);
    });
    far.pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on("error", () => other.destroy()).on("close", () => other.destroy());
  }).listen(0, "127.0.0.1");
  await once(way, "listening");
  const address = new URL(to);
  address.port = String((way.address() as AddressInfo).port);
  return { address: address.href, dropped: () => dropped, close: () => void way.close() };
}

it("a server whose database is too busy to answer its first listen, asks again and starts", async () => {
  const first = await ServerProcess.start();
  const way = await wayThatDropsAListen(new URL(first.database));
  const second = await ServerProcess.start({ sameDatabaseAs: first, env: { DATABASE_URL: way.address } });
  expect(way.dropped()).toBe(1);
  await second.close();
  way.close();
  await first.close();
});
