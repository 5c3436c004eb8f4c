import { interleave } from "./measure.ts";
import { startPart, type Part } from "./part.ts";
import type { CrowdPart } from "./parts/crowd.ts";
import type { ServerPart } from "./parts/server.ts";
import { fillMembers, noPostgres, startBenchPostgres, type BenchPostgres } from "./postgres-database.ts";
import { figure, inMs, ratioLine, type Row } from "./report.ts";

const MEMBERS = 5_000;
const PAIRS = 7;
/** Draws until the code is compiled. */
const WARM_UPS = 5;
const KEY = "k3-1m";
const games = [{ key: KEY, name: "A minute", periodS: 60, closeS: 3 }];

/** A draw that 5 000 watching members bet on, broadcast by two processes on one PostgreSQL, and by one. */
export const broadcastProcessesRow: Row = async (log) => {
  const what = `draw → the last of ${figure(MEMBERS)} has result and balance: 2 processes on a PostgreSQL ÷ 1`;
  await using postgres = await startBenchPostgres();
  if (!postgres) return noPostgres(what);
  await using crowd = startPart<CrowdPart>("crowd");
  await using two = await openServers(postgres, crowd, 2);
  await using one = await openServers(postgres, crowd, 1);
  log(`${figure(MEMBERS)} members watch at two servers, and as many at one`);
  const found = await interleave(
    PAIRS,
    () => broadcast(two, crowd),
    () => broadcast(one, crowd),
    WARM_UPS,
  );
  return [ratioLine(what, found, inMs)];
};

/** The first server plays. The others follow its clock. */
interface Servers extends AsyncDisposable {
  first: Part<ServerPart>;
  others: Part<ServerPart>[];
}

/** Opens servers on a database of their own, and spreads the members over them. */
async function openServers(postgres: BenchPostgres, crowd: Part<CrowdPart>, count: number): Promise<Servers> {
  const url = await postgres.createDatabase(`telling_${count}`, (client) => fillMembers(client, MEMBERS));
  const parts = Array.from({ length: count }, () => startPart<ServerPart>("server", url));
  const each = MEMBERS / count;
  for (const [i, part] of parts.entries()) {
    const setup = { folder: `${postgres.folder}/${count}`, games: i === 0 ? games : [], how: "byHand" } as const;
    const address = await part.call("open", setup);
    await crowd.call("join", { url: address, count: each, first: i * each + 1, watch: KEY });
  }
  const end = async () => void (await Promise.all(parts.map((part) => part[Symbol.asyncDispose]())));
  return { first: parts[0]!, others: parts.slice(1), [Symbol.asyncDispose]: end };
}

/** All members bet and the round closes. Measures from the draw until the last member has the result, in ms. */
async function broadcast({ first, others }: Servers, crowd: Part<CrowdPart>): Promise<number> {
  const turnTo = (ms: number) => Promise.all(others.map((other) => other.call("follow", ms)));
  await first.call("bet", MEMBERS, 1);
  const { closesAt, drawsAt } = await first.call("due");
  await turnTo(closesAt);
  await first.call("close");
  await crowd.call("expect", '"mine"', MEMBERS);
  await turnTo(drawsAt);
  const begunMs = await first.call("draw");
  const lastMs = await crowd.call("lastReceived");
  await first.call("settled");
  return lastMs - begunMs;
}
