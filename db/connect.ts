import type { ConnectOptions, Db } from "./db.ts";
import { dialectOf, isPostgres, readDialect } from "./dialect.ts";

/**
 * Opens a database whose tables are up to date (`migrate.ts`): a PostgreSQL by its address, or a SQLite file. Throws if
 * the schema was loaded for the other engine (`chooseDialect`).
 */
export async function connect(url: string, options: ConnectOptions): Promise<Db> {
  const [dialect, needed] = [readDialect(), dialectOf(url)];
  if (dialect !== needed) throw new Error(`the schema is loaded for ${dialect}, and this database needs ${needed}`);
  if (isPostgres(url)) {
    const { connectPostgres } = await import("./postgres/connect.ts");
    return connectPostgres(url, options);
  }
  const { connectSqlite } = await import("./sqlite/connect.ts");
  return connectSqlite(url, options);
}
