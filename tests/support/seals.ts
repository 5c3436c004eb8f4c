import { createHash } from "node:crypto";
import type Sqlite from "better-sqlite3";

/*
 * The rules of a seal, written a second time with nothing of the server's, so
 * that a mistake would have to be made twice.
 */
const sha256 = (...parts: (string | Buffer)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest();

/** RFC 6962, section 2.1. */
function treeHash(leaves: string[]): Buffer {
  if (leaves.length === 0) return sha256("");
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0]!);
  const left = 2 ** Math.ceil(Math.log2(leaves.length) - 1);
  return sha256(Buffer.of(1), treeHash(leaves.slice(0, left)), treeHash(leaves.slice(left)));
}

const COLUMNS = {
  house: "id, kind, amount, round_id, from_id, to_id, created_at",
  bet: "id, member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at",
  payout: "round_id, member_id, amount, version, balance_after, created_at",
  transfer: "id, code, cause, debit, credit, amount, member_id, version, balance_after, reason, created_at",
};

function leaves(raw: Sqlite.Database, kind: keyof typeof COLUMNS, rest: string, ...values: number[]): string[] {
  const rows = raw
    .prepare(`select ${COLUMNS[kind]} from ${rest}`)
    .raw()
    .all(...values) as unknown[][];
  return rows.map((row) => JSON.stringify([kind, ...row]));
}

interface HouseEntry {
  id: number;
  kind: string;
  round_id: number;
  from_id: number;
  to_id: number;
}

const PAID = "payouts where round_id = ? and member_id between ? and ? order by member_id";

function leavesBetween(raw: Sqlite.Database, from: Seal, to: Seal): string[] {
  const [low, high] = [from.house_to, to.house_to];
  const entries = raw.prepare("select * from house_entries where id > ? and id <= ? order by id").all(low, high);
  const played = (entries as HouseEntry[]).flatMap(({ id, kind, round_id, from_id, to_id }) => [
    ...leaves(raw, "house", "house_entries where id = ?", id),
    ...(kind === "bets"
      ? leaves(raw, "bet", "bets where id between ? and ? order by id", from_id, to_id)
      : leaves(raw, "payout", PAID, round_id, from_id, to_id)),
  ]);
  const range = [from.transfers_to, to.transfers_to];
  return [...played, ...leaves(raw, "transfer", "transfers where id > ? and id <= ? order by id", ...range)];
}

export interface Seal {
  id: number;
  house_to: number;
  transfers_to: number;
  root: string;
  seal: string;
}

/** All seals, oldest first. */
export const readSeals = (raw: Sqlite.Database): Seal[] =>
  raw.prepare("select * from seals order by id").all() as Seal[];

/** The first seal that the ledger as it stands does not give; null when all agree. */
export function firstWrongSeal(raw: Sqlite.Database): number | null {
  let before: Seal = { id: 0, house_to: 0, transfers_to: 0, root: "", seal: "" };
  for (const seal of readSeals(raw)) {
    const root = treeHash(leavesBetween(raw, before, seal)).toString("hex");
    if (root !== seal.root || sha256(before.seal, root).toString("hex") !== seal.seal) return seal.id;
    before = seal;
  }
  return null;
}
