import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { BackupDraft } from "#db/backup-draft.ts";
import { writeDurably } from "#db/durable.ts";
import type { BackupPlan } from "#server/config/backups.ts";
import { DAY_MS, HOUR_MS, toIso } from "#shared/time.ts";

/** How the trial restore of a backup ended. */
export interface Trial {
  at: number;
  /** What its audit found, or why it could not be restored. */
  problems: string[];
}

export interface KeptBackup {
  file: string;
  /** The moment that it was due. */
  at: number;
  /** Null while it is not tried yet. */
  trial: Trial | null;
}

const NAME = /^trio-(\d{4}-\d\d-\d\dT\d\d)(\d\d)Z\.backup(\.age)?$/;
const DRAFT = ".part";
const TRIAL = ".trial.json";
const WEEK_MS = 7 * DAY_MS;

/** The newest moment at which a backup was due. */
export const dueAt = (now: number, { everyHours }: BackupPlan): number => now - (now % (everyHours * HOUR_MS));

export function fileFor({ dir }: BackupPlan, at: number, isSealed: boolean): string {
  const time = toIso(at).slice(0, 16).replace(":", "");
  return join(dir, `trio-${time}Z.backup${isSealed ? ".age" : ""}`);
}

/** The whole backups in the folder, the oldest first. None where there is no such folder. */
export async function readBackups(dir: string): Promise<KeptBackup[]> {
  const names = await namesIn(dir);
  const found = names.toSorted().flatMap((name) => {
    const [, hour, minute] = NAME.exec(name) ?? [];
    const at = Date.parse(`${hour}:${minute}Z`);
    return Number.isNaN(at) ? [] : [{ file: join(dir, name), at }];
  });
  return Promise.all(found.map(async (one) => ({ ...one, trial: await readTrial(one.file) })));
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}

async function readTrial(file: string): Promise<Trial | null> {
  try {
    return JSON.parse(await readFile(file + TRIAL, "utf8")) as Trial;
  } catch {
    return null;
  }
}

export const writeTrial = (file: string, trial: Trial): Promise<void> =>
  writeDurably(file + TRIAL, JSON.stringify(trial));

/** Whether what was due then is there. One with a time to come, which a clock that was ahead made, is not it. */
export const isMade = (all: readonly KeptBackup[], dueAt: number, now: number): boolean =>
  all.some(({ at }) => at >= dueAt && at <= now);

export const isGood = ({ trial }: KeptBackup): boolean => trial?.problems.length === 0;

/**
 * Which of them are kept no longer. The newest stays, and so does the newest good one, and as many as a schedule makes in the
 * days for which all are kept: a clock that is ahead by years removes none of them.
 */
export function outdated(
  all: readonly KeptBackup[],
  { keepDays, keepWeeks, everyHours }: BackupPlan,
  now: number,
): KeptBackup[] {
  const latest = new Set(all.slice(-Math.ceil((keepDays * DAY_MS) / (everyHours * HOUR_MS))));
  const weekOf = ({ at }: KeptBackup) => Math.floor(at / WEEK_MS);
  const firsts = new Map<number, KeptBackup>();
  for (const one of all) if (!firsts.has(weekOf(one))) firsts.set(weekOf(one), one);
  const isKept = (one: KeptBackup) =>
    latest.has(one) ||
    one === all.at(-1) ||
    one === all.findLast(isGood) ||
    now - one.at < keepDays * DAY_MS ||
    (firsts.get(weekOf(one)) === one && now - one.at < keepWeeks * WEEK_MS);
  return all.filter((one) => !isKept(one));
}

/** Removes what is kept no longer, and what a killed process left. Returns the removed backups. */
export async function tidy(plan: BackupPlan, now: number): Promise<string[]> {
  const old = outdated(await readBackups(plan.dir), plan, now);
  for (const { file } of old) {
    await rm(file, { force: true });
    await rm(file + TRIAL, { force: true });
  }
  for (const name of await namesIn(plan.dir))
    if (name.endsWith(DRAFT) && NAME.test(name.slice(0, -DRAFT.length)))
      await BackupDraft.clear(join(plan.dir, name.slice(0, -DRAFT.length)));
  return old.map(({ file }) => file);
}
