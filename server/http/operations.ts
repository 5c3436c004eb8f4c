import { timingSafeEqual } from "node:crypto";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { isLoopback } from "#server/config/config.ts";
import type { Health } from "./health.ts";
import { metricsOf } from "./metrics.ts";
import type { AwayReason } from "#shared/contract/events.ts";

/** `/healthz`, `/readyz` and `/metrics` for operators. */
export function mountOperations(app: FastifyInstance, deps: Deps, health: Health, metricsToken?: string): void {
  const { registry, requests } = metricsOf(deps, health);

  app.get("/healthz", () => ({ alive: true }));

  app.get("/readyz", async (_request, reply) => {
    const { behindMs } = health.rounds.watch;
    const clock = behindMs > 0 ? { clock_behind_ms: behindMs } : {};
    if (health.leaving || health.draining) return reply.code(503).send({ ready: false });
    const reason = await awayReason(deps);
    return reply.code(reason ? 503 : 200).send({ ready: !reason, ...(reason && { reason }), ...clock });
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
  // A request forwarded by a local proxy comes from elsewhere, even if the proxy is not trusted.
  if (!token) return isLoopback(ip) && headers["x-forwarded-for"] === undefined;
  const actual = Buffer.from(headers.authorization ?? "");
  const expected = Buffer.from(`Bearer ${token}`);
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}
