import { createHmac } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { and, eq, or } from "drizzle-orm";
import { insertRows } from "#db/many.ts";
import type { Tx } from "#db/db.ts";
import type { Keys, MasterKey } from "#server/config/keys.ts";
import { isSameRequest, type HashedRequest } from "#server/domains/keys/same-request.ts";
import { perKey } from "#server/domains/keys/per-key.ts";
import { replays } from "#db/schema/ledger.ts";
import { invalid, Refusal } from "#shared/refusal.ts";

/** A request with an idempotency key, and the hash of its input. */
export interface KeyedRequest extends HashedRequest {
  key: string;
}

/**
 * The request's idempotency key; null without one, and the refusal of one that is malformed. The input may be as short as
 * a passcode, so it is hashed with a secret: a reader of the database cannot guess it.
 */
export function keyOf(
  request: FastifyRequest,
  input: Record<string, unknown>,
  keys: Pick<Keys, "now" | "all">,
): KeyedRequest | Refusal | null {
  const key = request.headers["idempotency-key"];
  if (key === undefined) return null;
  if (typeof key !== "string" || !/^[\x21-\x7e]{1,64}$/.test(key)) return invalid({ "idempotency-key": "key" });
  const canonical = JSON.stringify(Object.entries(input).sort(([a], [b]) => (a < b ? -1 : 1)));
  const { now } = keys;
  const hashOf = (one: MasterKey) => createHmac("sha256", replayKey(one)).update(canonical).digest("base64url");
  const otherHashes = keys.all.filter((one) => one !== now).map(hashOf);
  return { key, requestHash: hashOf(now), ...(otherHashes.length > 0 && { otherHashes }) };
}

const replayKey = perKey((key) => key.derive("replay"));

/** A keyed request of a member to a path. */
export interface KeyedCall extends KeyedRequest {
  memberId: number;
  path: string;
}

/** The stored answer of this key, if any. Refuses a key that was used for other input. */
export async function findReplay<R>(
  read: Tx,
  memberId: number,
  path: string,
  keyed: KeyedRequest,
): Promise<{ answer: R } | null> {
  const [known] = await findReplays<R>(read, [{ ...keyed, memberId, path }]);
  if (known instanceof Refusal) throw known;
  return known === undefined ? null : known;
}

/** The same for several calls: for each its answer, its refusal, or undefined. */
export async function findReplays<R>(
  read: Tx,
  calls: readonly KeyedCall[],
): Promise<({ answer: R } | Refusal | undefined)[]> {
  if (calls.length === 0) return [];
  const wanted = calls.map(({ memberId, path, key }) =>
    and(eq(replays.memberId, memberId), eq(replays.path, path), eq(replays.key, key)),
  );
  const rows = await read
    .select()
    .from(replays)
    .where(or(...wanted));
  return calls.map(({ memberId, path, key, ...request }) => {
    const known = rows.find((row) => row.memberId === memberId && row.path === path && row.key === key);
    if (!known) return undefined;
    return isSameRequest(request, known.requestHash)
      ? { answer: JSON.parse(known.answer) as R }
      : new Refusal("key.reused");
  });
}

/** Stores answers under their keys, in the effects' own transaction. */
export async function storeReplays(
  tx: Tx,
  answered: readonly (KeyedCall & { answer: unknown })[],
  createdAt: number,
): Promise<void> {
  if (answered.length === 0) return;
  await insertRows(
    tx,
    replays,
    answered.map(({ memberId, path, key, requestHash, answer }) => {
      return { memberId, path, key, requestHash, answer: JSON.stringify(answer), createdAt };
    }),
  );
}
