import { statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { clearKeys, createDatabase, tokenHeader } from "./database.ts";
import { fillPast } from "./fill-past.ts";
import { compare, interleave, median, nowMs, secondsSince, type Comparison } from "./measure.ts";
import { startPart } from "./part.ts";
import type { BettingPart } from "./parts/betting.ts";
import type { Settled } from "./parts/play.ts";
import type { ServerPart } from "./parts/server.ts";
import {
  clearPostgresKeys,
  fillMembers,
  fillPastPostgres,
  noPostgres,
  startBenchPostgres,
} from "./postgres-database.ts";
import { figure, inMicros, inMs, perSecond, ratioLine, type Line, type Row } from "./report.ts";

const MEMBERS = 100_000;
const LONG = 100_000_000;
const SHORT = 1_000;
/** What a bet of the past takes on the disk while it is written, in bytes, with its index and its keys. */
const BYTES_A_BET = { SQLite: 110, PostgreSQL: 260 };
/** How much of the free disk may be used. */
const SHARE = 0.8;

const IN_FLIGHT = 1_024;
const BET_PAIRS = 5;
const BET_SECONDS = 4;
const PAGES = 300;
const PAGE_PAIRS = 3;
const SETTLED = 100_000;
const SETTLED_EACH = 5;
const SETTLE_PAIRS = 3;
/** The table whose rounds are settled. The past is another's, whose round stays open. */
const games = [{ key: "k3-1m", name: "A minute", periodS: 60, closeS: 3 }];

/** A database with a past: what its servers and its bets need. */
interface Filled {
  folder: string;
  /** Where a process finds the database. */
  address: string;
  /** For `DATABASE_URL`; on SQLite the folder says it. */
  url?: string;
  /** Deletes the keys of bets, as settling does. */
  clearKeys(): Promise<void>;
}

/**
 * What a bet, a page of the money log and a settlement cost beside 10^8 bets of the past, or as many powers of ten as the
 * disk has room for, on either engine. Needs tens of gigabytes and half an hour, so it runs only when it is named.
 */
export const vastRow: Row = async (log) => [...(await onSqlite(log)), ...(await onPostgres(log))];

type Log = Parameters<Row>[0];

/** As many bets as fit. */
function mostBets(engine: keyof typeof BYTES_A_BET): number {
  const { bavail, bsize } = statfsSync(tmpdir());
  const room = (bavail * bsize * SHARE) / BYTES_A_BET[engine];
  return Math.min(LONG, 10 ** Math.floor(Math.log10(room)));
}

async function onSqlite(log: Log): Promise<Line[]> {
  const bets = mostBets("SQLite");
  const begunMs = nowMs();
  using long = await createDatabase(MEMBERS, (raw) => fillPast(raw, MEMBERS, bets));
  using short = await createDatabase(MEMBERS, (raw) => fillPast(raw, MEMBERS, SHORT));
  log(`SQLite: wrote ${figure(bets)} bets in ${secondsSince(begunMs).toFixed(0)} s`);
  const filled = ({ folder, file }: typeof long): Filled => ({
    folder,
    address: file,
    clearKeys: async () => clearKeys(file),
  });
  return await compareAll("SQLite", bets, [filled(long), filled(short)], log);
}

async function onPostgres(log: Log): Promise<Line[]> {
  await using server = await startBenchPostgres();
  if (!server) return noPostgres("bets/s with 100 000 000 bets of history on PostgreSQL");
  const bets = mostBets("PostgreSQL");
  const begunMs = nowMs();
  const create = async (name: string, count: number): Promise<Filled> => {
    const url = await server.createDatabase(name, async (client) => {
      await fillMembers(client, MEMBERS);
      await fillPastPostgres(client, MEMBERS, count);
    });
    return { folder: `${server.folder}/${name}`, address: url, url, clearKeys: () => clearPostgresKeys(url) };
  };
  const both = [await create("long", bets), await create("short", SHORT)] as const;
  log(`PostgreSQL: wrote ${figure(bets)} bets in ${secondsSince(begunMs).toFixed(0)} s`);
  return await compareAll("PostgreSQL", bets, both, log);
}

async function compareAll(
  engine: string,
  bets: number,
  [long, short]: readonly [Filled, Filled],
  log: Log,
): Promise<Line[]> {
  const beside = `with ${figure(bets)} bets of history ÷ with ${figure(SHORT)}, ${engine}`;
  const rates = await interleave(BET_PAIRS, betting(long), betting(short));
  log(`${engine}: ${perSecond(rates.ours)} against ${perSecond(rates.baseline)}`);
  await using vast = await openServer(long);
  await using small = await openServer(short);
  const [page, smallPage] = [() => pageMs(vast.address), () => pageMs(small.address)];
  const pages = await interleave(PAGE_PAIRS, page, smallPage);
  log(`${engine}: a page of the money log in ${inMs(pages.ours)} against ${inMs(pages.baseline)}`);
  const settled = await settlements(vast, small);
  log(`${engine}: settled`);
  return [
    ratioLine(`bets/s ${beside}`, rates, perSecond, { better: "more", target: 0.95 }),
    ratioLine(`a page of the money log ${beside}`, pages, inMs),
    ratioLine(`a bet's settling ${beside}`, settled.credit, inMicros),
    ratioLine(`a bet's indexing ${beside}`, settled.index, inMicros),
  ];
}

/** Bets of members all over the table, in bets a second. */
function betting({ address, url, clearKeys }: Filled): () => Promise<number> {
  return async () => {
    await clearKeys();
    await using part = startPart<BettingPart>("betting", url);
    await part.call("open", address);
    return await part.call("place", { members: MEMBERS, inFlight: IN_FLIGHT, seconds: BET_SECONDS });
  };
}

interface Opened extends AsyncDisposable {
  address: string;
  settle(): Promise<Settled>;
}

async function openServer({ folder, url, clearKeys }: Filled): Promise<Opened> {
  await clearKeys();
  const part = startPart<ServerPart>("server", url);
  const address = await part.call("open", { folder, games, how: "byHand" });
  return {
    address,
    async settle() {
      await part.call("bet", SETTLED / SETTLED_EACH, SETTLED_EACH);
      return part.call("settle");
    },
    [Symbol.asyncDispose]: () => part[Symbol.asyncDispose](),
  };
}

let asked = 0;

/** The median of how long a page of the money log takes, of members all over the table, each for the first time. In ms. */
async function pageMs(address: string): Promise<number> {
  const took: number[] = [];
  for (let page = 0; page < PAGES; page++) {
    const headers = { token: tokenHeader(((asked++ * 7_919) % MEMBERS) + 1), lang: "en_us" };
    const begunMs = nowMs();
    const answer = await (await fetch(`${address}/api/member/getMoneylog?page=3`, { headers })).text();
    took.push(nowMs() - begunMs);
    if (!answer.startsWith('{"code":200,')) throw new Error(answer);
  }
  return median(took);
}

/** Rounds settled on each in turn, the first without counting it. In µs a bet. */
async function settlements(vast: Opened, small: Opened): Promise<Record<"credit" | "index", Comparison>> {
  const pairs: [Settled, Settled][] = [];
  for (let pair = 0; pair <= SETTLE_PAIRS; pair++) pairs.push([await vast.settle(), await small.settle()]);
  const compareBy = (step: "creditMs" | "indexMs") =>
    compare(pairs.slice(1).map(([ours, baseline]) => [microsABet(ours[step]), microsABet(baseline[step])]));
  return { credit: compareBy("creditMs"), index: compareBy("indexMs") };
}

const microsABet = (ms: number): number => (ms * 1_000) / SETTLED;
