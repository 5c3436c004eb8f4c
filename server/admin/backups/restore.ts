import { join, resolve } from "node:path";
import { makeFolder } from "#db/durable.ts";
import { restoreDatabase } from "#db/restore.ts";
import { runNoted, shell } from "#server/admin/acts.ts";
import { audit } from "#server/admin/audit/audit.ts";
import { ERASE_AGAIN, markRestored } from "#server/admin/backup.ts";
import type { Service } from "#server/admin/command.ts";
import { openOperator } from "#server/admin/operator.ts";
import { readText } from "#server/admin/read-words.ts";
import { readConfig } from "#server/config/config.ts";
import { readKeyFile, refusing } from "./read-keys.ts";

export const restore: Service = {
  usage: "FILE --reason T [--key FILE]",
  does:
    "Restores a backup where there is no site yet, tells everybody why the public log begins anew, and audits the site\n" +
    '  --reason a text, or JSON {"en_us": "…"} by language; the log\'s first leaf carries it\n' +
    "  --key opens a sealed backup: a key file of age",
  more: () =>
    "Into DATA_DIR without a trio.db, or into the empty PostgreSQL of DATABASE_URL. The master key must be there already.\n" +
    "The audit leaves out pictures and videos: copy them, then run audit.",
  async serve({ env, input }) {
    const reason = readText(input.options.reason!, "--reason");
    const config = readConfig(env, []);
    const secretKeys = await refusing(() => readKeyFile(input.options.key));
    await makeFolder(config.dataDir);
    const backup = { file: resolve(input.args.FILE!), secretKeys, scratch: join(config.dataDir, "restoring") };
    const entered = { name: "restore", input, caller: shell(env) };
    const found = await refusing(() =>
      restoreDatabase(backup, config.database, async (database) => {
        const { operator, close } = await openOperator({ ...config, database });
        try {
          await runNoted(operator, entered, (noting) => markRestored(noting, reason));
          return await audit.run(operator, { args: {}, options: { only: "database" } });
        } finally {
          await close();
        }
      }),
    );
    const next = found.bad ? "" : "\nThe site is restored. Copy its files, then start the servers.";
    return { ...found, text: `${found.text}\n${ERASE_AGAIN}${next}` };
  },
};
