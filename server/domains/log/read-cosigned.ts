import { and, asc, desc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logCosignatures, logHeads } from "#db/schema/log.ts";
import { currentLog } from "./add-leaf.ts";
import { newestTold, type ToldHead } from "./read-log.ts";

/** A head's note with the lines of the witnesses that have signed it so far. */
export async function withCosignatures(read: Tx, { log, size, note }: Pick<ToldHead, "log" | "size" | "note">) {
  const lines = await read
    .select({ line: logCosignatures.line })
    .from(logCosignatures)
    .where(and(eq(logCosignatures.log, log), eq(logCosignatures.size, size)))
    .orderBy(asc(logCosignatures.witness));
  return note + lines.map(({ line }) => line).join("");
}

/** The newest head of the log as everybody may see it; null before the first. */
export async function newestNote(read: Tx): Promise<string | null> {
  const head = await newestTold(read);
  return head && withCosignatures(read, head);
}

/** The head of this size with the witnesses' lines; null where it was not announced. */
export async function cosignedNote(read: Tx, log: number, size: number): Promise<string | null> {
  const isHead = and(eq(logHeads.log, log), eq(logHeads.size, size));
  const [head] = await read.select({ note: logHeads.note }).from(logHeads).where(isHead);
  return head?.note ? withCosignatures(read, { log, size, note: head.note }) : null;
}

/** The newest head that a witness has signed; null without one. */
export async function newestCosigned(read: Tx): Promise<string | null> {
  const isOfHead = and(eq(logHeads.log, logCosignatures.log), eq(logHeads.size, logCosignatures.size));
  const [head] = await read
    .select({ log: logHeads.log, size: logHeads.size, note: logHeads.note })
    .from(logCosignatures)
    .innerJoin(logHeads, isOfHead)
    .where(eq(logCosignatures.log, currentLog))
    .orderBy(desc(logCosignatures.size))
    .limit(1);
  return head ? withCosignatures(read, head as ToldHead) : null;
}
