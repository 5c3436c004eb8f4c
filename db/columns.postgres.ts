import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";

export const table = pgTable;
export { check, index, primaryKey, sql, text, uniqueIndex };

const big = () => bigint({ mode: "number" });

export const rowId = () => big().primaryKey().generatedByDefaultAsIdentity();
export const serial = rowId;
export const int = () => integer();
export const ref = big;
export const money = big;
export const at = big;
export const bool = () => boolean();
export const json = <T>() => jsonb().$type<T>();
export const given = <N extends string>(name: N) => sql.placeholder(name);
