import { deflateRawSync } from "node:zlib";
import { asc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logBundles, logHeads, logKeys, logLeaves, logTiles } from "#db/schema/log.ts";
import type { Findings } from "#server/admin/audit/findings.ts";
import { LogHeads } from "#server/admin/audit/log-heads.ts";
import { auditTree } from "#server/admin/audit/log-tree.ts";
import { SignsOfLife } from "#server/admin/audit/signs-of-life.ts";
import { shortKey } from "#server/domains/log/add-leaf.ts";
import { saltedKey } from "#server/domains/log/member-leaves.ts";
import { originOf } from "#shared/log/checkpoint.ts";
import { keyChangeText, leafKey, leafText, type KeyChange, type Leaf, type OpenKind } from "#shared/log/leaf.ts";
import { keyText, NOTE_KEY, noteText, type Signer } from "#shared/log/note.ts";
import { toBase64 } from "#shared/log/strict.ts";
import { bundleOf, WIDTH } from "#shared/log/tiles.ts";
import { leafHash, MerkleTree } from "#shared/merkle.ts";
import { bytes, headNote, hexOf, serverHash, signerOf } from "../../log/world.ts";
import { START, world, type World } from "../../support/world.ts";

const HEIGHT = 8;
const ROWS_AT_ONCE = 500;

/** The origin of a made log, and those who sign it, one after the other. */
function signersOf(log: number): Signer[] {
  const words = [`first of ${log}`, `second of ${log}`] as const;
  const origin = originOf("house.example", signerOf("x", NOTE_KEY, words[0]).key.publicKey);
  return words.map((word) => signerOf(origin, NOTE_KEY, word));
}

/** Both keys of a log agree that the second one follows. */
export function keyLeaf(log: number): Leaf<"key"> {
  const [old, next] = signersOf(log);
  const reason = { en_us: "Once a year" };
  const change: KeyChange = { old: keyText(old!.key), next: keyText(next!.key), batch: 0, reason, at: 1 };
  const text = bytes(keyChangeText(change));
  const [old_signature, next_signature] = [toBase64(old!.sign(text)), toBase64(next!.sign(text))];
  return { kind: "key", ...change, old_signature, next_signature };
}

export const timeLeaf = (i: number): Leaf<"time"> => ({ kind: "time", time: START + 1_000 * i });
const resumeLeaf = (at: number): Leaf<"resume"> => ({
  kind: "resume",
  game: "k3-1m",
  from: "20260302-0001",
  at,
});
const playsLeaf = (i: number): Leaf => ({ kind: "plays", hash: hexOf(bytes(String(i).padStart(32, "0"))) });

/** A time as the first leaf and as the last, and at the same distance between them. */
export function leavesTo(size: number, distance: number): Leaf[] {
  const between = (i: number) => (i % 4 === 3 ? playsLeaf(i) : resumeLeaf(i));
  return Array.from({ length: size }, (_, i) => (i % distance === 0 || i === size - 1 ? timeLeaf(i) : between(i)));
}

const keyOf = (leaf: Leaf): string =>
  "hash" in leaf && leaf.kind === "plays" ? saltedKey("plays", leaf.hash) : shortKey(leafKey(leaf as Leaf<OpenKind>));

/** Writes a log as a server does: what is full is packed, each time ends a head, and the key signs that the leaves name. */
async function writeLog(tx: Tx, log: number, leaves: readonly Leaf[]): Promise<void> {
  const signers = signersOf(log);
  for (const [i, { key }] of signers.entries()) {
    const row = {
      id: 100 * log + i,
      log,
      origin: key.name,
      publicKey: hexOf(key.publicKey),
      sealedKey: "",
      createdAt: 1,
    };
    if (i === 0 || leaves.some(({ kind }) => kind === "key")) await tx.insert(logKeys).values(row);
  }
  const tree = new MerkleTree(serverHash);
  const tiles: Uint8Array[][][] = [];
  const heads: (typeof logHeads.$inferInsert)[] = [];
  let signer = signers[0]!;
  for (const leaf of leaves) {
    if (leaf.kind === "key") signer = signers[1]!;
    tree.add(leafHash(bytes(leafText(leaf)), serverHash), ({ level, index }, hash) => {
      if (level % HEIGHT !== 0) return;
      const ofLevel = (tiles[level / HEIGHT] ??= []);
      (ofLevel[Math.floor(index / WIDTH)] ??= []).push(hash);
    });
    if (leaf.kind !== "time") continue;
    const note = noteText(headNote({ size: tree.size, root: tree.rootHash() }, signer));
    heads.push({ log, size: tree.size, root: tree.root(), at: leaf.time, note, announcedAt: leaf.time });
  }
  const packed = Math.floor(leaves.length / WIDTH) * WIDTH;
  const rows = leaves.map((leaf, number) => ({
    log,
    key: keyOf(leaf),
    text: number < packed ? null : leafText(leaf),
    number,
  }));
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await tx.insert(logLeaves).values(rows.slice(from, from + ROWS_AT_ONCE));
  for (let from = 0; from < heads.length; from += ROWS_AT_ONCE)
    await tx.insert(logHeads).values(heads.slice(from, from + ROWS_AT_ONCE));
  for (let index = 0; index * WIDTH < packed; index++) {
    const entries = leaves.slice(index * WIDTH, (index + 1) * WIDTH).map((leaf) => bytes(leafText(leaf)));
    await tx.insert(logBundles).values({ log, index, data: deflateRawSync(bundleOf(entries)) });
  }
  for (const [level, ofLevel] of tiles.entries())
    for (const [index, hashes] of ofLevel.entries())
      await tx.insert(logTiles).values({ log, level, index, hashes: Buffer.concat(hashes) });
}

/** A site whose database has these logs beside its own. */
export async function madeLogs(logs: Record<number, readonly Leaf[]>): Promise<World> {
  const w = await world({ env: { MASTER_KEY: "5eed".repeat(16) } });
  await w.deps.db.transact(async (tx) => {
    for (const [log, leaves] of Object.entries(logs)) await writeLog(tx, Number(log), leaves);
  }, "setup");
  return w;
}

interface AuditedTree {
  /** Whether every leaf was read. */
  isWhole: boolean;
  /** The numbers of the leaves that were handed on. */
  taken: number[];
  heads: Pick<LogHeads, "first" | "last">;
}

/** The audit of one log's leaves, tiles, heads and their signatures. */
export const treeOf =
  (log: number, { hasEnded = false, now = Number.MAX_SAFE_INTEGER } = {}) =>
  async (read: Tx, found: Findings): Promise<AuditedTree> => {
    const signs = await SignsOfLife.read(read, now);
    const keys = await read.select().from(logKeys).where(eq(logKeys.log, log)).orderBy(asc(logKeys.id));
    const [first, ...more] = keys;
    const heads = new LogHeads(read, [first!, ...more], { signs, hasEnded }, found);
    const taken: number[] = [];
    const isWhole = await auditTree(read, log, heads, found, async (leaves) => {
      taken.push(...leaves.map(({ number }) => number));
    });
    await heads.checkCosignatures();
    return { isWhole, taken, heads: { first: heads.first, last: heads.last } };
  };
