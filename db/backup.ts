import Sqlite from "better-sqlite3";
import { BackupDraft } from "./backup-draft.ts";
import type { Db } from "./db.ts";
import { sealFile } from "./sealed-file.ts";

export interface BackupOptions {
  /** SQLite's copy gets this epoch. */
  epoch: string;
  /** Public keys that the file is sealed for; none: it is not sealed. */
  recipients: readonly string[];
  /** Looks at the copy before it is sealed. */
  look?(copy: string): Promise<void>;
}

/**
 * Copies the database into `file`. The file appears whole or not at all, and is durable once this resolves. SQLite's copy
 * is checked and gets a new epoch, which tells clients that versions may have gone back. pg_dump's archive gets its epoch
 * when it is restored. Throws Unwritable when `file` cannot be written.
 */
export async function backUp(db: Db, file: string, { epoch, recipients, look }: BackupOptions): Promise<void> {
  const draft = await BackupDraft.open(file);
  try {
    const copy = recipients.length > 0 ? draft.another() : draft.path;
    await db.backup(copy);
    if (db.engine === "sqlite") complete(copy, epoch);
    await look?.(copy);
    if (copy !== draft.path) await sealFile(copy, draft.path, recipients);
    await draft.finish();
  } finally {
    await draft.close();
  }
}

function complete(file: string, epoch: string): void {
  const copy = new Sqlite(file, { fileMustExist: true });
  try {
    // No journal file beside it: a draft that a crash spoils is thrown away.
    copy.pragma("journal_mode = MEMORY");
    copy.prepare("update meta set value = ? where name = 'epoch'").run(epoch);
    const found = copy.pragma("quick_check", { simple: true });
    if (found !== "ok") throw new Error(`the copy is damaged: ${String(found)}`);
  } finally {
    copy.close();
  }
}
