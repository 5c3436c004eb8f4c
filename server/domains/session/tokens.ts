import { hash, timingSafeEqual } from "node:crypto";

/** 256 random bits, as text. */
export const newToken = (random: (bytes: number) => Uint8Array): string =>
  Buffer.from(random(32)).toString("base64url");

/** The stored hash of a token. Its 256 bits need no salt and no slow hash. */
export const hashToken = (token: string): string => hash("sha256", token, "base64url");

/** Whether the token has this hash, compared in constant time. */
export function isTokenOf(tokenHash: string, token: string): boolean {
  const [known, actual] = [Buffer.from(tokenHash), Buffer.from(hashToken(token))];
  return known.length === actual.length && timingSafeEqual(known, actual);
}
