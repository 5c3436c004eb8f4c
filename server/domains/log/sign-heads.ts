import { and, asc, eq, isNull } from "drizzle-orm";
import { failpoint } from "#db/failpoint.ts";
import { logHeads } from "#db/schema/log.ts";
import type { Deps } from "#server/app/deps.ts";
import { checkpointText } from "#shared/log/checkpoint.ts";
import { noteText, signNote, type Signer } from "#shared/log/note.ts";
import type { KeptHead } from "./kept-head.ts";
import type { LogKey } from "./log-key.ts";

/** The note of a head, with the log's signature. It is the same whoever makes it, and whenever. */
export function noteOf({ key, sign }: Signer, { size, root }: { size: number; root: string }): string {
  const text = checkpointText({ origin: key.name, size, root: Buffer.from(root, "hex"), extensions: [] });
  return noteText(signNote({ text, signatures: [] }, { key, sign }));
}

/**
 * Signs and announces the heads that are not yet, oldest first. Any process may do this, and go on where another one
 * stopped. Before anybody is told of a head, it is kept outside the database.
 */
export async function signHeads(
  deps: Pick<Deps, "db" | "clock" | "announce">,
  { log, key }: LogKey,
  signerAt: (size: number) => Promise<Signer>,
  kept: KeptHead,
): Promise<boolean> {
  const { db, clock, announce } = deps;
  let hasTold = false;
  for (;;) {
    const isUnsigned = and(eq(logHeads.log, log), isNull(logHeads.note));
    const [head] = await db.read.select().from(logHeads).where(isUnsigned).orderBy(asc(logHeads.size)).limit(1);
    if (!head) return hasTold;
    const isHead = and(isUnsigned, eq(logHeads.size, head.size));
    try {
      await kept.assertExtendedBy(db.read, { log, origin: key.name, size: head.size });
    } catch (error) {
      // Another process may have announced this head and later ones meanwhile, on the same machine.
      const still = await db.read.select({ size: logHeads.size }).from(logHeads).where(isHead);
      if (still.length > 0) throw error;
      continue;
    }
    const note = noteOf(await signerAt(head.size), head);
    failpoint("log.keep", log);
    await kept.keep(note);
    failpoint("log.sign", log);
    const isOurs = await db.transact(async (tx) => {
      const signed = await tx
        .update(logHeads)
        .set({ note, announcedAt: clock.now() })
        .where(isHead)
        .returning({ size: logHeads.size });
      if (signed.length > 0) await announce(tx, "log.head", { log, size: head.size });
      return signed.length > 0;
    });
    hasTold ||= isOurs;
    failpoint("log.tell", log);
  }
}
