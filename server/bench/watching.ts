import { createDatabase } from "./database.ts";
import { compare } from "./measure.ts";
import type { BareWsPart } from "./parts/bare-ws.ts";
import type { CrowdPart } from "./parts/crowd.ts";
import type { ServerPart } from "./parts/server.ts";
import { startPart, type Part } from "./part.ts";
import { figure, ratioLine, type Row } from "./report.ts";

const WATCHERS = 10_000;
/** These come first and leave again, so that one-time allocations are not counted. */
const EARLY = 500;
/** engine.io's default interval, for bare ws. The hub's own is longer, because its countdowns keep connections open. */
const PING_MS = 25_000;
const WINDOWS = 5;
/** One period of the countdowns, so that each window has one of them. */
const WINDOW_MS = 10_000;
const KEY = "k3-day";
const games = [{ key: KEY, name: "A day", periodS: 86_400, closeS: 3 }];

type Served = Part<{ cpuMs(): number; memoryHeld(): Memory }>;
type Memory = { heap: number; rss: number };

/** The cost of idle watchers to an otherwise idle server, against as many on bare `ws`. */
export const watchingRow: Row = async (log) => {
  using database = await createDatabase(WATCHERS);
  await using server = startPart<ServerPart>("server");
  await using bare = startPart<BareWsPart>("bare-ws");
  await using watchers = startPart<CrowdPart>("crowd");
  await using listeners = startPart<CrowdPart>("crowd");
  const url = await server.call("open", { folder: database.folder, games, how: "running" });
  const bareUrl = await bare.call("open", PING_MS);
  // The arrivals spread the heartbeats evenly, so that each window has as many.
  const perSecond = WATCHERS / (PING_MS / 1000);

  const [memory, bareMemory] = await Promise.all([
    memoryOf(server, watchers, (count) => ({ url, count, perSecond, watch: KEY })),
    memoryOf(bare, listeners, (count) => ({ url: bareUrl, count, perSecond })),
  ]);
  log(`${WATCHERS} watch, and as many listen to bare ws`);
  const pairs: [number, number][] = [];
  for (let window = 0; window < WINDOWS; window++) {
    pairs.push(await cpuDuring(WINDOW_MS, server, bare));
    log(`${share(pairs.at(-1)![0])} against ${share(pairs.at(-1)![1])}`);
  }
  const kibibytes = (bytes: number) => bytes / 1024 / WATCHERS;
  return [
    ratioLine(`processor time for ${figure(WATCHERS)} idle watchers ÷ bare ws heartbeats`, compare(pairs), share, {
      better: "less",
      target: 1.2,
    }),
    {
      what: "memory per watching socket",
      value: kibibytes(Math.max(memory.rss, memory.heap)),
      unit: "KiB",
      detail: `on the heap ${figure(kibibytes(memory.heap))}, of the machine ${figure(kibibytes(memory.rss))}; bare ws ${figure(kibibytes(bareMemory.heap))} and ${figure(kibibytes(bareMemory.rss))}`,
      goal: { better: "less", target: 10 },
    },
  ];
};

const share = (cpuMs: number): string => `${figure((100 * cpuMs) / WINDOW_MS)} % of a core`;

/** The memory that a server gains, in bytes, once all have connected. */
async function memoryOf(
  server: Served,
  crowd: Part<CrowdPart>,
  guests: (count: number) => Parameters<CrowdPart["join"]>[0],
): Promise<Memory> {
  await crowd.call("join", guests(EARLY));
  await crowd.call("leave");
  const before = await server.call("memoryHeld");
  await crowd.call("join", guests(WATCHERS));
  const after = await server.call("memoryHeld");
  return { rss: after.rss - before.rss, heap: after.heap - before.heap };
}

async function cpuDuring(ms: number, server: Served, bare: Served): Promise<[number, number]> {
  const both = () => Promise.all([server.call("cpuMs"), bare.call("cpuMs")]);
  const before = await both();
  await new Promise((resolve) => setTimeout(resolve, ms));
  const after = await both();
  return [after[0] - before[0], after[1] - before[1]];
}
