import { createHash } from "node:crypto";

/** 256 random bits, as text. */
export const newToken = (random: (bytes: number) => Uint8Array): string =>
  Buffer.from(random(32)).toString("base64url");

/** What is kept of a token. Its 256 bits need no salt and no slow hash. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("base64url");
