import type { Db } from "./connect.ts";
import { openSqlite } from "./sqlite/open.ts";

/**
 * Copies the database into `file`, checks the copy, and gives it an epoch of
 * its own: clients that see it served know that versions may have gone back.
 */
export async function backUp(db: Db, file: string, epoch: string): Promise<void> {
  await db.backup(file);
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
