import type { FastifyRequest } from "fastify";
import type { Caller, Deps } from "#server/deps.ts";
import { Refusal } from "#shared/refusal.ts";

/** The session token of a request: base64 in the `token` header. Undefined when there is none. */
function tokenOf(request: FastifyRequest): string | undefined {
  const header = request.headers.token;
  if (typeof header !== "string" || header === "") return undefined;
  return Buffer.from(header, "base64").toString("utf8");
}

export async function requireCaller(deps: Pick<Deps, "identify">, request: FastifyRequest): Promise<Caller> {
  const token = tokenOf(request);
  if (token === undefined) throw new Refusal("session.missing");
  return deps.identify(token, { ip: request.ip });
}
