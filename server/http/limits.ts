import type { FastifyInstance } from "fastify";
import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from "@fastify/rate-limit";
import type { Deps } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";
import { SharedRates } from "./shared-rates.ts";

/** Requests per address and window; many members may share an address. */
const MOST_REQUESTS = 1_000;
const WINDOW_MS = 10_000;

/**
 * Rate limit per address (throttle). On PostgreSQL all processes count together. The one process on SQLite counts in
 * memory and spares its disk.
 */
export async function limitRates(app: FastifyInstance, deps: Pick<Deps, "db" | "clock" | "process">): Promise<void> {
  const shared = deps.db.engine === "postgres" ? new SharedRates(deps, WINDOW_MS) : null;
  if (shared) app.addHook("onClose", () => shared.close());
  await app.register(rateLimit, {
    max: MOST_REQUESTS,
    timeWindow: WINDOW_MS,
    ...(shared && { store: storeOf(shared) }),
    errorResponseBuilder: (_request, { ttl }) =>
      new Refusal("attempts.many", { retryAfterS: Math.max(1, Math.ceil(ttl / 1000)) }),
  });
}

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
