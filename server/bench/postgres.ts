import { interleave } from "./measure.ts";
import { startPart, type Part } from "./part.ts";
import type { BettingPart } from "./parts/betting.ts";
import {
  clearPostgresKeys,
  fillMembers,
  fillPastPostgres,
  noPostgres,
  startBenchPostgres,
} from "./postgres-database.ts";
import { figure, perSecond, ratioLine, type Row } from "./report.ts";

const MEMBERS = 100_000;
const HISTORY = 1_000_000;
const IN_FLIGHT = 2_048;
const PAIRS = 5;
const SECONDS = 4;
/** pgbench's clients and threads. Each client needs a branch of its own to write to. */
const CLIENTS = 16;
const THREADS = 2;

/** Bets per second of one server process, and of two, on a durable PostgreSQL, against pgbench on the same server. */
export const postgresRow: Row = async (log) => {
  const what = "bets/s on PostgreSQL ÷ pgbench's TPC-B-like transactions/s on the same server";
  await using server = await startBenchPostgres();
  if (!server) return noPostgres(what);
  const url = await server.createDatabase("bets", async (client) => {
    await fillMembers(client, MEMBERS);
    await fillPastPostgres(client, MEMBERS, HISTORY);
  });
  const plain = await server.createDatabase("plain");
  await server.pgbench(plain, "--initialize", "--quiet", `--scale=${CLIENTS}`);
  log(`${figure(MEMBERS)} members with ${figure(HISTORY)} bets, and pgbench's tables of scale ${CLIENTS}`);
  await using one = startPart<BettingPart>("betting", url);
  await using other = startPart<BettingPart>("betting", url);
  for (const part of [one, other]) await part.call("open", url);

  const bet = (...parts: Part<BettingPart>[]) =>
    async function betsPerSecond(): Promise<number> {
      await clearPostgresKeys(url);
      const shots = { members: MEMBERS, inFlight: IN_FLIGHT / parts.length, seconds: SECONDS };
      const found = await Promise.all(parts.map((part) => part.call("place", shots)));
      return found.reduce((sum, rate) => sum + rate, 0);
    };
  const transact = async () => {
    await clearPostgresKeys(url);
    const how = ["--no-vacuum", "--protocol=prepared", `--client=${CLIENTS}`, `--jobs=${THREADS}`, `--time=${SECONDS}`];
    return Number(/tps = ([\d.]+)/.exec(await server.pgbench(plain, ...how))![1]);
  };
  const found = await interleave(PAIRS, bet(one), transact);
  log(`bets: ${perSecond(found.ours)}, transactions: ${perSecond(found.baseline)}`);
  const both = await interleave(PAIRS, bet(one, other), bet(one));
  const how = `${figure(IN_FLIGHT)} in flight of ${figure(MEMBERS)} members, prepared with ${CLIENTS} clients, both durable`;
  return [
    ratioLine(`${what} (${how})`, found, perSecond, { better: "more", target: 12 }),
    ratioLine("bets/s of two processes on one PostgreSQL ÷ of one, as many in flight", both, perSecond, {
      better: "more",
      target: 1,
    }),
  ];
};
