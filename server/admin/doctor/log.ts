import { eq } from "drizzle-orm";
import { logRestores } from "#db/schema/log.ts";
import type { Db } from "#db/db.ts";
import type { Operator } from "#server/admin/command.ts";
import type { Config } from "#server/config/config.ts";
import { KeptHead, LogForked } from "#server/domains/log/kept-head.ts";
import { readLogKey, type LogKey } from "#server/domains/log/log-key.ts";
import { newestHead, newestSigned } from "#server/domains/log/number-leaves.ts";
import { finding, type Finding } from "./finding.ts";

/** Checks whether the next head of the public log can be kept outside the database, and signed. Until then no round is drawn. */
export async function checkLog({ db }: Operator, { headFile }: Pick<Config, "headFile">): Promise<Finding[]> {
  const kept = new KeptHead(headFile);
  try {
    await kept.tryPlace();
  } catch (error) {
    const says = `HEAD_FILE is ${headFile}, where no head can be kept: ${(error as Error).message}`;
    return [finding("wrong", "log", says, "Mount its disk and let the server write there, or set HEAD_FILE")];
  }
  const key = await readLogKey(db.read);
  if (!key) return [];
  const forked = await forkOf(db, kept, key);
  if (!forked)
    return [(await keepsNone(db, kept, key, headFile)) ?? finding("ok", "log", `the database leads to ${headFile}`)];
  const [said] = await db.read.select().from(logRestores).where(eq(logRestores.id, key.log));
  return said
    ? [finding("note", "log", "you said that the database was restored: a server begins another log", "npm start")]
    : [
        finding(
          "wrong",
          "log",
          `LogForked: ${forked}`,
          'Only if the database was restored: restored --reason "…" (docs/backup-and-move.md)',
        ),
      ];
}

/** A log whose head is not there: a restored database would sign on, and nobody here would notice. */
async function keepsNone(db: Db, kept: KeptHead, { log }: LogKey, headFile: string): Promise<Finding | null> {
  if (!(await newestSigned(db.read, log)) || (await kept.read())) return null;
  return finding(
    "note",
    "log",
    `no head lies in ${headFile}`,
    "Is its disk mounted? A server writes the next one there",
  );
}

/** How the database contradicts the kept head; null where it leads to it. */
async function forkOf(db: Db, kept: KeptHead, key: LogKey): Promise<string | null> {
  for (;;) {
    const newest = await newestHead(db.read, key.log);
    const [size, root] = [newest?.size ?? 0, Buffer.from(newest?.root ?? "", "hex")];
    try {
      await kept.assertExtendedBy(db.read, key, { size, root });
      return null;
    } catch (error) {
      if (!(error instanceof LogForked)) throw error;
      // A server may have kept a head that is newer than the one just read.
      if ((await newestHead(db.read, key.log))?.size === newest?.size) return error.message;
    }
  }
}
