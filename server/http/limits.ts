import type { FastifyInstance } from "fastify";
import rateLimit from "@fastify/rate-limit";
import { Refusal } from "#shared/refusal.ts";

/** What one address may ask for in ten seconds; many members may share one. */
const MOST_REQUESTS = 1_000;
const WINDOW_MS = 10_000;

export async function limitRates(app: FastifyInstance): Promise<void> {
  await app.register(rateLimit, {
    max: MOST_REQUESTS,
    timeWindow: WINDOW_MS,
    errorResponseBuilder: (_request, { ttl }) =>
      new Refusal("attempts.many", { retryAfterS: Math.max(1, Math.ceil(ttl / 1000)) }),
  });
}
