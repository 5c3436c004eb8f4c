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

/** The row's own number, counted up by the database. */
export const rowId = () => integer().primaryKey();
/** A row number that is never given out twice, even after the row was pruned. */
export const serial = () => integer().primaryKey({ autoIncrement: true });
/** Whole number that fits 32 bits. */
export const int = () => integer();
/** The row number of another row. */
export const ref = () => integer();
/** An amount in 1/100 unit. */
export const money = () => integer();
/** Whole number of up to 63 bits. Read as a column it is refused beyond what a JavaScript number counts exactly. */
export const wide = customType<{ data: bigint; driverData: bigint | number }>({
  dataType: () => "integer",
  fromDriver: exact,
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
 * A value handed to a prepared query when it is run. SQLite 3.54 plans a join,
 * or anything with an order or a limit, anew whenever a plain parameter in it is bound; this it plans once.
 */
export const placeholder = <N extends string>(name: N) => sql`+${sql.placeholder(name)}` as unknown as Placeholder<N>;
