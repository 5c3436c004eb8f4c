import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Deps } from "#server/deps.ts";
import { isLoopback } from "#server/config.ts";

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
    const ready = !health.leaving && !health.draining && (await canRead(deps));
    return reply.code(ready ? 200 : 503).send({ ready });
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

async function canRead({ db }: Deps): Promise<boolean> {
  try {
    await db.ping();
    return true;
  } catch {
    return false;
  }
}

function mayRead({ headers, ip }: FastifyRequest, token?: string): boolean {
  // What a proxy on this machine passes on comes from elsewhere, whether or not the proxy is trusted.
  if (!token) return isLoopback(ip) && headers["x-forwarded-for"] === undefined;
  const given = Buffer.from(headers.authorization ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function metricsOf({ bus }: Deps, health: Health) {
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
  bus.on("round.drawn", () => drawn.inc());
  bus.on("wallet.changed", ({ code }) => {
    if (code === "stake") stakes.inc();
  });
  return { registry, requests };
}
