import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Tx } from "#db/db.ts";
import { spentChallenges } from "#db/schema/passkeys.ts";
import type { Deps } from "#server/app/deps.ts";
import type { MasterKey } from "#server/config/keys.ts";
import { dayOf, MINUTE_MS } from "#shared/time.ts";

/** How long a challenge may be answered. */
export const CHALLENGE_MS = 5 * MINUTE_MS;

/** What an answer is good for, and whose it is: a log-in has no session yet. */
export interface Purpose {
  purpose: "login" | "add" | "prove" | "withdraw";
  sessionId: number;
  rpId: string;
}

/** A genuine challenge, for the table of those that were answered. */
export type Challenge = typeof spentChallenges.$inferSelect;

type Needs = Pick<Deps, "keys" | "clock" | "random">;

const TIME_BYTES = 8;
const HEAD_BYTES = TIME_BYTES + 16;
const SIGNATURE_BYTES = 32;

/**
 * A new challenge: its end, random bytes, and a signature over both and the purpose. So every process knows it as
 * genuine, and strangers who ask for many fill no table. Only those that are answered are stored.
 */
export function newChallenge({ keys, clock, random }: Needs, purpose: Purpose): string {
  const time = Buffer.alloc(TIME_BYTES);
  const now = clock.now();
  time.writeBigUInt64BE(BigInt(now + CHALLENGE_MS));
  const head = Buffer.concat([time, random(HEAD_BYTES - TIME_BYTES)]);
  return Buffer.concat([head, sign(keys.ofDay(dayOf(now)), purpose, head)]).toString("base64url");
}

/** Null for a challenge that is not ours, has another purpose or is too old. */
export function readChallenge(
  { keys, clock }: Pick<Needs, "keys" | "clock">,
  purpose: Purpose,
  text: string,
): Challenge | null {
  const bytes = Buffer.from(text, "base64url");
  const head = bytes.subarray(0, HEAD_BYTES);
  if (bytes.length !== HEAD_BYTES + SIGNATURE_BYTES) return null;
  const expiresAt = Number(head.readBigUInt64BE());
  const left = expiresAt - clock.now();
  // A clock that was set back makes no challenge last longer.
  if (left <= 0 || left > CHALLENGE_MS) return null;
  const key = keys.at(expiresAt - CHALLENGE_MS);
  if (!key || !timingSafeEqual(bytes.subarray(HEAD_BYTES), sign(key, purpose, head))) return null;
  return { hash: createHash("sha256").update(bytes).digest("base64url"), expiresAt };
}

const sign = (key: MasterKey, { purpose, sessionId, rpId }: Purpose, head: Uint8Array) =>
  createHmac("sha256", key.derive("passkey challenge"))
    .update(`${purpose} ${sessionId} ${rpId} `)
    .update(head)
    .digest();

/** Of all answers to a challenge, on any server, one gets past here. It goes with the answer's effect. */
export async function spendChallenge(tx: Tx, challenge: Challenge): Promise<boolean> {
  const spent = await tx
    .insert(spentChallenges)
    .values(challenge)
    .onConflictDoNothing()
    .returning({ hash: spentChallenges.hash });
  return spent.length > 0;
}
