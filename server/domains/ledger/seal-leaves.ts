import { createHash, hash } from "node:crypto";
import { getTableColumns, type Column, type Table } from "drizzle-orm";
import { bets, payouts } from "#db/schema/bets.ts";
import { houseEntries, transfers } from "#db/schema/ledger.ts";
import { operatorActs } from "#db/schema/operators.ts";
import type { Hash } from "#shared/merkle.ts";

/**
 * Makes the leaves of a table's rows out of all its columns.
 *
 * Format 1 is a JSON array: the row's kind, then the columns that the table had when rows were first sealed. A column
 * that came later is null in every older row, and null is left out, so those rows keep the leaves that they were sealed
 * with. A row with a value in such a column has format 2: the kind followed by ` 2`, the same columns, then an object of
 * the later values, sorted by name. So a value written into a later column of an old row changes its leaf too.
 */
export class SealedTable {
  readonly #kind: string;
  readonly #columns: readonly [name: string, column: Column][];
  readonly #first: readonly string[];
  readonly #later: readonly string[];
  /** All columns for a query whose rows are arrays: those of format 1 come first. */
  readonly sql: string;

  /**
   * `without`: the columns that are in no leaf. Throws when a later column gives older rows a value: their leaves would
   * differ from what was sealed.
   */
  constructor(kind: string, table: Table, first: readonly string[], without: readonly string[] = []) {
    const columns = getTableColumns(table);
    this.#kind = kind;
    this.#first = first;
    this.#later = Object.keys(columns)
      .filter((name) => !first.includes(name) && !without.includes(name))
      .sort();
    this.#columns = [...first, ...this.#later].map((name) => [name, columns[name]!]);
    this.sql = this.#columns.map(([name, column]) => sqlOf(name, column)).join(", ");
    const fixed = this.#later.find((name) => columns[name]!.notNull || columns[name]!.hasDefault);
    if (fixed) throw new Error(`${kind}: ${fixed} was added to a sealed table, so it may be null and has no default`);
  }

  /** Column names in leaves of format 2. Such a column is never renamed and never dropped. */
  get later(): readonly string[] {
    return this.#later;
  }

  /** A column's index in `sql`. */
  placeOf(name: string): number {
    return this.#columns.findIndex(([one]) => one === name);
  }

  /** The leaf of a row as drizzle reads it. */
  leaf(row: Readonly<Record<string, unknown>>): string {
    const first = this.#first.map((name) => written(row[name]));
    const later = this.#later.filter((name) => (row[name] ?? null) !== null);
    if (later.length === 0) return `[${[JSON.stringify(this.#kind), ...first].join(",")}]`;
    const added = later.map((name) => `${JSON.stringify(name)}:${written(row[name])}`);
    return `[${[JSON.stringify(`${this.#kind} 2`), ...first, `{${added.join(",")}}`].join(",")}]`;
  }

  /** The leaf of a row as either engine's driver returns it for `sql`. */
  leafOfValues(values: readonly unknown[]): string {
    const row: Record<string, unknown> = {};
    for (const [i, [name, column]] of this.#columns.entries())
      row[name] = values[i] === null ? null : column.mapFromDriverValue(values[i]);
    return this.leaf(row);
  }
}

/** Columns that may exceed a JavaScript number are read as text. */
function sqlOf(name: string, column: Column): string {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return column.dataType === "custom" ? `cast(${snake} as text)` : snake;
}

/** A bigint is written as a plain number. */
const written = (value: unknown): string => (typeof value === "bigint" ? String(value) : JSON.stringify(value));

type Columns<T extends Table> = readonly (keyof T["$inferSelect"] & string)[];

// The columns of format 1. They never change, and a new column is not added here.
const HOUSE: Columns<typeof houseEntries> = ["id", "kind", "amount", "roundId", "fromId", "toId", "createdAt"];
const BET: Columns<typeof bets> = [
  "id",
  "memberId",
  "roundId",
  "oddsId",
  "mask",
  "stake",
  "total",
  "version",
  "balanceAfter",
  "createdAt",
];
const PAYOUT: Columns<typeof payouts> = ["roundId", "memberId", "amount", "version", "balanceAfter", "createdAt"];
const TRANSFER: Columns<typeof transfers> = [
  "id",
  "code",
  "cause",
  "debit",
  "credit",
  "amount",
  "memberId",
  "version",
  "balanceAfter",
  "reason",
  "createdAt",
];

const ACT: Columns<typeof operatorActs> = [
  "id",
  "at",
  "who",
  "host",
  "operatorId",
  "command",
  "outcome",
  "memberId",
  "content",
];
/** What an erasure empties. `content` is a hash of it. */
const EMPTIED: Columns<typeof operatorActs> = ["words", "reason", "why", "salt"];

/**
 * The rows that a seal's Merkle tree covers, in the order of commits: each house entry, followed by the bets or payouts
 * that it sums; then the transfers, and the acts of operators.
 */
export const SEALED = {
  house: new SealedTable("house", houseEntries, HOUSE),
  bet: new SealedTable("bet", bets, BET),
  payout: new SealedTable("payout", payouts, PAYOUT),
  transfer: new SealedTable("transfer", transfers, TRANSFER),
  act: new SealedTable("act", operatorActs, ACT, EMPTIED),
};

export type Sealed = keyof typeof SEALED;

export const sha256: Hash = (bytes) => hash("sha256", bytes, "buffer");

/** seal = SHA-256(previous seal + root), both as hex text; the first seal follows the empty text. */
export const sealOf = (previous: string, root: string): string =>
  createHash("sha256").update(previous).update(root).digest("hex");
