import type { Operator } from "#server/admin/command.ts";
import type { Config } from "#server/config/config.ts";
import { readWitnesses } from "#server/domains/log/signing-witnesses.ts";
import { keyText } from "#shared/log/note.ts";
import { toIso } from "#shared/time.ts";
import { finding, type Finding } from "./finding.ts";

/** Finds witnesses that do not sign the heads of the public log. */
export async function checkWitnesses({ db }: Operator, { witnesses }: Pick<Config, "witnesses">): Promise<Finding[]> {
  const { named, needed } = witnesses;
  if (named.length === 0)
    return [finding("note", "witnesses", "nobody but this house signs the public log", "Set WITNESSES")];
  const keys = named.map(({ key }) => keyText(key));
  const all = await readWitnesses(db.read, keys);
  if (!all) return [finding("note", "witnesses", "the public log has no head yet", "npm start signs one")];
  const silent = named.flatMap(({ key, url }, i) => {
    const { isSilent, signedAt } = all[i]!;
    if (!isSilent) return [];
    const says = signedAt === null ? "has signed no head yet" : `has signed no head since that of ${toIso(signedAt)}`;
    const advice = `Is it running, and does ${url}/key show the key in WITNESSES? The server's log says what it answers`;
    return [finding("note", "witnesses", `${key.name} ${says}`, advice)];
  });
  const signing = named.length - silent.length;
  const of = `${signing} of ${named.length} witnesses sign, and WITNESSES_NEEDED asks for ${needed}`;
  if (signing < needed) return [finding("wrong", "witnesses", of), ...silent];
  return silent.length > 0 ? silent : [finding("ok", "witnesses", of)];
}
