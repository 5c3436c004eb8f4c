import { getTableColumns, getTableName, is, Table, type Column } from "drizzle-orm";
import { toSnakeCase } from "drizzle-orm/casing";
import { getTableConfig as postgresConfig, type PgTable } from "drizzle-orm/pg-core";
import { getTableConfig as sqliteConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import { dialect } from "#db/columns.ts";
import * as schema from "#db/schema/index.ts";

/** A table as both engines know it, whichever dialect the schema was loaded for. */
export interface MovedTable {
  name: string;
  columns: { name: string; kind: Kind }[];
  /** The columns of the primary key, in order. */
  key: string[];
  /** A condition for the rows to copy: a few belong to one database alone. */
  where: string;
}

/** `wide`: a whole number that may be beyond JavaScript's safe integers. */
export type Kind = "number" | "wide" | "boolean" | "text" | "json" | "bytes";

/** The column list of a query that reads a table exactly. */
export const readColumns = ({ columns }: MovedTable): string =>
  columns.map(({ name, kind }) => (kind === "wide" ? `cast("${name}" as text)` : `"${name}"`)).join(", ");

/** The name in `meta` that marks an unfinished copy: nobody may serve it. */
export const MARK = "moving";

/** Facts of one database. Its own epoch tells clients that versions may have gone back (as in `db/backup.ts`). */
const OWN = `name not in ('${MARK}', 'epoch')`;

/** Transaction numbers of one PostgreSQL. The target fills in its own. */
const LEFT_OUT = "outbox.transaction";

const KINDS: Record<string, Kind> = {
  number: "number",
  boolean: "boolean",
  string: "text",
  json: "json",
};

/** Types of our own, by what the engines call them. */
const OWN_TYPES: Record<string, Kind> = { integer: "wide", bigint: "wide", blob: "bytes", bytea: "bytes" };

/** All tables of the site, each after the tables that it refers to. */
export function listTables(): MovedTable[] {
  const left = new Set(Object.values(schema).filter((one): one is Tables => is(one, Table)));
  const sorted: MovedTable[] = [];
  while (left.size) {
    const next = [...left].find((table) => !refersTo(table).some((other) => other !== table && left.has(other)));
    if (!next) throw new Error("the tables refer to each other in a circle");
    left.delete(next);
    sorted.push(described(next));
  }
  return sorted;
}

type Tables = (typeof schema)[keyof typeof schema];

/** The schema is typed for SQLite (db/columns.ts), but its configuration is that of its own dialect. */
const configOf = (table: Tables) =>
  dialect === "postgres" ? postgresConfig(table as unknown as PgTable) : sqliteConfig(table as SQLiteTable);

const refersTo = (table: Tables): Tables[] =>
  configOf(table).foreignKeys.map((key) => key.reference().foreignTable as unknown as Tables);

function described(table: Tables): MovedTable {
  const name = getTableName(table as Table);
  const columns: Column[] = Object.values(getTableColumns(table as Table));
  const own = columns.filter(({ primary }) => primary);
  const key = own.length ? own : configOf(table).primaryKeys.flatMap((one) => one.columns as Column[]);
  return {
    name,
    columns: columns
      .map((column) => ({ name: nameOf(column), kind: kindOf(column) }))
      .filter((column) => `${name}.${column.name}` !== LEFT_OUT),
    key: key.map(nameOf),
    where: name === "meta" ? OWN : "true",
  };
}

const nameOf = (column: Column) => toSnakeCase(column.name);

function kindOf(column: Column): Kind {
  const kind = column.dataType === "custom" ? OWN_TYPES[column.getSQLType()] : KINDS[column.dataType];
  if (!kind) throw new Error(`${column.name} is ${column.dataType}, which cannot be moved`);
  return kind;
}
