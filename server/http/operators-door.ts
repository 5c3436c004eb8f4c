import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { isLoopback } from "#server/config/config.ts";

/** Who may read what is for operators. */
export interface OperatorsDoor {
  token?: string | undefined;
  /** The site is this machine's alone. */
  isLocal: boolean;
}

/**
 * Whether a request may read what is for operators. With a token: whoever sends it, as a bearer or as the password that a
 * browser asks for. Without one: this machine alone, while the site is its own. Many proxies do not say that they
 * forward.
 */
export function mayRead({ headers, ip }: FastifyRequest, { token, isLocal }: OperatorsDoor): boolean {
  if (!token) return isLocal && cameDirectly({ headers, ip });
  return isSame(sent(headers.authorization ?? ""), token);
}

/** Whether a request comes from this machine, and no proxy says that it forwarded it. */
export function cameDirectly({ headers, ip }: Pick<FastifyRequest, "headers" | "ip">): boolean {
  const isForwarded =
    headers["x-forwarded-for"] !== undefined || headers.forwarded !== undefined || headers.via !== undefined;
  return isLoopback(ip) && !isForwarded;
}

function sent(authorization: string): string {
  const [, scheme, credentials] = /^(Bearer|Basic) (.*)$/s.exec(authorization) ?? [];
  if (scheme !== "Basic") return credentials ?? "";
  const pair = Buffer.from(credentials!, "base64").toString();
  return pair.slice(pair.indexOf(":") + 1);
}

function isSame(actual: string, expected: string): boolean {
  const [a, b] = [Buffer.from(actual), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
