import { randomBytes } from "node:crypto";
import { and, eq, gt, isNotNull, or, sql } from "drizzle-orm";
import { insertOf, isOneOfNamed, listed, together } from "#db/many.ts";
import { failpoint } from "#db/failpoint.ts";
import type { Tx } from "#db/db.ts";
import { prepared } from "#db/prepared.ts";
import { logHeads, logLeaves, memberChains, memberLeaves, memberSalts } from "#db/schema/log.ts";
import { leafText } from "#shared/log/leaf.ts";
import { contentKey, contentText, NO_LEAF_BEFORE, saltedHash } from "#shared/log/salted.ts";
import type { ChainedKind, Content, SaltedKind } from "#shared/log/salted.ts";
import { currentLog, shortKey } from "./add-leaf.ts";
import { SALT_BYTES } from "./member-salt.ts";
import { hmac, LETTERS, sha256 } from "./sha256.ts";

/** A member's newest leaf. Number 0 and the hash of no leaf stand for none. */
export interface ChainEnd {
  number: number;
  hash: string;
}

export const NO_CHAIN: ChainEnd = { number: 0, hash: NO_LEAF_BEFORE };

type Own<K extends ChainedKind> = Omit<Content<K>, "member" | "number" | "before">;

/** What a member's leaf states. */
export interface OwnLeaf<K extends ChainedKind> {
  memberId: number;
  own: Own<K>;
  /** Replaces fields that may not be stored as they are. */
  kept?: Partial<Own<K>>;
}

/** What hides a member's leaf. Only its member's app gets it. */
export const memberLeafSalt = (memberSalt: string, number: number): Buffer =>
  Buffer.from(hmac(Buffer.from(memberSalt, "hex"), `leaf ${number}`), LETTERS);

const saltedDigest = (salt: Uint8Array, text: string): string =>
  Buffer.from(saltedHash(salt, text, sha256)).toString("hex");

/**
 * States what concerns one member, in the same transaction: the leaf shows a hash, and the member's chain grows by one.
 * Throws for what was stated before. `kept` replaces fields that may not be stored as they are. Returns the hash.
 */
export async function addMemberLeaf<K extends ChainedKind>(
  tx: Tx,
  memberId: number,
  own: Own<K>,
  kept?: Partial<Own<K>>,
): Promise<string> {
  const [hash] = await addMemberLeaves<K>(tx, [kept ? { memberId, own, kept } : { memberId, own }]);
  return hash!;
}

const addRows = insertOf(memberLeaves, (insert) => insert);
const endChains = insertOf(memberChains, (insert) =>
  insert.onConflictDoUpdate({
    target: memberChains.memberId,
    set: { number: sql`excluded.number`, hash: sql`excluded.hash` },
  }),
);

/** The same for one leaf each of several members, with few statements. Returns the hashes. */
export async function addMemberLeaves<K extends ChainedKind>(tx: Tx, leaves: readonly OwnLeaf<K>[]): Promise<string[]> {
  for (const { memberId } of leaves) failpoint("member.leaf", memberId);
  const memberIds = leaves.map(({ memberId }) => memberId);
  const [ends, salts] = await together(
    () => lockChains(tx, memberIds),
    () => saltsIn(tx, memberIds),
  );
  const rows = leaves.map(({ memberId, own, kept }) => {
    const last = ends.get(memberId)!;
    const number = last.number + 1;
    const content = { ...own, member: String(memberId), number, before: last.hash } as unknown as Content<ChainedKind>;
    const text = contentText(content);
    const hash = saltedDigest(memberLeafSalt(salts.get(memberId)!, number), text);
    const stored = kept ? contentText({ ...content, ...kept }) : text;
    return { kind: content.kind, memberId, number, key: contentKey(content), content: stored, hash };
  });
  await addRows(tx, rows);
  await endChains(tx, rows);
  await addSaltedLeaves(tx, rows);
  return rows.map(({ hash }) => hash);
}

/** The key under which the log keeps a salted leaf: its hash stands for the subject. */
export const saltedKey = (kind: SaltedKind, hash: string): string => shortKey(`${kind}:${hash}`);

/** States a salted hash in the log of today, if it does not yet. */
export const addSaltedLeaf = (tx: Tx, kind: SaltedKind, hash: string): Promise<void> =>
  addSaltedLeaves(tx, [{ kind, hash }]);

const addLogLeaves = insertOf(logLeaves, (insert) => insert.onConflictDoNothing(), { log: currentLog });

/** The same for several hashes, at least one. */
export async function addSaltedLeaves(tx: Tx, leaves: readonly { kind: SaltedKind; hash: string }[]): Promise<void> {
  const rows = leaves.map(({ kind, hash }) => ({ key: saltedKey(kind, hash), text: leafText({ kind, hash }) }));
  await addLogLeaves(tx, rows);
}

const lockRows = insertOf(memberChains, (insert) =>
  insert
    .onConflictDoUpdate({ target: memberChains.memberId, set: { number: sql`${memberChains.number}` } })
    .returning({ memberId: memberChains.memberId, number: memberChains.number, hash: memberChains.hash }),
);

/** The ends of members' chains, whose rows stay locked until the transaction ends. */
async function lockChains(tx: Tx, memberIds: readonly number[]): Promise<Map<number, ChainEnd>> {
  const begun = memberIds.map((memberId) => ({ memberId, ...NO_CHAIN }));
  const ends = await lockRows(tx, begun);
  return new Map(ends.map(({ memberId, ...end }) => [memberId, end]));
}

const saltRows = prepared((tx) =>
  tx
    .select({ memberId: memberSalts.memberId, salt: memberSalts.salt })
    .from(memberSalts)
    .where(isOneOfNamed(memberSalts.memberId, "members"))
    .prepare(),
);
const addSalts = insertOf(memberSalts, (insert) => insert.onConflictDoNothing());

async function saltsIn(tx: Tx, memberIds: readonly number[]): Promise<Map<number, string>> {
  const rows = await saltRows(tx).execute({ members: listed(memberIds) });
  const salts = new Map(rows.map(({ memberId, salt }) => [memberId, salt]));
  const missing = memberIds.filter((memberId) => !salts.has(memberId));
  if (missing.length === 0) return salts;
  const made = missing.map((memberId) => ({ memberId, salt: randomBytes(SALT_BYTES).toString("hex") }));
  await addSalts(tx, made);
  return saltsIn(tx, memberIds);
}

/** The hash of a leaf by its kind and subject; null where the log has not stated it. */
export async function memberLeafHash(read: Tx, memberId: number, key: string): Promise<string | null> {
  return (await memberLeafHashes(read, [{ memberId, key }]))[0]!;
}

/** The same for several leaves. */
export async function memberLeafHashes(
  read: Tx,
  wanted: readonly { memberId: number; key: string }[],
): Promise<(string | null)[]> {
  const { memberId, key, hash } = memberLeaves;
  const rows = await read
    .select({ memberId, key, hash })
    .from(memberLeaves)
    .where(or(...wanted.map((one) => and(eq(memberId, one.memberId), eq(key, one.key)))));
  const hashes = new Map(rows.map((row) => [`${row.memberId} ${row.key}`, row.hash]));
  return wanted.map((one) => hashes.get(`${one.memberId} ${one.key}`) ?? null);
}

/** Whether a head of today's log that was announced holds a member's leaf. */
export async function isMemberLeafTold(read: Tx, memberId: number, key: string): Promise<boolean> {
  const hash = await memberLeafHash(read, memberId, key);
  if (hash === null) return false;
  const kind = key.slice(0, key.indexOf(":")) as ChainedKind;
  const isLeaf = and(eq(logLeaves.log, currentLog), eq(logLeaves.key, saltedKey(kind, hash)));
  const [told] = await read
    .select({ size: logHeads.size })
    .from(logLeaves)
    .innerJoin(logHeads, and(eq(logHeads.log, logLeaves.log), gt(logHeads.size, logLeaves.number)))
    .where(and(isLeaf, isNotNull(logHeads.announcedAt)))
    .limit(1);
  return told !== undefined;
}

const CAUSE = /^[!-~]{1,255}$/;

/** What brought a transfer about, as a leaf names it: a cause in other letters by its hash. */
export const causeText = (cause: string): string =>
  CAUSE.test(cause) ? cause : `sha256:${Buffer.from(sha256(Buffer.from(cause))).toString("hex")}`;
