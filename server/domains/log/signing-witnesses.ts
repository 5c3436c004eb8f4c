import { and, desc, eq, isNotNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logCosignatures, logHeads } from "#db/schema/log.ts";
import { MINUTE_MS } from "#shared/time.ts";

/** A head comes at least each minute, and a witness answers within a second or is asked again within a minute. */
const LONGEST_MS = 3 * MINUTE_MS;

/** A witness by its key, and the time of the newest head that it signed; null before the first. */
export interface SigningWitness {
  key: string;
  signedAt: number | null;
  /** It has signed none of the newest heads. */
  isSilent: boolean;
}

/** The newest head that each of these witnesses has signed; null before the log has a head. */
export async function readWitnesses(read: Tx, keys: readonly string[]): Promise<SigningWitness[] | null> {
  const { log, size, at, note } = logHeads;
  const [newest] = await read
    .select({ log, at })
    .from(logHeads)
    .where(isNotNull(note))
    .orderBy(desc(log), desc(size))
    .limit(1);
  if (!newest) return null;
  const all: SigningWitness[] = [];
  for (const key of keys) {
    const last = await lastSigned(read, key);
    const isSilent = !last || last.log < newest.log || last.at < newest.at - LONGEST_MS;
    all.push({ key, signedAt: last?.at ?? null, isSilent });
  }
  return all;
}

const isHeadOf = and(eq(logHeads.log, logCosignatures.log), eq(logHeads.size, logCosignatures.size));

/** The newest head that a witness has signed. */
async function lastSigned(read: Tx, witness: string) {
  const [last] = await read
    .select({ log: logCosignatures.log, at: logHeads.at })
    .from(logCosignatures)
    .innerJoin(logHeads, isHeadOf)
    .where(eq(logCosignatures.witness, witness))
    .orderBy(desc(logCosignatures.log), desc(logCosignatures.size))
    .limit(1);
  return last ?? null;
}
