import { createHmac, randomUUID } from "node:crypto";
import { toSeconds } from "#shared/time.ts";

export const SSO_SECRET = "what the partner and the club both know";

interface Forgery {
  /** Claims that differ from a good ticket; undefined leaves one out. */
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  sign?: (signed: string) => Buffer;
}

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

export const hmac = (hash: "sha256" | "sha384" | "sha512", secret: string) => (signed: string) =>
  createHmac(hash, secret).update(signed).digest();

/** A ticket as a partner's program signs it, valid for a minute; `claims` can make it a wrong one. */
export function ticketFor(username: string, now: number, { claims, header, sign }: Forgery = {}): string {
  const iat = toSeconds(now);
  const payload = { sub: username, jti: randomUUID(), iat, exp: iat + 60, ...claims };
  const signed = `${part({ alg: "HS256", typ: "JWT", ...header })}.${part(payload)}`;
  return `${signed}.${(sign ?? hmac("sha256", SSO_SECRET))(signed).toString("base64url")}`;
}
