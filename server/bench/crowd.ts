import { broadcastDraw } from "./broadcast-draw.ts";
import { createDatabase } from "./database.ts";
import { median } from "./measure.ts";
import { startPart } from "./part.ts";
import type { CrowdPart } from "./parts/crowd.ts";
import type { ServerPart } from "./parts/server.ts";
import { figure, inMs, type Row } from "./report.ts";

/** More than one server is meant to hold. */
const MEMBERS = 15_000;
const DRAWS = 5;
/** Draws until the code is compiled. */
const WARM_UPS = 2;
const KEY = "k3-1m";
const games = [{ key: KEY, name: "A minute", periodS: 60, closeS: 3 }];

/** One process with 15 000 members who all bet: what a socket holds, and how long a draw takes to reach the last of them. */
export const crowdRow: Row = async (log) => {
  using database = await createDatabase(MEMBERS);
  await using server = startPart<ServerPart>("server");
  await using crowd = startPart<CrowdPart>("crowd");
  const url = await server.call("open", { folder: database.folder, games, how: "byHand" });
  const before = await server.call("memoryHeld");
  await crowd.call("join", { url, count: MEMBERS, watch: KEY });
  const after = await server.call("memoryHeld");
  log(`${figure(MEMBERS)} members watch`);

  const took: number[] = [];
  for (let draw = 0; draw < WARM_UPS + DRAWS; draw++) {
    const { tookMs } = await broadcastDraw(server, crowd, MEMBERS);
    if (draw >= WARM_UPS) took.push(tookMs);
  }
  const kibibytes = (bytes: number) => bytes / 1024 / MEMBERS;
  const [heap, rss] = [kibibytes(after.heap - before.heap), kibibytes(after.rss - before.rss)];
  return [
    {
      what: `memory per socket, ${figure(MEMBERS)} in one process`,
      value: Math.max(heap, rss),
      unit: "KiB",
      detail: `on the heap ${figure(heap)}, of the machine ${figure(rss)}`,
    },
    {
      what: `draw → the last of ${figure(MEMBERS)} has result and balance`,
      value: median(took),
      unit: "ms",
      detail: `${inMs(Math.min(...took))} to ${inMs(Math.max(...took))} in ${took.length}; ${figure((median(took) * 1_000) / MEMBERS)} µs a member`,
    },
  ];
};
