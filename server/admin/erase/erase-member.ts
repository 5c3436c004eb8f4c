import { and, asc, eq, gt, inArray, isNotNull, isNull, ne, notInArray, or, sql } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import type { Tx } from "#db/db.ts";
import * as t from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { lockMember } from "#server/domains/account/change-status.ts";
import { readMember, type Member } from "#server/domains/account/find-member.ts";
import { OF_MEMBERS } from "#server/domains/ledger/act-seals.ts";
import { countHearts } from "#server/domains/listing/decide-comment.ts";
import { addMemberLeaf, memberLeafSalt } from "#server/domains/log/member-leaves.ts";
import { betSalt, MemberSalt, payoutSalt } from "#server/domains/log/member-salt.ts";
import { LETTERS } from "#server/domains/log/sha256.ts";
import { kindOfKey } from "#server/domains/log/state-chain-ends.ts";
import { storedAs } from "#server/domains/member/uploads.ts";
import { unbindBank } from "#server/domains/payments/unbind-bank.ts";
import { kickMember } from "#server/domains/session/end-sessions.ts";
import type { ChainedKind } from "#shared/log/salted.ts";
import { whyNotErased } from "./may-erase.ts";
import { ROWS_THAT_GO } from "./personal.ts";

type Parts = Pick<Deps, "db" | "clock" | "announce" | "storage">;

/** Changes of a wallet whose salts one transaction writes down. */
const AT_ONCE = 500;
/** Messages that the audit compares with what they tell. */
const KEPT_MESSAGES = ["wheel.revealed", "withdraw.approved", "withdraw.refused", "withdraw.paid"];
/** Leaves that name the member, or repeat their words. */
export const NAMING: readonly ChainedKind[] = ["bank", "spin", "comment"];
/** The picture of a member who has none. */
const NO_AVATAR = "avatar/1";

/** The name of an erased member. No user name has a space, so nobody else ever gets it. */
export const erasedName = (memberId: number): string => `erased ${memberId}`;

/**
 * Erases a member: the ledger keeps their number, and nothing keeps who it was. Returns why not, or null.
 *
 * 1. The member is locked and logged out, so that nothing begins any more.
 * 2. The salts of their bets and payouts are written down, a batch a transaction: rounds can still be summed.
 * 3. One transaction states the erasure, empties what names them, and deletes the key that the salts came from.
 *
 * Whatever is killed in between, the same call goes on there.
 */
export async function eraseMember(parts: Parts, memberId: number, reason: string): Promise<string | null> {
  const { db } = parts;
  const why = await db.transact(async (tx) => {
    const waits = await whyNotErased(tx, memberId, parts.clock.now());
    if (waits !== null) return waits;
    await lockMember(tx, parts, memberId, true);
    await kickMember(tx, parts, memberId, reason);
    return null;
  });
  if (why !== null) return why;
  for (let after: number | null = 0; after !== null;) {
    const from: number = after;
    after = await db.transact((tx) => keepSalts(tx, memberId, from));
    failpoint("erase.salts", memberId);
  }
  const done = await db.transact((tx) => erase(tx, parts, memberId, reason));
  if (typeof done === "string") return `${done}. They stay locked`;
  failpoint("erase.files", memberId);
  for (const name of done) await parts.storage.remove(name);
  return null;
}

/** Writes down the salts of the bets and payouts after a version of the wallet. Returns where to go on; null at the end. */
async function keepSalts(tx: Tx, memberId: number, after: number): Promise<number | null> {
  const [own] = await tx.select().from(t.memberSalts).where(eq(t.memberSalts.memberId, memberId));
  if (!own) return null;
  const salt = new MemberSalt(memberId, own.salt);
  const { version, kind, rowId } = t.journalIndex;
  const rows = await tx
    .select({ version, kind, rowId })
    .from(t.journalIndex)
    .where(and(eq(t.journalIndex.memberId, memberId), gt(version, after)))
    .orderBy(asc(version))
    .limit(AT_ONCE);
  const kept = rows.flatMap((row) => {
    if (row.kind === "transfer") return [];
    const [name, letters] =
      row.kind === "bet"
        ? [betSalt(row.rowId), salt.ofBet(row.rowId)]
        : [payoutSalt(row.rowId), salt.ofPayout(row.rowId)];
    return [{ memberId, name, salt: Buffer.from(letters, LETTERS).toString("hex") }];
  });
  if (kept.length > 0) await tx.insert(t.keptSalts).values(kept).onConflictDoNothing();
  return rows.length < AT_ONCE ? null : rows.at(-1)!.version;
}

/** Returns the names of the member's pictures in the storage, or why nothing was erased. */
async function erase(tx: Tx, parts: Parts, memberId: number, reason: string): Promise<string[] | string> {
  const now = parts.clock.now();
  const why = await whyNotErased(tx, memberId, now);
  if (why !== null) return why;
  const member = await readMember(tx, memberId);
  await stateErasure(tx, { clock: { now: () => now } }, memberId);
  const [own] = await tx.select().from(t.memberSalts).where(eq(t.memberSalts.memberId, memberId));
  await emptyMember(tx, member, reason);
  const { mark } = new MemberSalt(memberId, own!.salt);
  await tx.insert(t.erasedMembers).values({ memberId, mark, reason, erasedAt: now });
  await emptyLeaves(tx, memberId, own!.salt);
  const names = await deleteRows(tx, memberId);
  await emptyActs(tx, member);
  await parts.announce(tx, "member.changed", { memberId });
  await parts.announce(tx, "listings.changed", {});
  failpoint("erase.write", memberId);
  return names;
}

/** The last leaves of the chain: the account is bound no longer, and the member is erased. */
async function stateErasure(tx: Tx, parts: { clock: Pick<Deps["clock"], "now"> }, memberId: number): Promise<void> {
  const [account] = await tx.select().from(t.bankAccounts).where(eq(t.bankAccounts.memberId, memberId));
  if (account) await unbindBank(tx, parts, memberId);
  const [wallet] = await tx.select().from(t.wallets).where(eq(t.wallets.memberId, memberId));
  const own = { kind: "erasure", version: wallet!.version, at: parts.clock.now() } as const;
  await addMemberLeaf<"erasure">(tx, memberId, own);
}

async function emptyMember(tx: Tx, { id }: Member, reason: string): Promise<void> {
  const nothing = { passwordHash: null, realName: null, payPinHash: null, sex: "0" } as const;
  const first = { coolingUntil: 0, messagesReadTo: 0, keepsHistory: true };
  const left = { ...nothing, ...first, username: erasedName(id), avatar: NO_AVATAR };
  await tx.update(t.members).set(left).where(eq(t.members.id, id));
  const isOwn = eq(t.sessions.memberId, id);
  await tx.update(t.sessions).set({ ip: "", agent: "", ssoHash: null }).where(isOwn);
  // An older reason may name the member.
  await tx
    .update(t.sessions)
    .set({ endReason: null })
    .where(and(isOwn, ne(t.sessions.endReason, reason)));
}

/** Leaves that say numbers alone keep their salts, so that they can still be compared with the ledger. */
async function emptyLeaves(tx: Tx, memberId: number, salt: string): Promise<void> {
  const { id, number, key } = t.memberLeaves;
  const rows = await tx.select({ id, number, key }).from(t.memberLeaves).where(eq(t.memberLeaves.memberId, memberId));
  const naming = rows.filter((row) => NAMING.includes(kindOfKey(row.key))).map((row) => row.id);
  for (let from = 0; from < naming.length; from += AT_ONCE)
    await tx
      .update(t.memberLeaves)
      .set({ content: "" })
      .where(inArray(id, naming.slice(from, from + AT_ONCE)));
  const gone = new Set(naming);
  for (const row of rows.filter((one) => !gone.has(one.id)))
    await tx
      .update(t.memberLeaves)
      .set({ salt: memberLeafSalt(salt, row.number).toString("hex") })
      .where(eq(id, row.id));
  const isSpoken = and(eq(t.wheelPairs.memberId, memberId), isNotNull(t.wheelPairs.words), ne(t.wheelPairs.words, ""));
  await tx.update(t.wheelPairs).set({ words: "" }).where(isSpoken);
}

/** Deletes what is the member's alone, the key of their salts with it. Returns the names of their pictures in the storage. */
async function deleteRows(tx: Tx, memberId: number): Promise<string[]> {
  const gone = await tx.delete(t.comments).where(eq(t.comments.memberId, memberId)).returning();
  for (const { listingId, hearts, shown } of gone) if (shown) await countHearts(tx, listingId, -1, hearts);
  const isGone = and(eq(t.messages.memberId, memberId), notInArray(t.messages.kind, KEPT_MESSAGES));
  await tx.delete(t.messages).where(isGone);
  const isTry = inArray(t.attempts.kind, ["pin", "export", "picture"]);
  await tx.delete(t.attempts).where(and(isTry, eq(t.attempts.subject, String(memberId))));
  const pictures = await tx
    .delete(t.uploads)
    .where(eq(t.uploads.memberId, memberId))
    .returning({ path: t.uploads.path });
  const isSent = and(eq(t.supportMessages.memberId, memberId), isNotNull(t.supportMessages.picture));
  const sent = await tx.delete(t.supportMessages).where(isSent).returning({ name: t.supportMessages.picture });
  for (const table of ROWS_THAT_GO) await tx.delete(table).where(eq(table.memberId, memberId));
  return [...pictures.map(({ path }) => storedAs(path)), ...sent.map(({ name }) => name!)];
}

/**
 * What operators did to the member stays known, without the name. An act knows whom it concerned. That which made the
 * member knows it under its seal, and until then by the name; one that named nobody then stays as it was sealed.
 */
async function emptyActs(tx: Tx, { id, username }: Member): Promise<void> {
  const { words, memberId, command, content } = t.operatorActs;
  const isNamed = sql`substr(lower(${words}) || ' ', 1, ${username.length + 1}) = ${`${username} `}`;
  await tx
    .update(t.operatorActs)
    .set({ words: erasedName(id), reason: null, why: null, salt: null })
    .where(or(eq(memberId, id), and(isNull(content), inArray(command, [...OF_MEMBERS]), isNamed)));
}
