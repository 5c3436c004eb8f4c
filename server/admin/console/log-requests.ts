import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Logger } from "pino";
import { inRequest } from "#server/app/log.ts";
import { REQUEST_ID } from "#shared/contract/envelope.ts";

/** What nobody signed in may ask, and what a stranger tries. */
const DOORS = /^\/api\/(sign-in|register)$/;
const FOREIGN = new Set([403, 421]);

/** Names each request in its answer and its lines. Faults and refused strangers have a line each; the rest at `debug`. */
export function logRequests(app: FastifyInstance, log: Logger): void {
  app.addHook("onRequest", (request, reply, done) => {
    reply.header(REQUEST_ID, request.id);
    inRequest(request.id, done);
  });
  app.addHook("onResponse", async (request, reply) => {
    const { statusCode: status, elapsedTime } = reply;
    const answered = { ...placeOf(request), status, ms: Math.round(elapsedTime) };
    const isRefused = FOREIGN.has(status) || (status >= 400 && status < 500 && DOORS.test(answered.route ?? ""));
    if (isRefused) log.warn({ ...answered, address: request.ip }, "the console refused a stranger");
    else log.debug(answered, "answered");
  });
}

/** The line of a fault of ours. */
export const logFault = (log: Logger, request: FastifyRequest, error: Error): void =>
  log.error({ err: error, ...placeOf(request) }, "request failed");

/** The route, never the address: that may hold a secret. */
const placeOf = ({ id, method, routeOptions: { url } }: FastifyRequest) => ({ requestId: id, method, route: url });
