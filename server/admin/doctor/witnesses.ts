import { and, desc, eq, isNotNull } from "drizzle-orm";
import { logCosignatures, logHeads } from "#db/schema/log.ts";
import type { Operator } from "#server/admin/command.ts";
import type { Config } from "#server/config/config.ts";
import { keyText } from "#shared/log/note.ts";
import { MINUTE_MS, toIso } from "#shared/time.ts";
import { finding, type Finding } from "./finding.ts";

/** A head comes at least each minute, and a witness answers within a second or is asked again within a minute. */
const LONGEST_MS = 3 * MINUTE_MS;

/** Finds witnesses that do not sign the heads of the public log. */
export async function checkWitnesses({ db }: Operator, { witnesses }: Pick<Config, "witnesses">): Promise<Finding[]> {
  const { named, needed } = witnesses;
  if (named.length === 0)
    return [finding("note", "witnesses", "nobody but this house signs the public log", "Set WITNESSES")];
  const heads = await db.read
    .select({ log: logHeads.log, size: logHeads.size, at: logHeads.at })
    .from(logHeads)
    .where(isNotNull(logHeads.note))
    .orderBy(desc(logHeads.log), desc(logHeads.size))
    .limit(1);
  const [newest] = heads;
  if (!newest) return [finding("note", "witnesses", "the public log has no head yet", "npm start signs one")];
  const silent: Finding[] = [];
  for (const { key, url } of named) {
    const last = await lastSigned(db.read, keyText(key));
    const isBehind = !last || last.log < newest.log || last.at < newest.at - LONGEST_MS;
    if (!isBehind) continue;
    const says = last ? `has signed no head since that of ${toIso(last.at)}` : "has signed no head yet";
    const advice = `Is it running, and does ${url}/key show the key in WITNESSES? The server's log says what it answers`;
    silent.push(finding("note", "witnesses", `${key.name} ${says}`, advice));
  }
  const signing = named.length - silent.length;
  const of = `${signing} of ${named.length} witnesses sign, and WITNESSES_NEEDED asks for ${needed}`;
  if (signing < needed) return [finding("wrong", "witnesses", of), ...silent];
  return silent.length > 0 ? silent : [finding("ok", "witnesses", of)];
}

const isHeadOf = and(eq(logHeads.log, logCosignatures.log), eq(logHeads.size, logCosignatures.size));

/** The newest head that a witness has signed. */
async function lastSigned(read: Operator["db"]["read"], witness: string) {
  const [last] = await read
    .select({ log: logCosignatures.log, size: logCosignatures.size, at: logHeads.at })
    .from(logCosignatures)
    .innerJoin(logHeads, isHeadOf)
    .where(eq(logCosignatures.witness, witness))
    .orderBy(desc(logCosignatures.log), desc(logCosignatures.size))
    .limit(1);
  return last ?? null;
}
