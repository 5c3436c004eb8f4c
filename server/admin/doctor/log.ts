import { count, desc, eq, max } from "drizzle-orm";
import { logHeads, logKeys, logRestores } from "#db/schema/log.ts";
import type { Tx } from "#db/db.ts";
import type { Operator } from "#server/admin/command.ts";
import type { Config } from "#server/config/config.ts";
import { KeptHead, LogForked } from "#server/domains/log/kept-head.ts";
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
  const [log] = await db.read.select().from(logKeys).orderBy(desc(logKeys.id)).limit(1);
  if (!log) return [];
  const forked = await forkOf(db.read, kept, log);
  if (forked !== null) return [await forkedAs(db.read, log.log, forked)];
  // A restored database would sign on, and nobody here would notice.
  if ((await headsOf(db.read, log.log)).signed > 0 && !(await kept.read()))
    return [
      finding("note", "log", `no head lies in ${headFile}`, "Is its disk mounted? A server writes the next one there"),
    ];
  return [finding("ok", "log", `the database leads to ${headFile}`)];
}

/** How the database contradicts the kept head; null where it leads to it. */
async function forkOf(read: Tx, kept: KeptHead, { log, origin }: typeof logKeys.$inferSelect): Promise<string | null> {
  for (;;) {
    const { size } = await headsOf(read, log);
    try {
      await kept.assertExtendedBy(read, { log, origin, size });
      return null;
    } catch (error) {
      if (!(error instanceof LogForked)) throw error;
      // A server may have kept a head that is newer than the one just read.
      if ((await headsOf(read, log)).size === size) return error.message;
    }
  }
}

async function forkedAs(read: Tx, log: number, how: string): Promise<Finding> {
  const [said] = await read.select().from(logRestores).where(eq(logRestores.id, log));
  if (said)
    return finding("note", "log", "you said that the database was restored: a server begins another log", "npm start");
  const advice = 'Only if the database was restored: restored --reason "…" (docs/backup-and-move.md)';
  return finding("wrong", "log", `LogForked: ${how}`, advice);
}

/** How many leaves the newest head of a log has, and how many heads are signed. */
async function headsOf(read: Tx, log: number): Promise<{ size: number; signed: number }> {
  const asked = { size: max(logHeads.size), signed: count(logHeads.note) };
  const [row] = await read.select(asked).from(logHeads).where(eq(logHeads.log, log));
  return { size: row!.size ?? 0, signed: row!.signed };
}
