import { stat, statfs } from "node:fs/promises";
import type { Operator } from "#server/admin/command.ts";
import type { Config } from "#server/config/config.ts";
import { isGood, readBackups, type KeptBackup } from "#server/jobs/backup-folder.ts";
import { HOUR_MS, toIso } from "#shared/time.ts";
import { finding, type Finding } from "./finding.ts";

/** How many intervals the newest good backup may be old: the next one is being made, or is tried once more. */
const PATIENCE = 2;

export async function checkBackups({ clock }: Operator, { backups, backupRecipients }: Config): Promise<Finding[]> {
  if (!backups)
    return [finding("note", "backups", "no backup is made by itself", "Set BACKUP_DIR, best to another disk")];
  const now = clock.now();
  const found = await readBackups(backups.dir);
  const all = found.filter(({ at }) => at <= now);
  const newest = all.at(-1);
  if (!newest)
    return [
      finding("note", "backups", `there is none in ${backups.dir} yet`, "A running server makes the first one"),
      ...aheadOf(found, now),
    ];
  const good = all.findLast(isGood);
  const limitMs = PATIENCE * backups.everyHours * HOUR_MS;
  const isLate = !good || now - good.at > limitMs;
  const state = good
    ? `the newest good one is of ${toIso(good.at)}, of ${all.length} in ${backups.dir}`
    : `none of ${all.length} in ${backups.dir} passed its trial`;
  const late = "A server's log says why there is no newer one: look for the step `back up`";
  return [
    finding(isLate ? "wrong" : "ok", "backups", state, isLate ? late : undefined),
    ...aheadOf(found, now),
    ...trialOf(newest),
    ...(await roomFor(newest, backups.dir)),
    ...(backupRecipients.length > 0
      ? []
      : [finding("note", "backups", "they are not sealed", "Set BACKUP_RECIPIENTS (docs/backup-and-move.md)")]),
  ];
}

/** Backups of a time to come. */
function aheadOf(all: readonly KeptBackup[], now: number): Finding[] {
  const ahead = all.filter(({ at }) => at > now);
  if (ahead.length === 0) return [];
  const what = `${ahead.length} of a time to come, the first ${ahead[0]!.file}: a clock was ahead`;
  return [finding("wrong", "backups", what, "Set this machine's clock right, and remove them")];
}

function trialOf({ file, trial }: KeptBackup): Finding[] {
  if (trial === null) return [finding("note", "backups", `${file} is not tried`, "npm run admin -- backup:check FILE")];
  if (trial.problems.length === 0) return [];
  const more = trial.problems.length > 1 ? `, and ${trial.problems.length - 1} more` : "";
  const what = `the trial of ${file} found: ${trial.problems[0]}${more}`;
  return [finding("wrong", "backups", what, "npm run admin -- audit says whether the site has it too")];
}

/** The next one needs as much room as this one, and once more while it is sealed. */
async function roomFor({ file }: KeptBackup, dir: string): Promise<Finding[]> {
  const [{ size }, { bavail, bsize }] = await Promise.all([stat(file), statfs(dir)]);
  return bavail * bsize > 2 * size
    ? []
    : [finding("wrong", "backups", `there is no room for the next one in ${dir}`, "Free some space, or keep fewer")];
}
