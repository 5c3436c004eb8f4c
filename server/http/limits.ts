import type { FastifyInstance, FastifyRequest } from "fastify";
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from "@fastify/rate-limit";
import type { Deps } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";
import { clientKey } from "#server/domains/account/client-key.ts";
import { SharedRates } from "./shared-rates.ts";

/** Calls per client and window; many members may share an address. */
const MOST_CALLS = 1_000;
/** Files and pages: a screen has many of them, and they cost little. */
const MOST_FILES = 5_000;
/** Proxies probe twice a second each. */
const MOST_PROBES = 300;
const WINDOW_MS = 10_000;

/**
 * Rate limit of calls per client (throttle). On PostgreSQL all processes count together. The one process on SQLite
 * counts in memory and spares its disk.
 */
export async function limitCalls(app: FastifyInstance, deps: Pick<Deps, "db" | "clock" | "process">): Promise<void> {
  const shared = deps.db.engine === "postgres" ? new SharedRates(deps, WINDOW_MS) : null;
  if (shared) app.addHook("onClose", () => shared.close());
  await app.register(rateLimit, { max: MOST_CALLS, ...OPTIONS, ...(shared && { store: storeOf(shared) }) });
}

/** Rate limit of files and pages per client. Each process counts alone. */
export async function limitFiles(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, { max: MOST_FILES, ...OPTIONS, addHeaders: SILENT });
}

/** Rate limit of the probes that ask the database, and of metrics. A liveness check has none. */
export async function limitProbes(app: FastifyInstance): Promise<void> {
  const allowList = ({ url }: FastifyRequest) => url.startsWith("/healthz");
  const silent = { addHeaders: SILENT, addHeadersOnExceeding: SILENT };
  await app.register(rateLimit, { max: MOST_PROBES, ...OPTIONS, ...silent, allowList });
}

/** A screen has dozens of files: they do not each tell how many are left. */
const SILENT = { "x-ratelimit-limit": false, "x-ratelimit-remaining": false, "x-ratelimit-reset": false };

const OPTIONS = {
  timeWindow: WINDOW_MS,
  keyGenerator: ({ ip }: FastifyRequest) => clientKey(ip),
  errorResponseBuilder: (_request: FastifyRequest, { ttl }: { ttl: number }) =>
    new Refusal("attempts.many", { retryAfterS: Math.max(1, Math.ceil(ttl / 1000)) }),
};

/** The plugin wants a class to instantiate. */
function storeOf(shared: SharedRates): FastifyRateLimitStoreCtor {
  return class Store implements FastifyRateLimitStore {
    incr(address: string, answer: Parameters<FastifyRateLimitStore["incr"]>[1]): void {
      answer(null, shared.count(address));
    }

    child(): Store {
      return this;
    }
  };
}
