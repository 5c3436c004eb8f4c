import type { FastifyError, FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { StorageAway } from "#server/storage/storage.ts";
import { Refusal, type RefusalReason } from "#shared/refusal.ts";
import { sendRefusal } from "./envelope.ts";
import { refusalOf } from "./refusal-of.ts";
import { safetyHeaders } from "./safety-headers.ts";
import { noteRefusal } from "./security-events.ts";
import { nameRequest } from "./trace.ts";

const BY_STATUS: Record<number, RefusalReason> = {
  404: "path.unknown",
  405: "path.unknown",
  413: "body.large",
  414: "path.unknown",
  415: "media.unsupported",
  429: "attempts.many",
  503: "server.away",
};

/** Every failure is answered with an envelope. Only our own faults and the storage's are logged, and none of their detail is shown. */
export function handleErrors(app: FastifyInstance, deps: Pick<Deps, "text" | "publicUrl" | "security">): void {
  const safety = safetyHeaders(deps.publicUrl);
  // What was only counted is told before the server is gone.
  app.addHook("onClose", async () => deps.security.flush());
  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = refusalOfRequest(error);
    if (refusal.reason === "server.fault" || error instanceof StorageAway) {
      request.log.error({ err: error, route: request.routeOptions.url }, "request failed");
    }
    noteRefusal(deps, request, refusal);
    // A path that the router cannot parse has met no hook.
    return sendRefusal(deps, request, nameRequest(reply).headers(safety), refusal);
  });
}

function refusalOfRequest(error: FastifyError): Refusal {
  const refusal = refusalOf(error);
  if (refusal.reason !== "server.fault") return refusal;
  const status = error.statusCode ?? 500;
  if (BY_STATUS[status]) return new Refusal(BY_STATUS[status]);
  return new Refusal(status >= 400 && status < 500 ? "request.malformed" : "server.fault");
}
