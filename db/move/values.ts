import type { Kind, MovedTable } from "./tables.ts";
import { Unmovable } from "./unmovable.ts";

/** A value on its way. JSON is text, bytes are hex, and a boolean is a boolean. */
export type Value = number | string | boolean | null;
export type Row = Value[];

/** A row's values, equal for both engines. Throws an Unmovable that names table and column. */
export function valuesOf(table: MovedTable, row: unknown[]): Row {
  return table.columns.map(({ name, kind }, i) => {
    const value = row[i];
    if (value === null) return null;
    try {
      return READERS[kind](value);
    } catch (error) {
      throw new Unmovable(`${table.name}.${name} holds ${shown(value)}: ${(error as Error).message}.`);
    }
  });
}

const READERS: Record<Kind, (value: unknown) => Value> = {
  number(value) {
    if (!Number.isSafeInteger(value)) throw new Error("not a whole number that can be copied exactly");
    return value as number;
  },
  /** As digits. */
  wide(value) {
    if (typeof value !== "string" || !/^-?\d{1,19}$/.test(value)) throw new Error("not a whole number");
    return value;
  },
  boolean(value) {
    if (value === 0 || value === 1) return value === 1;
    if (typeof value !== "boolean") throw new Error("not a boolean");
    return value;
  },
  text(value) {
    if (typeof value !== "string") throw new Error("not a text");
    if (value.includes("\0")) throw new Error("a text with a null character, which PostgreSQL cannot store");
    return value;
  },
  bytes(value) {
    if (!(value instanceof Uint8Array)) throw new Error("not bytes");
    return Buffer.from(value).toString("hex");
  },
  json(value) {
    if (typeof value !== "string") throw new Error("not a JSON text");
    JSON.parse(value, exact);
    return value;
  },
};

function exact(_name: string, value: unknown): unknown {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Error("a number too large to copy exactly");
  return value;
}

const MOST_SHOWN = 60;

function shown(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : String(value);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}
