import { createHmac } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { replays } from "#db/schema/ledger.ts";
import { invalid, Refusal } from "#shared/refusal.ts";

/** A request with an idempotency key, and the hash of its input. */
export interface KeyedRequest {
  key: string;
  requestHash: string;
}

/**
 * The request's idempotency key; null without one. The input may be as short as a passcode, so it is hashed with a
 * secret: a reader of the database cannot guess it.
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

/** The stored answer of this key, if any. Refuses a key that was used for other input. */
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

/** Stores an answer under its key, in the effect's own transaction. */
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
