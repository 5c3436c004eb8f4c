import * as postgres from "./columns.postgres.ts";
import * as sqlite from "./columns.sqlite.ts";
import { readDialect } from "./dialect.ts";

export const dialect = readDialect();

// The one cast that buys one schema: both modules export the same names with
// the same JavaScript value types, so the rest of the code may think in SQLite.
const columns = dialect === "postgres" ? (postgres as unknown as typeof sqlite) : sqlite;

export const {
  alias,
  at,
  bool,
  check,
  placeholder,
  index,
  int,
  json,
  money,
  primaryKey,
  ref,
  rowId,
  serial,
  sql,
  table,
  text,
  union,
  unionAll,
  uniqueIndex,
  wide,
} = columns;
