import { and, asc, eq, isNotNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logHeads } from "#db/schema/log.ts";
import { keyText } from "#shared/log/note.ts";
import { WIDTH } from "#shared/log/tiles.ts";
import { noteKeyOf } from "./log-key.ts";
import { readBundle } from "./read-bundle.ts";
import { isRotated, readKeys } from "./read-keys.ts";
import { proveInclusion } from "./read-log.ts";

/** Each log after the first one, oldest first: its first key, and the proof of its first leaf, which names the log before. */
export async function readOrigins(read: Tx) {
  const all = await readKeys(read);
  const origins = [];
  for (const row of all.filter((one) => one.log > 1 && !isRotated(one, all))) {
    const isTold = and(eq(logHeads.log, row.log), isNotNull(logHeads.announcedAt));
    const [first] = await read.select().from(logHeads).where(isTold).orderBy(asc(logHeads.size)).limit(1);
    if (!first) continue;
    const [leaf] = (await readBundle(read, row.log, 0, Math.min(first.size, WIDTH)))!;
    origins.push({
      key: keyText(noteKeyOf(row)),
      head: first.note!,
      leaf: Buffer.from(leaf!).toString("utf8"),
      path: await proveInclusion(read, row.log, 0, first.size),
    });
  }
  return origins;
}
