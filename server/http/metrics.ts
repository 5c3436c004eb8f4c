import { setTimeout as sleep } from "node:timers/promises";
import { asc, lte } from "drizzle-orm";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import { pushMessages } from "#db/schema/push.ts";
import type { Deps } from "#server/app/deps.ts";
import { newestTold } from "#server/domains/log/read-log.ts";
import { readWitnesses } from "#server/domains/log/signing-witnesses.ts";
import { readUnpaidRounds } from "#server/domains/lottery/unpaid-rounds.ts";
import type { Health } from "./health.ts";

type Needs = Pick<Deps, "bus" | "db" | "clock" | "publicLog" | "security">;
type Value = number | Promise<number>;

/** What Node says of this process: memory, CPU, event loop. Its observers run until the process ends, so there is one. */
const ofProcess = new Registry();
collectDefaultMetrics({ register: ofProcess });

/** The metrics of `/metrics` in Prometheus' format. */
export function metricsOf(deps: Needs, health: Health) {
  const registry = new Registry();
  addGauges(registry, deps, health);
  addSite(registry, deps);
  addProviders(registry, health);
  addQueues(registry, deps, health);
  addCounters(registry, deps);
  const requests = new Histogram({
    name: "trio_http_seconds",
    help: "Seconds from a request to its response",
    labelNames: ["route", "status"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
    registers: [registry],
  });
  return { report: Registry.merge([ofProcess, registry]), requests: byRoute(requests) };
}

/** Finds a route's part of a histogram without building its labels anew for each request. */
function byRoute(requests: Histogram<"route" | "status">) {
  const known = new Map<string, ReturnType<typeof requests.labels>[]>();
  return (route: string, status: number) => {
    let parts = known.get(route);
    if (!parts) known.set(route, (parts = []));
    return (parts[status] ??= requests.labels({ route, status }));
  };
}

/** A value that takes longer to read, as from a disk that hangs, cannot be read. */
const READ_MS = 5_000;

/** Adds gauges. A value that cannot be read is NaN; the others are still reported. */
function gaugesOf(registry: Registry) {
  return (name: string, help: string, value: () => Value): void => {
    const read = async () => value();
    const collect = async () => {
      const late = sleep(READ_MS, Number.NaN, { ref: false });
      made.set(await Promise.race([read(), late]).catch(() => Number.NaN));
    };
    const made: Gauge = new Gauge({ name, help, registers: [registry], collect });
  };
}

/** What is so in this process, at the moment somebody asks. */
function addGauges(registry: Registry, { db }: Needs, health: Health): void {
  const gauge = gaugesOf(registry);
  const { failing, watch } = health.rounds;
  gauge("trio_sockets", "Open sockets", () => health.sockets());
  gauge("trio_database_writable", "0 while the database takes no writes", () => (db.away() ? 0 : 1));
  gauge("trio_steps_failing", "Steps of rounds that failed in this process and are retried", failing);
  gauge("trio_clock_behind_seconds", "How far the clock is behind the newest commit", () => watch.behindMs / 1000);
  gauge("trio_clock_jumps_ahead", "How often this process saw the clock set ahead", () => watch.jumps.ahead);
  gauge("trio_clock_jumps_back", "How often this process saw the clock set back", () => watch.jumps.back);
  gauge("trio_ledger_sum", "All accounts together, in 1/100 unit", () => health.ledgerSum());
  gauge("trio_outbox_age_seconds", "How long news has waited here, unread", () => health.outboxAgeMs() / 1000);
  const backups = shared(() => health.backups());
  gauge("trio_backup_age_seconds", "Age of the newest backup whose trial found nothing", async () =>
    toExactSeconds((await backups()).ageMs),
  );
  gauge("trio_backup_late_seconds", "How long the next such backup is overdue", async () =>
    toExactSeconds((await backups()).lateMs),
  );
  gauge("trio_backup_problems", "What the trial of the newest backup found", async () => (await backups()).problems);
  gauge("trio_disk_free_bytes", "Free bytes on the disk of DATA_DIR", () => health.diskFree());
}

/** What is so of the site, as its database says. Each value is a read of a few rows, by an index. */
function addSite(registry: Registry, { db, clock, publicLog }: Needs): void {
  const gauge = gaugesOf(registry);
  const unpaid = shared(() => readUnpaidRounds(db.read, clock.now()));
  const rounds = (name: string, help: string, value: (all: Awaited<ReturnType<typeof unpaid>>) => number) =>
    gauge(name, help, async () => value(await unpaid()));
  rounds("trio_rounds_failed", "Rounds that failed a check and wait for round:retry", (all) =>
    countIn(all, ({ isFailed }) => isFailed),
  );
  rounds("trio_rounds_overdue", "Rounds that are not paid 10 s after their draw was due", (all) =>
    countIn(all, ({ isOverdue }) => isOverdue),
  );
  rounds("trio_rounds_unsettled", "Rounds whose draw was due and that are not paid yet", (all) =>
    countIn(all, ({ lateMs }) => lateMs > 0),
  );
  rounds("trio_round_late_seconds", "How long the latest of them waits, those that failed a check left out", (all) =>
    all.reduce((most, { isFailed, lateMs }) => (isFailed ? most : Math.max(most, lateMs / 1000)), 0),
  );
  const { keys, needed } = publicLog.wanted;
  const silent = shared(async () => countIn((await readWitnesses(db.read, keys)) ?? [], ({ isSilent }) => isSilent));
  gauge("trio_log_head_age_seconds", "Age of the newest head of the public log", async () =>
    secondsSince(clock.now(), (await newestTold(db.read))?.at ?? Number.NaN),
  );
  gauge("trio_witnesses_silent", "Witnesses that signed no head of the last three minutes", silent);
  gauge("trio_witnesses_missing", "How many signatures fewer than WITNESSES_NEEDED there are", async () =>
    Math.max(0, needed - (keys.length - (await silent()))),
  );
  gauge("trio_push_lag_seconds", "How long the oldest notification that is due has waited", async () => {
    const { dueAt } = pushMessages;
    const isDue = lte(dueAt, clock.now());
    const [first] = await db.read.select({ dueAt }).from(pushMessages).where(isDue).orderBy(asc(dueAt)).limit(1);
    return first ? secondsSince(clock.now(), first.dueAt) : 0;
  });
}

/** Payment providers, which say nothing of themselves while they are away. A value that cannot be read is left out. */
function addProviders(registry: Registry, health: Health): void {
  const made: Gauge<"channel"> = new Gauge({
    name: "trio_payments_unseen_seconds",
    help: "How long ago a channel's payments were last compared with our orders",
    labelNames: ["channel"],
    registers: [registry],
    async collect() {
      const all = await health.providers().catch(() => []);
      made.reset();
      for (const [channel, ms] of all) made.set({ channel }, toExactSeconds(ms));
    },
  });
}

/** Who waits in this process, and for how long. */
function addQueues(registry: Registry, { bus, db, security }: Needs, health: Health): void {
  labelled(registry, Gauge, ["trio_waiting", "Who waits in this process: for a hash, or with a bet", "lane"], () =>
    Object.entries(health.waiting()),
  );
  labelled(registry, Gauge, ["trio_database_waiting", "Who waits for a connection, or the turn to write", "side"], () =>
    Object.entries(db.waits()).map(([side, { waiting }]) => [side, waiting]),
  );
  labelled(registry, Counter, ["trio_database_wait_seconds_total", "What all waited for that together", "side"], () =>
    Object.entries(db.waits()).map(([side, { waitedMs }]) => [side, waitedMs / 1000]),
  );
  labelled(registry, Counter, ["trio_security_events_total", "Security events, by kind", "event"], () => [
    ...security.totals,
  ]);
  const bets = new Histogram({
    name: "trio_bet_seconds",
    help: "Seconds that a batch of bets spent in a stage: its first bet waits, it is committed, it is signed",
    labelNames: ["stage"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
    registers: [registry],
  });
  bus.on("bets.took", ({ stage, ms }) => bets.observe({ stage }, ms / 1000));
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

/** Adds a metric of what is counted elsewhere, by one label. */
function labelled(
  registry: Registry,
  Kind: typeof Gauge | typeof Counter,
  [name, help, label]: readonly [name: string, help: string, label: string],
  values: () => (readonly [label: string, value: number])[],
): void {
  const collect = () => {
    made.reset();
    for (const [of, value] of values()) made.inc({ [label]: of }, value);
  };
  const made: Gauge | Counter = new Kind({ name, help, labelNames: [label], registers: [registry], collect });
}

/** One read for all gauges of a scrape. */
function shared<T>(read: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  return () =>
    (running ??= read().finally(() => {
      running = null;
    }));
}

const countIn = <T>(all: readonly T[], is: (one: T) => boolean): number => all.filter(is).length;

const toExactSeconds = (ms: number): number => ms / 1000;

const secondsSince = (now: number, then: number): number => Math.max(0, now - then) / 1000;
