import { costRow } from "./cost.ts";
import { crowdRow } from "./crowd.ts";
import { firstFrameRow } from "./first-frame.ts";
import { firstLoadRow } from "./first-load.ts";
import { historyRow } from "./history.ts";
import { logSizeRow } from "./log-size.ts";
import { listingsRow } from "./listings.ts";
import { placeOrderRow } from "./place-order.ts";
import { nowMs, secondsSince } from "./measure.ts";
import { publicLogPostgresRow, publicLogRow } from "./public-log.ts";
import { postgresRow } from "./postgres.ts";
import { readingRow } from "./reading.ts";
import { isMissed, lineText, type Line, type Row } from "./report.ts";
import { segmentsRow } from "./segments.ts";
import { settlingRow } from "./settling.ts";
import { sharedSettlingRow } from "./shared-settling.ts";
import { spinningRow } from "./spinning.ts";
import { broadcastProcessesRow } from "./broadcast-processes.ts";
import { broadcastRow } from "./broadcast.ts";
import { vastRow } from "./vast.ts";
import { watchedRoundRow } from "./watched-round.ts";
import { watchingRow } from "./watching.ts";

const ROWS: Record<string, Row> = {
  "place-order": placeOrderRow,
  history: historyRow,
  settling: settlingRow,
  "shared-settling": sharedSettlingRow,
  "public-log": publicLogRow,
  "public-log-postgres": publicLogPostgresRow,
  "log-size": logSizeRow,
  spinning: spinningRow,
  broadcast: broadcastRow,
  crowd: crowdRow,
  postgres: postgresRow,
  "broadcast-processes": broadcastProcessesRow,
  watching: watchingRow,
  cost: costRow,
  reading: readingRow,
  listings: listingsRow,
  segments: segmentsRow,
  "watched-round": watchedRoundRow,
  "first-frame": firstFrameRow,
  "first-load": firstLoadRow,
  vast: vastRow,
};

/** Rows that take so long, and so much of the disk, that they run only when they are named. */
const APART: ReadonlySet<string> = new Set(["vast"]);

// An interrupted bench ends its parts and clears its folders too.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in ROWS));
if (unknown.length) {
  console.error(`Unknown row: ${unknown.join(", ")}. The rows are ${Object.keys(ROWS).join(", ")}`);
  process.exit(2);
}

const begunMs = nowMs();
const lines: Line[] = [];
for (const [name, row] of Object.entries(ROWS)) {
  if (wanted.length ? !wanted.includes(name) : APART.has(name)) continue;
  const log = (progress: string) =>
    console.log(`[${secondsSince(begunMs).toFixed(0).padStart(3)} s] ${name}: ${progress}`);
  log("begins");
  lines.push(...(await row(log)));
}
const missed = lines.filter(isMissed).length;
console.log(`\n${lines.map(lineText).join("\n")}\n`);
console.log(`${missed ? `${missed} missed` : "All targets met"}, in ${secondsSince(begunMs).toFixed(0)} s.`);
process.exit(missed ? 1 : 0);
