import type { ConnectOptions, Db } from "./db.ts";

export const isPostgres = (url: string): boolean => /^postgres(ql)?:\/\//.test(url);

/** Opens a database whose tables are up to date (`migrate.ts`): a PostgreSQL by its address, or a file of SQLite. */
export async function connect(url: string, options: ConnectOptions): Promise<Db> {
  if (isPostgres(url)) {
    const { connectPostgres } = await import("./postgres/connect.ts");
    return connectPostgres(url, options);
  }
  const { connectSqlite } = await import("./sqlite/connect.ts");
  return connectSqlite(url, options);
}
