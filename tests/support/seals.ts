import { createHash } from "node:crypto";
import type { OwnConnection } from "./own-connection.ts";

/* The rules of a seal, written a second time without the server's code. A mistake would have to be made twice. */
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
  bet: "id, member_id, round_id, odds_id, cast(mask as text) as mask, stake, total, version, balance_after, created_at",
  payout: "round_id, member_id, amount, version, balance_after, created_at",
  transfer: "id, code, cause, debit, credit, amount, member_id, version, balance_after, reason, created_at",
  act: "id, at, who, host, operator_id, command, outcome, member_id, content",
};

async function leaves(
  connection: OwnConnection,
  kind: keyof typeof COLUMNS,
  rest: string,
  ...values: number[]
): Promise<string[]> {
  const rows = await connection.all<object>(`select ${COLUMNS[kind]} from ${rest}`, ...values);
  // A mask exceeds a number's precision, so it is written by its digits.
  const shown = ([name, value]: [string, unknown]) => (name === "mask" ? String(value) : JSON.stringify(value));
  return rows.map((row) => `[${[`"${kind}"`, ...Object.entries(row).map(shown)].join(",")}]`);
}

interface HouseEntry {
  id: number;
  kind: string;
  round_id: number;
  from_id: number;
  to_id: number;
}

const PAID = "payouts where round_id = ? and member_id between ? and ? order by member_id";

async function leavesBetween(connection: OwnConnection, from: Seal, to: Seal): Promise<string[]> {
  const found: string[] = [];
  const entries = await connection.all<HouseEntry>(
    "select * from house_entries where id > ? and id <= ? order by id",
    from.house_to,
    to.house_to,
  );
  for (const { id, kind, round_id, from_id, to_id } of entries) {
    found.push(...(await leaves(connection, "house", "house_entries where id = ?", id)));
    found.push(
      ...(kind === "bets"
        ? await leaves(connection, "bet", "bets where id between ? and ? order by id", from_id, to_id)
        : await leaves(connection, "payout", PAID, round_id, from_id, to_id)),
    );
  }
  const range = [from.transfers_to, to.transfers_to];
  found.push(...(await leaves(connection, "transfer", "transfers where id > ? and id <= ? order by id", ...range)));
  const acts = [from.acts_to, to.acts_to];
  found.push(...(await leaves(connection, "act", "operator_acts where id > ? and id <= ? order by id", ...acts)));
  return found;
}

export interface Seal {
  id: number;
  house_to: number;
  transfers_to: number;
  acts_to: number;
  root: string;
  seal: string;
}

/** All seals, oldest first. */
export const readSeals = (connection: OwnConnection): Promise<Seal[]> =>
  connection.all("select * from seals order by id");

/** The first seal that does not match the ledger's rows; null when all do. */
export async function firstWrongSeal(connection: OwnConnection): Promise<number | null> {
  let before: Seal = { id: 0, house_to: 0, transfers_to: 0, acts_to: 0, root: "", seal: "" };
  for (const seal of await readSeals(connection)) {
    const root = treeHash(await leavesBetween(connection, before, seal)).toString("hex");
    if (root !== seal.root || sha256(before.seal, root).toString("hex") !== seal.seal) return seal.id;
    before = seal;
  }
  return null;
}

/** Makes every seal anew from what the rows say now, as who owns the database may. */
export async function reseal(connection: OwnConnection): Promise<void> {
  let before: Seal = { id: 0, house_to: 0, transfers_to: 0, acts_to: 0, root: "", seal: "" };
  for (const old of await readSeals(connection)) {
    const root = treeHash(await leavesBetween(connection, before, old)).toString("hex");
    const seal = sha256(before.seal, root).toString("hex");
    await connection.run(`update seals set root = '${root}', seal = '${seal}' where id = ${old.id}`);
    before = { ...old, root, seal };
  }
}
