import type { FastifyInstance, FastifyReply } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { safetyHeaders } from "./safety-headers.ts";
import { inRequest } from "#server/app/log.ts";
import { REQUEST_ID } from "#shared/contract/envelope.ts";

/** Every answer names its request and carries the safety headers, and so does every log line on the way to it. */
export function traceRequests(app: FastifyInstance, { log, publicUrl }: Pick<Deps, "log" | "publicUrl">): void {
  const safety = safetyHeaders(publicUrl);
  app.addHook("onRequest", (request, reply, done) => {
    nameRequest(reply).headers(safety);
    inRequest(request.id, done);
  });
  // At `info` only faults are worth a line. The route, never the address: that may hold a secret.
  if (!log.isLevelEnabled("debug")) return;
  app.addHook("onResponse", (request, reply, done) => {
    const { method, id: requestId, routeOptions } = request;
    const answered = { requestId, method, route: routeOptions.url, status: reply.statusCode };
    log.debug({ ...answered, ms: Math.round(reply.elapsedTime) }, "answered");
    done();
  });
}

/** Sets the answer's `x-request-id`. */
export const nameRequest = (reply: FastifyReply): FastifyReply => reply.header(REQUEST_ID, reply.request.id);
