import { createDatabase } from "./database.ts";
import type { ServerPart } from "./parts/server.ts";
import { startPart } from "./part.ts";
import { figure, type Row } from "./report.ts";

const LEAVES = 1_000_000;
const ROUNDS_A_DAY = 2_208;
const MINUTES_A_DAY = 1_440;
const DAYS = 365;
/** A round's opening, closing, draw and payouts. */
const LEAVES_A_ROUND = 4;
/** All heads of so many days are kept, and of older ones one an hour. */
const HEADS_DAYS = 31;
/** With its signature by the log's key: db/schema/log.ts. */
const HEAD_BYTES = 425;
const GB = 1e9;

/** What the public log takes on disk, over many leaves, and what that makes in a year. */
export const logSizeRow: Row = async (log) => {
  using database = await createDatabase(1);
  await using server = startPart<ServerPart>("server");
  await server.call("open", { folder: database.folder, games: [], how: "byHand" });
  const room = await server.call("fillLog", database.file, LEAVES);
  const each = (name: "bundles" | "tiles" | "rows") => room[name] / room.leaves;
  const leaf = each("bundles") + each("tiles") + each("rows");
  log(`${figure(room.leaves)} leaves`);
  return [
    {
      what: `a leaf of the public log on SQLite, over ${figure(room.leaves)}`,
      value: leaf,
      unit: "bytes",
      detail: `${figure(each("bundles"))} in bundles, ${figure(each("tiles"))} in tiles, ${figure(each("rows"))} in rows`,
    },
    {
      what: `a year's log at ${figure(ROUNDS_A_DAY)} rounds a day, no two closings at one time`,
      value: yearOf(leaf, MINUTES_A_DAY + ROUNDS_A_DAY) / GB,
      unit: "GB",
      detail: `${figure(yearOf(leaf, MINUTES_A_DAY) / GB)} GB where all closings of a minute share a head`,
      goal: { better: "less", target: 1 },
    },
  ];
};

/** Each head ends with a time, and has a seal. */
function yearOf(leaf: number, headsADay: number): number {
  const leaves = (ROUNDS_A_DAY * LEAVES_A_ROUND + 2 * headsADay) * DAYS;
  const heads = headsADay * HEADS_DAYS + 24 * (DAYS - HEADS_DAYS);
  return leaves * leaf + heads * HEAD_BYTES;
}
