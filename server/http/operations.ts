import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Deps } from "#server/deps.ts";
import { isLoopback } from "#server/config.ts";
import type { AwayReason } from "#shared/contract/events.ts";

export interface Health {
  /** The server is about to go down: it still does everything, and asks that others be asked instead. */
  leaving: boolean;
  /** The server is going down and takes nothing new. */
  draining: boolean;
  /** How many sockets are open. */
  sockets(): number;
}

/** `/healthz`, `/readyz` and `/metrics`, for whoever runs the server. */
export function mountOperations(app: FastifyInstance, deps: Deps, health: Health, metricsToken?: string): void {
  const { registry, requests } = metricsOf(deps, health);

  app.get("/healthz", () => ({ alive: true }));

  app.get("/readyz", async (_request, reply) => {
    if (health.leaving || health.draining) return reply.code(503).send({ ready: false });
    const reason = await awayReason(deps);
    return reply.code(reason ? 503 : 200).send(reason ? { ready: false, reason } : { ready: true });
  });

  app.get("/metrics", async (request, reply) => {
    if (!mayRead(request, metricsToken)) return reply.code(403).send();
    return reply.type(registry.contentType).send(await registry.metrics());
  });

  app.addHook("onResponse", (request, reply, done) => {
    const route = request.routeOptions.url ?? "none";
    requests.observe({ route, status: reply.statusCode }, reply.elapsedTime / 1000);
    done();
  });
}

/** Why the database can be neither read nor written, or null when it can. */
async function awayReason({ db }: Deps): Promise<AwayReason | null> {
  try {
    await db.ping();
    return null;
  } catch {
    return db.away() ?? "unreachable";
  }
}

function mayRead({ headers, ip }: FastifyRequest, token?: string): boolean {
  // What a proxy on this machine passes on comes from elsewhere, whether or not the proxy is trusted.
  if (!token) return isLoopback(ip) && headers["x-forwarded-for"] === undefined;
  const given = Buffer.from(headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function metricsOf({ bus, db }: Deps, health: Health) {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: "trio_http_seconds",
    help: "Time to answer",
    labelNames: ["route", "status"],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 2],
    registers,
  });
  const drawn = new Counter({ name: "trio_rounds_drawn_total", help: "Rounds drawn", registers });
  const stakes = new Counter({ name: "trio_bets_total", help: "Bets taken by this process", registers });
  const sockets: Gauge = new Gauge({
    name: "trio_sockets",
    help: "Open sockets",
    registers,
    collect: () => sockets.set(health.sockets()),
  });
  const writable: Gauge = new Gauge({
    name: "trio_database_writable",
    help: "1 while the database takes writes, 0 while its disk is full, read-only or failing or it cannot be reached",
    registers,
    collect: () => writable.set(db.away() ? 0 : 1),
  });
  bus.on("round.drawn", () => drawn.inc());
  bus.on("wallet.changed", ({ code }) => {
    if (code === "stake") stakes.inc();
  });
  return { registry, requests };
}
