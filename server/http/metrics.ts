import { and, isNull } from "drizzle-orm";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { rounds } from "#db/schema/lottery.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Health } from "./health.ts";

/** A round not paid this long after its due draw is overdue. */
const OVERDUE_MS = 10_000;

/** The metrics of `/metrics` in Prometheus' format. */
export function metricsOf(deps: Pick<Deps, "bus" | "db" | "clock">, health: Health) {
  const { bus } = deps;
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  /** A value that cannot be read is NaN; the others are still reported. */
  const gauge = (name: string, help: string, value: () => number | Promise<number>) => {
    const read = async () => value();
    const collect = async () => made.set(await read().catch(() => Number.NaN));
    const made: Gauge = new Gauge({ name, help, registers, collect });
  };
  const requests = new Histogram({
    name: "trio_http_seconds",
    help: "Time to answer",
    labelNames: ["route", "status"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
    registers,
  });
  const drawn = new Counter({ name: "trio_rounds_drawn_total", help: "Rounds drawn", registers });
  const stakes = new Counter({ name: "trio_bets_total", help: "Bets taken by this process", registers });
  const { failing, watch } = health.rounds;
  gauge("trio_sockets", "Open sockets", () => health.sockets());
  gauge(
    "trio_database_writable",
    "0 while nothing can be written: disk full, read-only or failing, or out of reach",
    () => (deps.db.away() ? 0 : 1),
  );
  gauge("trio_rounds_failed", "Rounds that failed a check and wait for round:retry", () => countFailed(deps));
  gauge("trio_rounds_overdue", "Rounds whose draw was due and that are not paid yet", () => countOverdue(deps));
  gauge("trio_steps_failing", "Steps of rounds that failed here and are tried again", failing);
  gauge("trio_clock_behind_seconds", "How far the clock stands before what was committed", () => watch.behindMs / 1000);
  gauge("trio_clock_jumps_ahead", "How often this process saw the clock set ahead", () => watch.jumps.ahead);
  gauge("trio_clock_jumps_back", "How often this process saw the clock set back", () => watch.jumps.back);
  bus.on("round.drawn", () => drawn.inc());
  bus.on("wallet.changed", ({ code }) => {
    if (code === "stake") stakes.inc();
  });
  return { registry, requests };
}

type Reading = Pick<Deps, "db" | "clock">;

async function countFailed(deps: Reading): Promise<number> {
  return (await readUnfinished(deps)).filter(({ failedAt }) => failedAt !== null).length;
}

async function countOverdue(deps: Reading): Promise<number> {
  const before = deps.clock.now() - OVERDUE_MS;
  return (await readUnfinished(deps)).filter(({ drawsAt }) => drawsAt < before).length;
}

/** Rounds that are not paid yet. */
const readUnfinished = ({ db }: Reading) =>
  db.read
    .select({ failedAt: rounds.failedAt, drawsAt: rounds.drawsAt })
    .from(rounds)
    .where(and(isNull(rounds.indexedAt), isNull(rounds.settledAt)));
