import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Sqlite from "better-sqlite3";
import type { Table } from "drizzle-orm";
import pg from "pg";
import type { Tx } from "#db/db.ts";
import { isPostgres } from "#db/dialect.ts";
import { typed } from "#db/postgres/transactions.ts";
import type * as t from "#db/schema/index.ts";
import { reading } from "#db/sqlite/read.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { unguard } from "../../support/copies.ts";
import { databaseIn, newDatabase } from "../../support/databases.ts";
import { withConnection } from "../../support/own-connection.ts";

type Audit = (read: Tx, found: Findings) => Promise<unknown>;
type Write = (tx: Tx) => PromiseLike<unknown>;
/** Runs statements without values. */
type Run = (text: string) => Promise<unknown>;
/** Puts rows there. */
export type Put = (tx: Tx, run: Run) => Promise<unknown>;

interface Raw {
  read: Tx;
  run: Run;
  close(): Promise<void>;
}

/** An empty database that refuses nothing: a test writes whatever rows it wants, and they are gone after it. */
export interface Rows extends Raw {
  /** One case at a time, and its rows. */
  within<T>(work: (tx: Tx, run: Run) => Promise<T>): Promise<T>;
  begin(): Promise<unknown>;
  forget(): Promise<unknown>;
  /** Does something with rows that are there only meanwhile. */
  during<T>(write: Write, work: (tx: Tx) => Promise<T>): Promise<T>;
  /** What an audit says of rows that are there for it alone. */
  saidOf(audit: Audit, write: Write): Promise<Pick<Findings, "problems" | "notes">>;
  /** Its problems alone. */
  problemsOf(audit: Audit, write: Write): Promise<string[]>;
}

export async function emptyRows(): Promise<Rows> {
  const folder = mkdtempSync(join(tmpdir(), "trio-rows-"));
  const { env, drop } = await newDatabase(folder);
  const database = databaseIn({ env: { DATA_DIR: folder, ...env } });
  await withConnection(database, unguard);
  const { read, run, close } = await (isPostgres(database) ? openPostgres(database) : openSqlite(database));
  const begin = () => run("begin");
  const forget = () => run("rollback");
  const within: Rows["within"] = async (work) => {
    await begin();
    try {
      return await work(read, run);
    } finally {
      await forget();
    }
  };
  const during: Rows["during"] = (write, work) =>
    within(async (tx) => {
      await write(tx);
      return work(tx);
    });
  const saidOf: Rows["saidOf"] = async (audit, write) => {
    const found = new Findings();
    await during(write, (tx) => audit(tx, found));
    const { problems, notes } = found;
    return { problems, notes };
  };
  return {
    read,
    run,
    begin,
    forget,
    within,
    during,
    saidOf,
    problemsOf: async (audit, write) => (await saidOf(audit, write)).problems,
    async close() {
      await close();
      await drop();
      rmSync(folder, { recursive: true });
    },
  };
}

async function openSqlite(file: string): Promise<Raw> {
  const raw = new Sqlite(file);
  for (const pragma of ["foreign_keys = off", "ignore_check_constraints = on", "synchronous = off"]) raw.pragma(pragma);
  return { read: reading(raw), run: async (text) => raw.exec(text), close: async () => void raw.close() };
}

async function openPostgres(url: string): Promise<Raw> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return {
    read: typed(client as unknown as pg.PoolClient),
    run: (text) => client.query(text),
    close: () => client.end(),
  };
}

export const nothing: Put = async () => {};
/** One after the other. */
export const all =
  (...puts: Put[]): Put =>
  async (tx, run) => {
    for (const put of puts) await put(tx, run);
  };

/** Adds rows, few enough for one statement. */
export async function add<T extends Table>(tx: Tx, table: T, ...rows: T["$inferInsert"][]): Promise<void> {
  if (rows.length > 0) await tx.insert(table as never).values(rows);
}

/** More rows than the audit reads at once. */
export const MANY = 5_001;
/** The numbers of rows at the borders of what it reads at once. */
export const BORDERS = [1, MANY - 1, MANY];
/** The same as a condition of `addMany`. */
export const AT_BORDER = `i in (${BORDERS.join()})`;

/** Adds many rows, numbered as `i`. `columns`: what stands in them, in SQL. */
export function addMany({ run }: Pick<Rows, "run">, table: string, columns: Record<string, string>): Promise<unknown> {
  const series = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${MANY})`;
  const [names, values] = [Object.keys(columns).join(), Object.values(columns).join()];
  return run(`insert into ${table} (${names}) ${series} select ${values} from n`);
}

type Transfer = typeof t.transfers.$inferInsert;

/** A transfer of member 1, 10 from the operator unless it says otherwise. */
export const moved = (id: number, code: string, cause: string, more: Partial<Transfer> = {}): Transfer => ({
  id,
  code,
  cause,
  debit: "house:operator",
  credit: "member:1",
  amount: 10,
  memberId: 1,
  createdAt: 1,
  ...more,
});

/** A member of this number. */
export const person = (
  id: number,
  more: Partial<typeof t.members.$inferInsert> = {},
): typeof t.members.$inferInsert => ({
  id,
  username: `member_${id}`,
  avatar: "avatar/1",
  createdAt: 1,
  ...more,
});

/** A listing of this number. */
export const listed = (
  id: number,
  more: Partial<typeof t.listings.$inferInsert> = {},
): typeof t.listings.$inferInsert => ({
  id,
  code: `elf-${id}`,
  cityId: 1,
  name: {},
  headline: {},
  district: {},
  birthday: "",
  heightCm: 1,
  price: 1,
  pictures: [],
  address: {},
  contact: "",
  service: [],
  createdAt: 1,
  ...more,
});
