import { resolve } from "node:path";
import { checkRecipient } from "#db/sealed-file.ts";

/** How the servers make backups by themselves. */
export interface BackupPlan {
  dir: string;
  everyHours: number;
  /** Every backup is kept for so many days, */
  keepDays: number;
  /** and the first of each week for so many weeks. */
  keepWeeks: number;
}

type Value = (name: string) => string | undefined;

/** The plan of the environment; null without BACKUP_DIR. Throws an Error that an operator understands. */
export function readBackupPlan(value: Value): BackupPlan | null {
  const dir = value("BACKUP_DIR");
  const everyHours = readNumber("BACKUP_HOURS", value("BACKUP_HOURS") ?? "24", 1, 168);
  const keepDays = readNumber("BACKUP_KEEP_DAYS", value("BACKUP_KEEP_DAYS") ?? "14", 1, 3_650);
  const keepWeeks = readNumber("BACKUP_KEEP_WEEKS", value("BACKUP_KEEP_WEEKS") ?? "8", 0, 520);
  return dir === undefined ? null : { dir: resolve(dir), everyHours, keepDays, keepWeeks };
}

function readNumber(name: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d{1,4}$/.test(text) && number >= least && number <= most) return number;
  throw new Error(`${name} must be a whole number from ${least} to ${most}.`);
}

/** The public keys that backups are sealed for. */
export function readRecipients(list: string | undefined): readonly string[] {
  const recipients = (list ?? "").split(",").flatMap((one) => one.trim() || []);
  try {
    for (const one of recipients) checkRecipient(one);
    return recipients;
  } catch (error) {
    throw new Error(`BACKUP_RECIPIENTS must be public keys of age, separated by commas: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}
