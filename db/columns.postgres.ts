import { sql } from "drizzle-orm";
import {
  alias,
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  json as jsonText,
  pgTable,
  primaryKey,
  text,
  union,
  unionAll,
  uniqueIndex,
} from "drizzle-orm/pg-core";

export const table = pgTable;
export { alias, check, index, primaryKey, sql, text, union, unionAll, uniqueIndex };

const big = () => bigint({ mode: "number" });

export const rowId = () => big().primaryKey().generatedByDefaultAsIdentity();
export const serial = rowId;
export const int = () => integer();
export const ref = big;
export const money = big;
export const wide = customType<{ data: bigint; driverData: number | string }>({
  dataType: () => "bigint",
  fromDriver: BigInt,
  toDriver: String,
});
export const bytes = customType<{ data: Uint8Array }>({ dataType: () => "bytea" });
export const at = big;
export const bool = () => boolean();
// Not jsonb, which sorts the keys of an object: as on SQLite, a read returns what was written.
export const json = <T>() => jsonText().$type<T>();
export const placeholder = <N extends string>(name: N) => sql.placeholder(name);
