import { sql, type Placeholder } from "drizzle-orm";
import {
  alias,
  check,
  customType,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  union,
  unionAll,
  uniqueIndex,
} from "drizzle-orm/sqlite-core";

export const table = sqliteTable;
export { alias, check, index, primaryKey, sql, text, union, unionAll, uniqueIndex };

/** The row's number, assigned by the database in ascending order. */
export const rowId = () => integer().primaryKey();
/** A row number that is never used twice, even after the row was deleted. */
export const serial = () => integer().primaryKey({ autoIncrement: true });
/** A whole number of 32 bits. */
export const int = () => integer();
/** The row number of another row. */
export const ref = () => integer();
/** An amount in 1/100 unit. */
export const money = () => integer();
/** A whole number of up to 63 bits. Reading one beyond JavaScript's safe integers throws: cast it to text. */
export const wide = customType<{ data: bigint; driverData: bigint | number }>({
  dataType: () => "integer",
  fromDriver: exact,
});
/** Bytes. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array | string }>({
  dataType: () => "blob",
  // A text is there only if somebody changed the table.
  fromDriver: (value) => (typeof value === "string" ? Buffer.from(value) : value),
});
/** Milliseconds since the Unix epoch, UTC. */
export const at = () => integer();
export const bool = () => integer({ mode: "boolean" });
export const json = <T>() => text({ mode: "json" }).$type<T>();

function exact(value: bigint | number): bigint {
  if (typeof value === "number" && !Number.isSafeInteger(value)) throw new RangeError(`${value} was not read exactly`);
  return BigInt(value);
}

/**
 * A parameter of a prepared query. SQLite 3.54 plans joins, and queries with an order or a limit, again whenever a plain
 * parameter is bound. With the plus it plans them once.
 */
export const placeholder = <N extends string>(name: N) => sql`+${sql.placeholder(name)}` as unknown as Placeholder<N>;
