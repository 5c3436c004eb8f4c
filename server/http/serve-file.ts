import type { Readable } from "node:stream";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { Deps } from "#server/app/deps.ts";
import { lockedRefusal } from "#server/domains/session/refuse-locked.ts";
import type { FileEndpoint } from "#shared/contract/endpoint.ts";
import { withFiles } from "./answers.ts";
import { localeOfRequest } from "./envelope.ts";
import { checkInput, readInput } from "./input.ts";
import { toldOf } from "./operation.ts";
import { noteDone } from "./security-events.ts";
import type { Call } from "./serve.ts";
import { requireCaller } from "./session.ts";

/** A file to send, read as fast as the client takes it (back-pressure). */
export interface SentFile {
  name: string;
  type: string;
  content: Readable;
}

type FileCall<I> = Pick<Call<I>, "input" | "caller" | "locale">;

/** Mounts a GET endpoint that answers with a download. The checks are those of every endpoint. */
export function serveFile<I extends z.ZodMiniType>(
  app: FastifyInstance,
  deps: Deps,
  endpoint: FileEndpoint<I>,
  make: (call: FileCall<z.output<I>>) => Promise<SentFile>,
): void {
  const { path, whileLocked, freshProof, input: fields, types } = endpoint;
  const told = () => {
    const { operation } = toldOf({ ...endpoint, methods: ["GET"], reply: z.null() }, "GET", false);
    return { operation: { ...operation, responses: withFiles(operation.responses, types) } };
  };
  app.route({
    method: "GET",
    url: path,
    // A HEAD would produce the whole file and send none of it.
    exposeHeadRoute: false,
    config: { told },
    async handler(request, reply) {
      const raw = readInput(request);
      const caller = await requireCaller(deps, request);
      deps.concerns(caller.memberId);
      if (caller.locked && !whileLocked)
        throw await lockedRefusal(deps.db.read, deps, caller.memberId, localeOfRequest(request));
      const input = checkInput(fields, raw);
      if (freshProof) await deps.refuseUnproven(caller);
      const { name, type, content } = await make({ input, caller, locale: localeOfRequest(request) });
      noteDone(deps, request, path);
      return reply
        .header("content-type", type)
        .header("content-disposition", `attachment; filename="${name}"`)
        .header("cache-control", "no-store")
        .send(content);
    },
  });
}
