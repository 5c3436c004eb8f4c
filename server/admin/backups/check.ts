import { join, resolve } from "node:path";
import { makeFolder } from "#db/durable.ts";
import { withTrialCopy, type Backup } from "#db/restore.ts";
import { audit } from "#server/admin/audit/audit.ts";
import type { CommandOutput, Service } from "#server/admin/command.ts";
import { openOperator } from "#server/admin/operator.ts";
import { readConfig, type Config } from "#server/config/config.ts";
import { readKeyFile, refusing } from "./read-keys.ts";

/** Restores a backup into a scratch copy, and audits that. */
export async function tryBackup(
  config: Config,
  { file, secretKeys }: Pick<Backup, "file" | "secretKeys">,
): Promise<CommandOutput> {
  await makeFolder(config.dataDir);
  const backup = { file, secretKeys, scratch: join(config.dataDir, "trial") };
  return withTrialCopy(backup, config.database, async (database) => {
    const { operator, close } = await openOperator({ ...config, database });
    try {
      return await audit.run(operator, { args: {}, options: { only: "database" } });
    } finally {
      await close();
    }
  });
}

export const backupCheck: Service = {
  usage: "FILE [--key FILE]",
  does:
    "Restores a backup into a scratch copy, audits that, and removes it; the site is not touched\n" +
    "  --key opens a sealed backup: a key file of age",
  more: () =>
    "On PostgreSQL the copy is the database NAME_trial beside that of DATABASE_URL, whose role must be allowed to make it.",
  async serve({ env, input }) {
    const secretKeys = await refusing(() => readKeyFile(input.options.key));
    return refusing(() => tryBackup(readConfig(env, []), { file: resolve(input.args.FILE!), secretKeys }));
  },
};
