import type { FastifyRequest } from "fastify";
import type { Caller, Deps } from "#server/app/deps.ts";
import { Refusal } from "#shared/refusal.ts";

function headerOf({ headers }: FastifyRequest, name: "token" | "tokensso"): string | undefined {
  const header = headers[name];
  return typeof header === "string" && header !== "" ? header : undefined;
}

/** The session token of a request: base64 in the `token` header, with or without its padding. Undefined when there is none. */
function tokenOf(request: FastifyRequest): string | undefined {
  const header = headerOf(request, "token");
  if (header === undefined) return undefined;
  const bytes = Buffer.from(header, "base64");
  // Node ignores what follows the padding, and letters that base64 has not.
  const whole = bytes.toString("base64");
  const isWhole = whole === header || whole.replace(/=+$/, "") === header.replace(/=+$/, "");
  return isWhole ? bytes.toString("utf8") : "";
}

/** The caller of a public endpoint; null without a running session, or when the account is locked. */
export function findCaller(
  deps: Pick<Deps, "identify">,
  request: FastifyRequest,
): Caller | null | Promise<Caller | null> {
  if (headerOf(request, "token") === undefined) return null;
  try {
    const found = requireCaller(deps, request);
    return found instanceof Promise ? found.then(unlocked, nobodyAfter) : unlocked(found);
  } catch (error) {
    return nobodyAfter(error);
  }
}

const unlocked = (caller: Caller) => (caller.locked ? null : caller);

function nobodyAfter(error: unknown): null {
  if (error instanceof Refusal) return null;
  throw error;
}

/** The caller: at once if the session is cached. */
export function requireCaller(deps: Pick<Deps, "identify">, request: FastifyRequest): Caller | Promise<Caller> {
  const token = tokenOf(request);
  if (token === undefined) throw new Refusal("session.missing");
  return deps.identify(token, { ip: request.ip, sso: headerOf(request, "tokensso") });
}
