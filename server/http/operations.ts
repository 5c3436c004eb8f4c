import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Deps } from "#server/deps.ts";
import { isLoopback } from "#server/config.ts";
import { metricsOf } from "./metrics.ts";

export interface Health {
  /** The server is about to go down: it still does everything, and asks that others be asked instead. */
  leaving: boolean;
  /** The server is going down and takes nothing new. */
  draining: boolean;
  /** How many sockets are open. */
  sockets(): number;
  rounds: {
    /** How many steps failed and wait to be tried again. */
    failing(): number;
    watch: { behindMs: number; jumps: { ahead: number; back: number } };
  };
}

/** `/healthz`, `/readyz` and `/metrics`, for whoever runs the server. */
export function mountOperations(app: FastifyInstance, deps: Deps, health: Health, metricsToken?: string): void {
  const { registry, requests } = metricsOf(deps, health);

  app.get("/healthz", () => ({ alive: true }));

  app.get("/readyz", async (_request, reply) => {
    const ready = !health.leaving && !health.draining && (await canRead(deps));
    const { behindMs } = health.rounds.watch;
    return reply.code(ready ? 200 : 503).send({ ready, ...(behindMs > 0 && { clock_behind_ms: behindMs }) });
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
