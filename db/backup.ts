import Sqlite from "better-sqlite3";
import { BackupDraft } from "./backup-draft.ts";
import type { Db } from "./db.ts";

/**
 * Copies the database into `file`, which is there whole or not at all, and durable once this resolves. A file of SQLite is
 * checked, and gets an epoch of its own: clients that see it served know that versions may have gone back. pg_dump's
 * archive gets one when it is restored (`restored`). Throws Unwritable where `file` cannot be.
 */
export async function backUp(db: Db, file: string, epoch: string): Promise<void> {
  const draft = await BackupDraft.open(file);
  try {
    await db.backup(draft.path);
    if (db.engine === "sqlite") complete(draft.path, epoch);
    await draft.finish();
  } finally {
    await draft.close();
  }
}

function complete(file: string, epoch: string): void {
  const copy = new Sqlite(file, { fileMustExist: true });
  try {
    // Nothing beside it: a draft that a crash spoils is thrown away.
    copy.pragma("journal_mode = MEMORY");
    copy.prepare("update meta set value = ? where name = 'epoch'").run(epoch);
    const found = copy.pragma("quick_check", { simple: true });
    if (found !== "ok") throw new Error(`the copy is damaged: ${String(found)}`);
  } finally {
    copy.close();
  }
}
