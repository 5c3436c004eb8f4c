import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Deps } from "#server/app/deps.ts";
import { readUnpaidRounds } from "#server/domains/lottery/unpaid-rounds.ts";
import type { Health } from "./health.ts";

type Needs = Pick<Deps, "bus" | "db" | "clock">;

/** What Node says of this process: memory, CPU, event loop. Its observers run until the process ends, so there is one. */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

/** The metrics of `/metrics` in Prometheus' format. */
export function metricsOf(deps: Needs, health: Health) {
  const registry = new Registry();
  addGauges(registry, deps, health);
  addCounters(registry, deps);
  const requests = new Histogram({
    name: "trio_http_seconds",
    help: "Seconds from a request to its response",
    labelNames: ["route", "status"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
    registers: [registry],
  });
  return { report: Registry.merge([ofProcess, registry]), requests };
}

/** What is so at the moment somebody asks. */
function addGauges(registry: Registry, deps: Needs, health: Health): void {
  /** A value that cannot be read is NaN; the others are still reported. */
  const gauge = (name: string, help: string, value: () => number | Promise<number>) => {
    const read = async () => value();
    const collect = async () => made.set(await read().catch(() => Number.NaN));
    const made: Gauge = new Gauge({ name, help, registers: [registry], collect });
  };
  const { failing, watch } = health.rounds;
  gauge("trio_sockets", "Open sockets", () => health.sockets());
  gauge("trio_database_writable", "0 while the database takes no writes", () => (deps.db.away() ? 0 : 1));
  gauge("trio_rounds_failed", "Rounds that failed a check and wait for round:retry", () =>
    countUnpaid(deps, "isFailed"),
  );
  gauge("trio_rounds_overdue", "Rounds that are not paid 10 s after their draw was due", () =>
    countUnpaid(deps, "isOverdue"),
  );
  gauge("trio_steps_failing", "Steps of rounds that failed in this process and are retried", failing);
  gauge("trio_clock_behind_seconds", "How far the clock is behind the newest commit", () => watch.behindMs / 1000);
  gauge("trio_clock_jumps_ahead", "How often this process saw the clock set ahead", () => watch.jumps.ahead);
  gauge("trio_clock_jumps_back", "How often this process saw the clock set back", () => watch.jumps.back);
}

/** What happened since this process began. */
function addCounters(registry: Registry, { bus }: Needs): void {
  const counter = (name: string, help: string) => new Counter({ name, help, registers: [registry] });
  const drawn = counter("trio_rounds_drawn_total", "Rounds drawn");
  const stakes = counter("trio_bets_total", "Bets taken by this process");
  bus.on("round.drawn", () => drawn.inc());
  bus.on("wallet.changed", ({ code }) => {
    if (code === "stake") stakes.inc();
  });
}

const countUnpaid = async ({ db, clock }: Needs, state: "isFailed" | "isOverdue") =>
  (await readUnpaidRounds(db.read, clock.now())).filter((round) => round[state]).length;
