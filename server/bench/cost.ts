import { createDatabase, tokenHeader } from "./database.ts";
import { flushesOf } from "./disk.ts";
import { nowMs } from "./measure.ts";
import type { CrowdPart } from "./parts/crowd.ts";
import type { ServerPart, Spent } from "./parts/server.ts";
import { startPart, type Part } from "./part.ts";
import { figure, type Line, type Row } from "./report.ts";

const MEMBERS = 1_000;
const MINUTE_MS = 60_000;
/** How long each window lasts, in rounds of a minute. */
const EMPTY_MINUTES = 2;
const BUSY_MINUTES = 3;
const MINUTES_AN_HOUR = 60;
/** In each minute, bets and pages are spread from here to there: what comes before and after belongs to the draw. */
const FIRST_MS = 5_000;
const LAST_MS = 50_000;
const KEY = "k3-1m";
const games = [{ key: KEY, name: "A minute", periodS: 60, closeS: 3 }];

/** What a server and its disk spent in a window. */
interface Cost extends Spent {
  flushes: number | null;
}

/**
 * What a thousand members cost an hour who watch a table of a minute's rounds, each of whom bets on every second round and
 * opens a page of the money log once a minute. And what the same site costs while nobody is there.
 */
export const costRow: Row = async (log) => {
  using database = await createDatabase(MEMBERS);
  await using server = startPart<ServerPart>("server");
  await using crowd = startPart<CrowdPart>("crowd");
  const url = await server.call("open", { folder: database.folder, games, how: "running" });
  const openedMs = nowMs();
  const minute = () => Math.floor((nowMs() - openedMs) / MINUTE_MS);
  const minuteBegins = (which: number) => sleepUntil(openedMs + which * MINUTE_MS);

  await minuteBegins(1);
  const before = await spentSoFar(server, database.folder);
  await minuteBegins(1 + EMPTY_MINUTES);
  const empty = costOf(before, await spentSoFar(server, database.folder), EMPTY_MINUTES);
  log("measured what it costs while nobody is there");

  await crowd.call("join", { url, count: MEMBERS, watch: KEY });
  const first = minute() + 1;
  await minuteBegins(first);
  log(`${figure(MEMBERS)} members watch and bet`);
  const joined = await spentSoFar(server, database.folder);
  for (let which = first; which < first + BUSY_MINUTES; which++) {
    await playMinute(url, which, openedMs + which * MINUTE_MS);
    await minuteBegins(which + 1);
  }
  const busy = costOf(joined, await spentSoFar(server, database.folder), BUSY_MINUTES);
  return [
    lineOf(`an hour of ${figure(MEMBERS)} members`, busy),
    { ...lineOf("an hour of an empty site", empty), goal: { better: "less", target: EMPTY_CPU_S } },
  ];
};

/** Half of the members bet, the other half in the minute after, and all read a page. Throws if one was refused. */
async function playMinute(url: string, which: number, begunMs: number): Promise<void> {
  const body = new URLSearchParams({ item: "A", money: "1", lid: "lot_1", mid: "", expect: expectOf(which) });
  const everyMs = (LAST_MS - FIRST_MS) / MEMBERS;
  const calls: Promise<void>[] = [];
  for (let memberId = 1; memberId <= MEMBERS; memberId++) {
    await sleepUntil(begunMs + FIRST_MS + memberId * everyMs);
    const headers = { token: tokenHeader(memberId), lang: "en_us" };
    calls.push(ask(`${url}/api/member/getMoneylog?page=1`, { headers }));
    if (memberId % 2 === which % 2) calls.push(ask(`${url}/api/game/placeOrder`, { method: "POST", headers, body }));
  }
  await Promise.all(calls);
}

/** The clock starts with a day, so the day's first round is the first minute's. */
const expectOf = (minute: number): string => `20260302-${String(minute + 1).padStart(4, "0")}`;

async function ask(url: string, request: RequestInit): Promise<void> {
  const answer = await (await fetch(url, request)).text();
  if (!answer.startsWith('{"code":200,')) throw new Error(`${url}: ${answer}`);
}

const spentSoFar = async (server: Part<ServerPart>, folder: string): Promise<Cost> => ({
  ...(await server.call("spent")),
  flushes: flushesOf(folder),
});

/** What was spent in between, for an hour of it. */
function costOf(before: Cost, after: Cost, minutes: number): Cost {
  const anHour = (from: number | null, to: number | null) =>
    from === null || to === null ? null : ((to - from) * MINUTES_AN_HOUR) / minutes;
  return {
    cpuMs: anHour(before.cpuMs, after.cpuMs)!,
    sent: anHour(before.sent, after.sent)!,
    written: anHour(before.written, after.written),
    flushes: anHour(before.flushes, after.flushes),
  };
}

const sleepUntil = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, Math.max(0, ms - nowMs())));

const MEGABYTE = 1e6;
/** What nobody uses should cost next to nothing: a hundredth of a core. */
const EMPTY_CPU_S = 36;

function lineOf(what: string, { cpuMs, sent, written, flushes }: Cost): Line {
  const known = (value: number | null, unit: string) => (value === null ? "unknown" : `${figure(value)} ${unit}`);
  const disk = `${known(written && written / MEGABYTE, "MB")} written, ${known(flushes, "fsyncs")}`;
  return { what, value: cpuMs / 1_000, unit: "s of CPU", detail: `${figure(sent / MEGABYTE)} MB sent, ${disk}` };
}
