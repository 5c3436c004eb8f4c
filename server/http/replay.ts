import { createHmac } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { replays } from "#db/schema/ledger.ts";
import { invalid, Refusal } from "#shared/refusal.ts";

/** A request that may be sent again: its key, and what it asked for. */
export interface KeyedRequest {
  key: string;
  requestHash: string;
}

/**
 * The request's idempotency key; null when it has none. What it asks for may be as short as a passcode: it is hashed
 * with a secret, or whoever reads the database could try them all.
 */
export function keyOf(
  request: FastifyRequest,
  input: Record<string, unknown>,
  hashKey: Uint8Array,
): KeyedRequest | null {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return null;
  if (typeof key !== "string" || !/^[\x21-\x7e]{1,64}$/.test(key)) throw invalid({ "idempotency-key": "key" });
  const canonical = JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { key, requestHash: createHmac("sha256", hashKey).update(canonical).digest("base64url") };
}

/** The answer this key was given before, if any. Refuses a key that was used for something else. */
export async function findReplay<R>(
  read: Tx,
  memberId: number,
  path: string,
  { key, requestHash }: KeyedRequest,
): Promise<{ answer: R } | null> {
  const [known] = await read
    .select()
    .from(replays)
    .where(and(eq(replays.memberId, memberId), eq(replays.path, path), eq(replays.key, key)));
  if (!known) return null;
  if (known.requestHash !== requestHash) throw new Refusal("key.reused");
  return { answer: JSON.parse(known.answer) as R };
}

/** Keeps an answer for its key, in the transaction of the effect. */
export async function storeReplay(
  tx: Tx,
  memberId: number,
  path: string,
  { key, requestHash }: KeyedRequest,
  answer: unknown,
  createdAt: number,
): Promise<void> {
  await tx.insert(replays).values({ memberId, path, key, requestHash, answer: JSON.stringify(answer), createdAt });
}
