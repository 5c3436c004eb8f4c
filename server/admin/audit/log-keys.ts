import { createPublicKey, verify } from "node:crypto";
import { hexToBytes } from "@noble/hashes/utils.js";
import { and, asc, between, eq, gt, inArray, lt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { batchSignatures, betColumns, bets, games, houseEntries, logRotations } from "#db/schema/index.ts";
import { logKeys, rounds } from "#db/schema/index.ts";
import { MemberSalt } from "#server/domains/log/member-salt.ts";
import { readTerms } from "#server/domains/log/read-log.ts";
import { readSalts } from "#server/domains/log/read-salts.ts";
import { BetLeaves } from "#server/domains/log/round-leaves.ts";
import { sha256 } from "#server/domains/log/sha256.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { keyOf, keyText, type NoteKey } from "#shared/log/note.ts";
import { batchText } from "#shared/log/receipt.ts";
import { parseBase64, toBase64Url } from "#shared/log/strict.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { MerkleTree } from "#shared/merkle.ts";
import type { Findings } from "./findings.ts";
import { sortedReason } from "./log-names.ts";
import { pagesOf } from "./pages.ts";
import type { SignsOfLife } from "./signs-of-life.ts";

type Row = typeof logKeys.$inferSelect;
type Batch = typeof houseEntries.$inferSelect;

/** A key as its change in the log says it, but for the signatures. Null for the first key of a log. */
export async function statedKey(read: Tx, leaf: Leaf<"key">): Promise<Leaf<"key">[]> {
  const all = await read.select().from(logKeys).orderBy(asc(logKeys.id));
  const at = all.findIndex((row) => textOf(row) === leaf.next);
  const [old, next] = [all[at - 1], all[at]];
  if (!old || !next || old.log !== next.log) return [];
  const [said] = await read.select().from(logRotations).where(eq(logRotations.id, old.id));
  const reason = sortedReason(said?.reason ?? null);
  return [{ ...leaf, old: textOf(old), batch: next.firstBatch - 1, reason, at: next.createdAt }];
}

/** The key of a row; null where that has none. */
export function keyOfRow({ origin, publicKey }: Row): NoteKey | null {
  try {
    return keyOf(origin, hexToBytes(publicKey));
  } catch {
    return null;
  }
}

function textOf(row: Row): string {
  const key = keyOfRow(row);
  return key ? keyText(key) : "";
}

/** Keys that replaced another one, as the log has to state them. */
export const rotatedKeys = (keys: readonly Row[]): Leaf<"key">[] =>
  keys.slice(1).map((row) => ({ kind: "key", next: textOf(row) }) as Leaf<"key">);

/** Keys that were to be replaced, and the signatures of those that were. */
export async function auditKeys(read: Tx, signs: SignsOfLife, found: Findings): Promise<void> {
  const keys = await read.select().from(logKeys).orderBy(asc(logKeys.id));
  const newest = keys.at(-1);
  for (const { id, createdAt } of await read.select().from(logRotations)) {
    const idle = id === newest?.id ? signs.idleSince(createdAt) : null;
    found.check(idle === null, () => `the log's key ${id} was to be replaced: a server worked on for ${idle} s`);
  }
  for (const [i, key] of keys.entries()) {
    const next = keys[i + 1];
    const isForgotten = key.sealedKey === "";
    found.check(!isForgotten || next !== undefined, () => `the log's key ${key.id} is in force and was forgotten`);
    if (next) await checkBatches(read, key, next, found);
  }
}

/** Each batch of a key that was forgotten has its signature, and each signature is the key's. */
async function checkBatches(read: Tx, key: Row, next: Row, found: Findings): Promise<void> {
  const isForgotten = key.sealedKey === "";
  const page = (after: number, limit: number) =>
    read
      .select()
      .from(houseEntries)
      .where(
        and(
          eq(houseEntries.kind, "bets"),
          gt(houseEntries.id, Math.max(after, key.firstBatch - 1)),
          lt(houseEntries.id, next.firstBatch),
        ),
      )
      .orderBy(asc(houseEntries.id))
      .limit(limit);
  for await (const batches of pagesOf(page)) {
    const ids = batches.map(({ id }) => id);
    const rows = await read.select().from(batchSignatures).where(inArray(batchSignatures.batch, ids));
    const signatures = new Map(rows.map(({ batch, signature }) => [batch, signature]));
    for (const batch of batches) {
      const signature = signatures.get(batch.id);
      found.check(
        signature !== undefined || !isForgotten,
        () => `the batch ${batch.id} has no signature, and its key was forgotten`,
      );
      if (signature === undefined) continue;
      const isRight = await isSignedBatch(read, batch, key, signature);
      found.check(isRight, () => `the signature of the batch ${batch.id} is not one of its bets by its key`);
    }
  }
}

async function isSignedBatch(read: Tx, batch: Batch, row: Row, signature: string): Promise<boolean> {
  const tree = await treeOfBatch(read, batch);
  // Of a round from before the log nothing was signed.
  if (!tree) return signature === "";
  const [own, signed] = [keyOfRow(row), parseBase64(signature)];
  if (!own || !signed) return false;
  const x = toBase64Url(own.publicKey);
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const message = Buffer.from(batchText(own.name, batch.id, { size: tree.size, root: tree.rootHash() }));
  return verify(null, message, key, signed);
}

/** The tree over the bets of a batch; null where one of them is from before the log. */
async function treeOfBatch(read: Tx, { fromId, toId }: Batch): Promise<MerkleTree | null> {
  const isIn = between(bets.id, fromId, toId);
  const rows = await read.select(betColumns).from(bets).where(isIn).orderBy(asc(bets.id));
  const salts = await readSalts(
    read,
    rows.map(({ memberId }) => memberId),
  );
  const leavesOf = new Map<number, BetLeaves>();
  const tree = new MerkleTree(sha256);
  for (const bet of rows) {
    let leaves = leavesOf.get(bet.roundId);
    if (!leaves) {
      const [round] = await read
        .select({ day: rounds.day, number: rounds.number, game: games.key })
        .from(rounds)
        .innerJoin(games, eq(games.id, rounds.gameId))
        .where(eq(rounds.id, bet.roundId));
      const terms = round && (await readTerms(read, { game: round.game, round: roundText(round) }));
      if (!terms) return null;
      leavesOf.set(bet.roundId, (leaves = new BetLeaves(terms)));
    }
    tree.add(leaves.leaf(bet, salts.get(bet.memberId) ?? new MemberSalt(bet.memberId, "")));
  }
  return tree;
}
