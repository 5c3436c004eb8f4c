import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { and, asc, desc, eq, gte, inArray, isNotNull, isNull, max, or, sql } from "drizzle-orm";
import { dialect } from "#db/columns.ts";
import type { Tx } from "#db/db.ts";
import { anchors, games, houseEntries, logKeys, logRestores, logRounds, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { checkpointText, originOf, type Checkpoint } from "#shared/log/checkpoint.ts";
import { keyOf, type NoteKey, type Signer } from "#shared/log/note.ts";
import { dayOf, dayText } from "#shared/time.ts";
import { seal, unseal, type Sealing } from "#server/domains/keys/seal.ts";
import { addLeaf, addNewLeaf } from "./add-leaf.ts";
import { newestSigned } from "./number-leaves.ts";
import { stateChainEnds } from "./state-chain-ends.ts";
import { statePlans } from "./state-plans.ts";
import { stateClosing, stateOpening } from "./state-rounds.ts";
import { storedRoot } from "./stored-tree.ts";
import { stateTable } from "./table-leaf.ts";

/** The log of today and the key that signs it. */
export interface LogKey {
  /** Counts the origins of this house, from 1. */
  log: number;
  /** Counts the keys, over all origins. */
  id: number;
  key: NoteKey;
}

/** A key as the database has it. */
export type KeyRow = typeof logKeys.$inferSelect;

type Parts = Pick<Deps, "db" | "clock" | "keys" | "log" | "random" | "publicUrl">;

const SECRET_BYTES = 32;
/** What stands before the 32 secret bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

const privateKey = (secret: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: "der", type: "pkcs8" });

const publicBytes = (key: KeyObject): Buffer =>
  Buffer.from(createPublicKey(key).export({ format: "jwk" }).x!, "base64url");

/**
 * The key in force. Of servers that start together on an empty database one makes it, and all use it. The log begins
 * with the anchors that are public already and the rounds that are open.
 */
export async function openLogKey(parts: Parts): Promise<LogKey> {
  const known = await readLogKey(parts.db.read);
  if (known) return known;
  await parts.db.transact(async (tx) => void (await insertKey(tx, parts, { id: 1, log: 1 })));
  return (await readLogKey(parts.db.read))!;
}

/**
 * Begins the next log, with a key and a name of its own, once the operator has said that the database was restored. Its
 * first leaf says which log it continues, and what was kept of that. Returns null where nothing was said.
 */
export async function beginNextLog(parts: Parts, current: LogKey, kept: Checkpoint | null): Promise<LogKey | null> {
  const { log } = current;
  await parts.db.transact(async (tx) => {
    const [said] = await tx.select().from(logRestores).where(eq(logRestores.id, log));
    if (!said) return;
    const head = await newestSigned(tx, log);
    const old = kept ?? { size: head?.size ?? 0, root: head ? Buffer.from(head.root, "hex") : EMPTY };
    const size = Math.min(old.size, head?.size ?? 0);
    const root = await storedRoot(tx, log, size);
    const first = await insertKey(tx, parts, { id: current.id + 1, log: log + 1 }, () =>
      addNewLeaf(tx, {
        kind: "restore",
        number: log,
        reason: said.reason,
        old: checkpointText({ origin: current.key.name, extensions: [], ...old }),
        kept: size,
        kept_root: Buffer.from(root).toString("hex"),
        at: said.createdAt,
      }),
    );
    if (first) parts.log.warn({ log: log + 1 }, "the public log begins anew, because the database was restored");
  });
  const next = await readLogKey(parts.db.read);
  return next && next.log > log ? next : null;
}

const EMPTY = createHash("sha256").digest();

/** Inserts a key unless another server was faster. The leaf of `before` comes first in the log. */
async function insertKey(
  tx: Tx,
  parts: Parts,
  { id, log }: { id: number; log: number },
  before: () => Promise<void> = async () => {},
): Promise<boolean> {
  const firstBatch = id === 1 ? 0 : (await lastBatch(tx)) + 1;
  const made = newKey(parts);
  const now = parts.clock.now();
  const origin = originOf(new URL(parts.publicUrl).host, Buffer.from(made.publicKey, "hex"));
  const row = { id, log, origin, ...made, firstBatch, createdAt: now };
  const [first] = await tx.insert(logKeys).values(row).onConflictDoNothing().returning({ id: logKeys.id });
  if (!first) return false;
  await before();
  await stateWhatIs(tx, now);
  return true;
}

/** A key that nobody else has, sealed. */
export function newKey(parts: Pick<Parts, "keys" | "random">): Pick<KeyRow, "publicKey" | "sealedKey"> {
  const secret = parts.random(SECRET_BYTES);
  return {
    publicKey: publicBytes(privateKey(secret)).toString("hex"),
    sealedKey: seal(parts.keys.now, parts.random, SEALING, secret),
  };
}

/**
 * The newest batch of bets. No other is committed before this transaction ends, so the key that replaces another one
 * begins right after it.
 */
export async function lastBatch(tx: Tx): Promise<number> {
  // A batch locks its table before it reads anything. So one that waits here sees the key that this transaction leaves.
  const select =
    dialect === "postgres"
      ? tx.select({ id: sql<number>`last_batch()`.mapWith(Number) }).from(sql`(select 1) as one`)
      : tx.select({ id: max(houseEntries.id) }).from(houseEntries);
  const [last] = await select;
  return last?.id ?? 0;
}

/**
 * The anchors that are public already, the table of prizes, what was announced, and what is known of rounds that are not drawn. What is drawn stands in the log
 * before: this one would state its payouts without its draw.
 */
async function stateWhatIs(tx: Tx, now: number): Promise<void> {
  const drawn = tx
    .select({ id: rounds.id })
    .from(rounds)
    .where(or(isNotNull(rounds.drawnAt), isNotNull(rounds.refundedAt)));
  await tx.delete(logRounds).where(inArray(logRounds.roundId, drawn));
  const known = await tx
    .select({ game: games.key, day: anchors.day, anchor: anchors.anchor })
    .from(anchors)
    .innerJoin(games, eq(games.id, anchors.gameId))
    .where(gte(anchors.day, dayOf(now)))
    .orderBy(asc(anchors.day), asc(games.id));
  for (const { game, day, anchor } of known) await addLeaf(tx, { kind: "anchor", game, day: dayText(day), anchor });
  await stateTable(tx);
  await statePlans(tx);
  const isOpen = and(isNull(rounds.indexedAt), isNull(rounds.closedAt));
  const unfinished = await tx
    .select({ game: games, round: rounds, stated: logRounds })
    .from(rounds)
    .innerJoin(games, eq(games.id, rounds.gameId))
    .leftJoin(logRounds, eq(logRounds.roundId, rounds.id))
    .where(or(isOpen, isNotNull(logRounds.roundId)))
    .orderBy(asc(rounds.id));
  for (const { game, round, stated } of unfinished) {
    await stateOpening(tx, game, round);
    if (stated) await stateClosing(tx, { game, round }, stated);
  }
  // Last: rounds wait for their closings, and members are many.
  await stateChainEnds(tx);
}

export async function readLogKey(read: Tx): Promise<LogKey | null> {
  const [row] = await read.select().from(logKeys).orderBy(desc(logKeys.id)).limit(1);
  return row ? { log: row.log, id: row.id, key: noteKeyOf(row) } : null;
}

export const noteKeyOf = ({ origin, publicKey }: Pick<KeyRow, "origin" | "publicKey">): NoteKey =>
  keyOf(origin, Buffer.from(publicKey, "hex"));

/** Signs by a key. Ed25519 gives the same signature each time. */
export function signerOf(parts: Pick<Parts, "keys">, row: KeyRow): Signer {
  const secret = privateKey(unseal(parts.keys, SEALING, row.sealedKey));
  return { key: noteKeyOf(row), sign: (message) => sign(null, message, secret) };
}

/** A key's secret half is sealed for nobody in particular. */
const SEALING: Sealing = { purpose: "log key", owner: "" };

/** The same key's secret half under the master key in force. */
export const sealAnew = (parts: Pick<Parts, "keys" | "random">, sealedKey: string): string =>
  seal(parts.keys.now, parts.random, SEALING, unseal(parts.keys, SEALING, sealedKey));
