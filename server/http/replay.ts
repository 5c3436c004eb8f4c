import { createHmac } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { and, eq } from "drizzle-orm";
import { placeholder } from "#db/columns.ts";
import { areOneOf, insertOf } from "#db/many.ts";
import type { Tx } from "#db/db.ts";
import { prepared } from "#db/prepared.ts";
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

type Row = typeof replays.$inferSelect;

const ofCall = prepared((read) => {
  const { memberId, path, key } = replays;
  const isCall = and(eq(memberId, placeholder("member")), eq(path, placeholder("path")), eq(key, placeholder("key")));
  return read.select().from(replays).where(isCall).prepare();
});

/** The stored answer of this key, if any. Refuses a key that was used for other input. */
export async function findReplay<R>(
  read: Tx,
  memberId: number,
  path: string,
  keyed: KeyedRequest,
): Promise<{ answer: R } | null> {
  const [row] = await ofCall(read).execute({ member: memberId, path, key: keyed.key });
  const known = row && answerOf<R>(row, keyed);
  if (known instanceof Refusal) throw known;
  return known ?? null;
}

/** The same for several calls: for each its answer, its refusal, or undefined. */
export async function findReplays<R>(
  read: Tx,
  calls: readonly KeyedCall[],
): Promise<({ answer: R } | Refusal | undefined)[]> {
  if (calls.length === 0) return [];
  const wanted = calls.map(({ memberId, path, key }) => [memberId, path, key]);
  const rows = await read
    .select()
    .from(replays)
    .where(areOneOf([replays.memberId, replays.path, replays.key], wanted));
  const nameOf = ({ memberId, path, key }: Pick<Row, "memberId" | "path" | "key">) => `${memberId} ${path} ${key}`;
  const known = new Map(rows.map((row) => [nameOf(row), row]));
  return calls.map((call) => {
    const row = known.get(nameOf(call));
    return row && answerOf<R>(row, call);
  });
}

const answerOf = <R>({ requestHash, answer }: Row, request: KeyedRequest): { answer: R } | Refusal =>
  isSameRequest(request, requestHash) ? { answer: JSON.parse(answer) as R } : new Refusal("key.reused");

const addReplays = insertOf(replays, (insert) => insert);

/** Stores answers under their keys, in the effects' own transaction. */
export async function storeReplays(
  tx: Tx,
  answered: readonly (KeyedCall & { answer: unknown })[],
  createdAt: number,
): Promise<void> {
  if (answered.length === 0) return;
  await addReplays(
    tx,
    answered.map(({ memberId, path, key, requestHash, answer }) => {
      return { memberId, path, key, requestHash, answer: JSON.stringify(answer), createdAt };
    }),
  );
}
