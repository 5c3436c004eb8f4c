import type { Db } from "./connect.ts";
import { openSqlite } from "./sqlite/open.ts";

/**
 * Copies the database into `file`. A file of SQLite is checked, and gets an epoch of its own: clients that see it served
 * know that versions may have gone back. pg_dump's archive gets one when it is restored (`restored`).
 */
export async function backUp(db: Db, file: string, epoch: string): Promise<void> {
  await db.backup(file);
  if (db.engine === "postgres") return;
  const copy = openSqlite(file);
  try {
    copy.prepare("update meta set value = ? where name = 'epoch'").run(epoch);
    const found = copy.pragma("quick_check", { simple: true });
    if (found !== "ok") throw new Error(`the copy is damaged: ${String(found)}`);
    copy.pragma("journal_mode = DELETE");
  } finally {
    copy.close();
  }
}
