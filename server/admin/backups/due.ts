import { basename } from "node:path";
import { backUp } from "#db/backup.ts";
import { Taken } from "#db/part-folder.ts";
import { makeFolder } from "#db/durable.ts";
import { Misused, Refused, type Operator, type Service } from "#server/admin/command.ts";
import { openBesideServer } from "#server/admin/operator.ts";
import type { BackupPlan } from "#server/config/backups.ts";
import { readConfig, type Config } from "#server/config/config.ts";
import { dueAt, fileFor, isMade, readBackups, tidy, writeTrial } from "#server/jobs/backup-folder.ts";
import { tryBackup } from "./check.ts";
import { refusing } from "./read-keys.ts";

export const backupDue: Service = {
  usage: "[--at T]",
  does: "Makes the backup that is due into BACKUP_DIR, tries it, and removes those that are kept no longer; servers give it by themselves",
  more: () =>
    "With --at, such as 2026-03-02T03:00Z, it makes what is due then. It makes nothing if that is there, or another process makes it.",
  async serve({ env, input }) {
    const config = readConfig(env, []);
    const plan = config.backups;
    if (!plan) throw new Refused("BACKUP_DIR is not set, so no backup is due");
    const { operator, close } = await openBesideServer(config);
    try {
      const now = input.options.at === undefined ? operator.clock.now() : readTime(input.options.at);
      const file = await makeDue(operator, config, plan, now);
      // Only now, when a newer one is there.
      const removed = file === null ? [] : await tidy(plan, now);
      const gone = removed.map((one) => `\nRemoved ${basename(one)}.`).join("");
      const text = file === null ? "Nothing is due here." : `${file} is made.${gone}`;
      return { text, json: { ok: true, file, removed } };
    } finally {
      await close();
    }
  },
};

/** Null if it is there already, or another process makes it. */
async function makeDue(operator: Operator, config: Config, plan: BackupPlan, now: number): Promise<string | null> {
  const at = dueAt(now, plan);
  if (isMade(await readBackups(plan.dir), at, now)) return null;
  await makeFolder(plan.dir);
  const recipients = config.backupRecipients;
  const file = fileFor(plan, at, recipients.length > 0);
  // Before the backup has its name: whoever sees it sees what its trial found.
  const look = async (copy: string) => writeTrial(file, { at: now, problems: await problemsOf(config, copy) });
  const epoch = Buffer.from(operator.random(8)).toString("hex");
  try {
    await refusing(() => backUp(operator.db, file, { epoch, recipients, look }));
  } catch (error) {
    if ((error as Error).cause instanceof Taken) return null;
    throw error;
  }
  return file;
}

/** What the trial finds. One that cannot be run has found that. */
async function problemsOf(config: Config, file: string): Promise<string[]> {
  try {
    const { json } = await tryBackup(config, { file, secretKeys: [] });
    return (json as { problems: string[] }).problems;
  } catch (error) {
    return [`it could not be tried: ${(error as Error).message}`];
  }
}

function readTime(text: string): number {
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw new Misused("--at must be a time such as 2026-03-02T03:00Z");
  return at;
}
