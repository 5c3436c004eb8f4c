import * as postgres from "./columns.postgres.ts";
import * as sqlite from "./columns.sqlite.ts";

export const dialect = process.env.DATABASE_URL?.startsWith("postgres") ? "postgres" : "sqlite";

// The one cast that buys one schema: both modules export the same names with
// the same JavaScript value types, so the rest of the code may think in SQLite.
const columns = dialect === "postgres" ? (postgres as unknown as typeof sqlite) : sqlite;

export const {
  alias,
  at,
  bool,
  check,
  given,
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
