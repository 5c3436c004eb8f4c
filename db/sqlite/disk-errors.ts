import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { codeOf } from "#db/away.ts";
import type { AwayReason } from "#shared/contract/events.ts";
import { openSqlite } from "./open.ts";

/** SQLite's codes for a disk that does not read, write or sync. */
const DISK = /^SQLITE_(IOERR|CANTOPEN)/;
/** Its codes for a damaged page, and for one that the disk does not read. */
const DAMAGE = /^SQLITE_(CORRUPT|NOTADB)/;

export const isDamage = (error: unknown): boolean => DAMAGE.test(codeOf(error) ?? "");

/** Whether to close the connection after this error: its pages in memory may differ from the disk. */
export const endsConnection = (error: unknown): boolean =>
  isDamage(error) || codeOf(error)?.startsWith("SQLITE_IOERR") === true;

/** Why no other write to this file would succeed either; null if the error does not say. */
export function awayReasonOf(error: unknown, file: string): AwayReason | null {
  const code = codeOf(error) ?? "";
  if (code.startsWith("SQLITE_FULL")) return "full";
  if (code.startsWith("SQLITE_READONLY")) return "readonly";
  if (DISK.test(code) && isReadOnly(file)) return "readonly";
  return DISK.test(code) || DAMAGE.test(code) ? "failing" : null;
}

/** A file system that became read-only reports an ordinary write error. */
function isReadOnly(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return false;
  } catch (error) {
    return (error as { code?: string }).code === "EROFS";
  }
}

/**
 * Whether the disk returns every byte of the database. If it does not, "malformed" proves no damage to the file. Another
 * process reads it: closing the file in this one would drop the locks that SQLite holds on it.
 */
export function isReadable(file: string): boolean {
  const { status } = spawnSync(process.execPath, ["-e", READ_ALL, file, `${file}-wal`], { stdio: "ignore" });
  return status === 0;
}

const READ_ALL = `const { existsSync, openSync, readSync } = require("node:fs");
const chunk = Buffer.alloc(2 ** 20);
for (const file of process.argv.slice(1).filter((one) => existsSync(one))) {
  const handle = openSync(file);
  for (let at = 0, read = 1; read > 0; at += read) read = readSync(handle, chunk, 0, chunk.length, at);
}`;

/** Throws when the database is damaged. It opens a new connection, because others have pages in memory. */
export function checkIntegrity(file: string): void {
  const raw = openSqlite(file, { readonly: true });
  try {
    const found = raw.pragma("quick_check(1)", { simple: true });
    if (found === "ok") return;
    throw Object.assign(new Error(`database disk image is malformed: ${String(found)}`), { code: "SQLITE_CORRUPT" });
  } finally {
    raw.close();
  }
}
