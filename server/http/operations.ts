import type { FastifyInstance } from "fastify";
import type { Registry } from "prom-client";
import type { Deps } from "#server/app/deps.ts";
import { AWAY_REASONS, type AwayReason } from "#shared/contract/events.ts";
import { failuresOf, inJson, objectOf, type Answer } from "./answers.ts";
import type { Health } from "./health.ts";
import type { JsonSchema } from "./json-schema.ts";
import { metricsOf } from "./metrics.ts";
import type { Told } from "./operation.ts";
import { mayRead, type OperatorsDoor } from "./operators-door.ts";

export const METRICS_SECURITY: Record<string, JsonSchema> = {
  metrics: { type: "http", scheme: "bearer", description: "`METRICS_TOKEN`, where it is set." },
};

type Probe = Pick<Told["operation"], "operationId" | "summary" | "description">;
const told = (probe: Probe, responses: Record<string, Answer>, security: Record<string, string[]>[] = []): Told => ({
  operation: { ...probe, tags: ["operations"], security, responses: { ...failuresOf({}), ...responses } },
});

const ALIVE = told(
  { operationId: "healthz", summary: "Whether the process lives", description: "Answers while it does." },
  {
    200: { description: "It lives.", content: inJson(objectOf({ alive: { type: "boolean", const: true } })) },
  },
);

const readiness = (ready: boolean): JsonSchema => ({
  type: "object",
  properties: {
    ready: { type: "boolean", const: ready },
    ...(!ready && { reason: { type: "string", enum: [...AWAY_REASONS, "proxy"] } }),
    clock_behind_ms: { type: "integer", description: "How far the clock stands before what was committed." },
  },
  required: ["ready"],
  additionalProperties: false,
});

const READY = told(
  {
    operationId: "readyz",
    summary: "Whether it can serve",
    description: "Fails while the server is leaving, its database is away, or a proxy forwards that is not trusted.",
  },
  {
    ...failuresOf({ limited: true }),
    200: { description: "It can.", content: inJson(readiness(true)) },
    503: { description: "It cannot now.", content: inJson(readiness(false)) },
  },
);

const METRICS = told(
  {
    operationId: "metrics",
    summary: "Figures for Prometheus",
    description: "For holders of `METRICS_TOKEN`; without that setting, for this machine alone.",
  },
  {
    200: { description: "The figures.", content: { "text/plain": { schema: { type: "string" } } } },
    403: { description: "Not for you. The body is empty." },
  },
  [{}, { metrics: [] }],
);

/** `/healthz`, `/readyz` and `/metrics` for operators. */
export async function mountOperations(
  app: FastifyInstance,
  deps: Deps,
  health: Health,
  door: OperatorsDoor & { limit: ((app: FastifyInstance) => Promise<void>) | null },
): Promise<void> {
  const { report, requests } = metricsOf(deps, health);
  app.addHook("onResponse", (request, reply, done) => {
    requests(request.routeOptions.url ?? "none", reply.statusCode).observe(reply.elapsedTime / 1000);
    done();
  });
  await app.register(async (probes) => {
    await door.limit?.(probes);
    mountProbes(probes, deps, { health, report, door });
  });
}

function mountProbes(
  app: FastifyInstance,
  deps: Deps,
  { health, report, door }: { health: Health; report: Registry; door: OperatorsDoor },
): void {
  app.get("/healthz", { config: { told: () => ALIVE } }, () => ({ alive: true }));

  app.get("/readyz", { config: { told: () => READY } }, async (_request, reply) => {
    const { behindMs } = health.rounds.watch;
    const clock = behindMs > 0 ? { clock_behind_ms: behindMs } : {};
    if (health.leaving || health.draining) return reply.code(503).send({ ready: false });
    const reason = health.proxyUntrusted() ? "proxy" : await awayReason(deps);
    return reply.code(reason ? 503 : 200).send({ ready: !reason, ...(reason && { reason }), ...clock });
  });

  app.get("/metrics", { config: { told: () => METRICS } }, async (request, reply) => {
    if (!mayRead(request, door)) return reply.code(403).send();
    return reply.type(report.contentType).send(await report.metrics());
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
