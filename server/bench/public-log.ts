import { createDatabase } from "./database.ts";
import { median } from "./measure.ts";
import type { Closed, Proved } from "./parts/log-play.ts";
import type { ServerPart } from "./parts/server.ts";
import { startPart, type Part } from "./part.ts";
import { fillMembers, noPostgres, startBenchPostgres } from "./postgres-database.ts";
import { figure, inMs, type Line, type Row } from "./report.ts";

const BETS_EACH = 5;
const games = [{ key: "k3-1m", name: "A minute", periodS: 60, closeS: 3 }];
/** How many bets the closed rounds have, how often each is measured, and the longest time until all are told. */
const SIZES = [
  { bets: 100_000, times: 3, targetMs: 400 },
  { bets: 1_000_000, times: 1, targetMs: 1_000 },
];

const MOST_MEMBERS = Math.max(...SIZES.map(({ bets }) => bets)) / BETS_EACH;

/** The public log: from a closing to the told head, what a receipt costs, and proofs. */
export const publicLogRow: Row = async (log) => {
  using database = await createDatabase(MOST_MEMBERS);
  await using server = startPart<ServerPart>("server");
  await server.call("open", { folder: database.folder, games, how: "byHand" });
  const lines = await closings(server, "SQLite", log);
  const receipts = await server.call("receiptCost");
  const inclusion = await server.call("inclusionCost");
  return [
    ...lines,
    {
      what: "receipts of a batch of 256 bets, CPU for each bet",
      value: receipts.cpuUs,
      unit: "µs",
      detail: `${figure(receipts.letters)} letters each`,
    },
    {
      what: "an inclusion proof in a log of 10^8 leaves, from its tiles",
      value: inclusion.ms,
      unit: "ms",
      detail: `a path of ${inclusion.bytes} bytes, ${inclusion.tiles} tiles`,
      goal: { better: "less", target: 1 },
    },
  ];
};

/** Closings on PostgreSQL. */
export const publicLogPostgresRow: Row = async (log) => {
  await using postgres = await startBenchPostgres();
  if (!postgres) return noPostgres("closings on PostgreSQL");
  const url = await postgres.createDatabase("closings", (client) => fillMembers(client, MOST_MEMBERS));
  await using server = startPart<ServerPart>("server", url);
  await server.call("open", { folder: postgres.folder, games, how: "byHand" });
  return await closings(server, "PostgreSQL", log);
};

async function closings(server: Part<ServerPart>, engine: string, log: (progress: string) => void): Promise<Line[]> {
  const lines: Line[] = [];
  for (const { bets, times, targetMs } of SIZES) {
    const closed: Closed[] = [];
    const proved: Proved[] = [];
    for (let time = 0; time < times; time++) {
      await server.call("betAndGrow", bets / BETS_EACH, BETS_EACH);
      closed.push(await server.call("closeTold"));
      proved.push(await server.call("prove"));
      const { tookMs, cpuMs, blockMs } = closed.at(-1)!;
      const told = `told after ${inMs(tookMs)}, ${inMs(cpuMs)} of CPU, the loop blocked ${inMs(blockMs)}`;
      log(`${figure(bets)} bets on ${engine}: ${told}`);
      await server.call("finish");
    }
    lines.push(...linesOf({ bets, engine, targetMs }, closed, proved));
  }
  return lines;
}

interface Measured {
  bets: number;
  engine: string;
  targetMs: number;
}

function linesOf({ bets, engine, targetMs }: Measured, closed: readonly Closed[], proved: readonly Proved[]): Line[] {
  const took = closed.map(({ tookMs }) => tookMs);
  const cpu = median(closed.map(({ cpuMs }) => cpuMs));
  const blocks = closed.map(({ blockMs }) => blockMs);
  return [
    {
      what: `from closing a round of ${figure(bets)} bets on ${engine} until its signed head is told`,
      value: median(took),
      unit: "ms",
      detail: `${inMs(cpu)} of CPU, the main loop blocked ${inMs(median(blocks))} at most (${took.length} times)`,
      goal: { better: "less", target: targetMs },
    },
    {
      what: `the first proof of a bet in a round of ${figure(bets)} on ${engine}`,
      value: median(proved.map(({ firstMs }) => firstMs)),
      unit: "ms",
      detail: `${inMs(median(proved.map(({ otherMs }) => otherMs)))} in another group of the round`,
    },
  ];
}
