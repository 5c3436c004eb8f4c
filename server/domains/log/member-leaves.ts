import { createHmac, randomBytes } from "node:crypto";
import { and, eq, gt, isNotNull, sql } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import type { Tx } from "#db/db.ts";
import { logHeads, logLeaves, memberChains, memberLeaves, memberSalts } from "#db/schema/log.ts";
import { leafText } from "#shared/log/leaf.ts";
import { contentKey, contentText, hashOfContent, NO_LEAF_BEFORE } from "#shared/log/salted.ts";
import type { ChainedKind, Content, SaltedKind } from "#shared/log/salted.ts";
import { currentLog, shortKey } from "./add-leaf.ts";
import { SALT_BYTES } from "./member-salt.ts";
import { sha256 } from "./sha256.ts";

/** A member's newest leaf. Number 0 and the hash of no leaf stand for none. */
export interface ChainEnd {
  number: number;
  hash: string;
}

export const NO_CHAIN: ChainEnd = { number: 0, hash: NO_LEAF_BEFORE };

type Own<K extends ChainedKind> = Omit<Content<K>, "member" | "number" | "before">;

/** What hides a member's leaf. Only its member's app gets it. */
export const memberLeafSalt = (memberSalt: string, number: number): Buffer =>
  createHmac("sha256", Buffer.from(memberSalt, "hex")).update(`leaf ${number}`).digest();

/**
 * States what concerns one member, in the same transaction: the leaf shows a hash, and the member's chain grows by one.
 * Throws for what was stated before. `kept` replaces fields that may not be stored as they are. Returns the hash.
 */
export async function addMemberLeaf<K extends ChainedKind>(
  tx: Tx,
  memberId: number,
  own: Own<K>,
  kept: Partial<Own<K>> = {},
): Promise<string> {
  failpoint("member.leaf", memberId);
  const last = await lockChain(tx, memberId);
  const number = last.number + 1;
  const content = { ...own, member: String(memberId), number, before: last.hash } as unknown as Content<ChainedKind>;
  const hash = hashOfContent(memberLeafSalt(await saltIn(tx, memberId), number), content, sha256);
  const stored = contentText({ ...content, ...kept });
  await tx.insert(memberLeaves).values({ memberId, number, key: contentKey(content), content: stored, hash });
  await tx.update(memberChains).set({ number, hash }).where(eq(memberChains.memberId, memberId));
  await addSaltedLeaf(tx, content.kind, hash);
  return hash;
}

/** The key under which the log keeps a salted leaf: its hash stands for the subject. */
export const saltedKey = (kind: SaltedKind, hash: string): string => shortKey(`${kind}:${hash}`);

/** States a salted hash in the log of today, if it does not yet. */
export async function addSaltedLeaf(tx: Tx, kind: SaltedKind, hash: string): Promise<void> {
  const text = leafText({ kind, hash });
  await tx
    .insert(logLeaves)
    .values({ log: currentLog, key: saltedKey(kind, hash), text })
    .onConflictDoNothing();
}

/** The end of a member's chain, whose row stays locked until the transaction ends. */
async function lockChain(tx: Tx, memberId: number): Promise<ChainEnd> {
  const [end] = await tx
    .insert(memberChains)
    .values({ memberId, ...NO_CHAIN })
    .onConflictDoUpdate({ target: memberChains.memberId, set: { number: sql`${memberChains.number}` } })
    .returning({ number: memberChains.number, hash: memberChains.hash });
  return end!;
}

async function saltIn(tx: Tx, memberId: number): Promise<string> {
  const read = () => tx.select({ salt: memberSalts.salt }).from(memberSalts).where(eq(memberSalts.memberId, memberId));
  const [known] = await read();
  if (known) return known.salt;
  const salt = randomBytes(SALT_BYTES).toString("hex");
  await tx.insert(memberSalts).values({ memberId, salt }).onConflictDoNothing();
  return (await read())[0]!.salt;
}

/** The hash of a leaf by its kind and subject; null where the log has not stated it. */
export async function memberLeafHash(read: Tx, memberId: number, key: string): Promise<string | null> {
  const isLeaf = and(eq(memberLeaves.memberId, memberId), eq(memberLeaves.key, key));
  const [leaf] = await read.select({ hash: memberLeaves.hash }).from(memberLeaves).where(isLeaf);
  return leaf?.hash ?? null;
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
