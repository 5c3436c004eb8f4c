import type { NamedWitness, Witnessing } from "#server/app/deps.ts";
import { COSIGNATURE_KEY, keyText, parseKey } from "#shared/log/note.ts";

/**
 * Reads `WITNESSES` and `WITNESSES_NEEDED`. The key makes an answer good, so HTTPS only keeps others from dropping it.
 * Without it, a witness is on this machine.
 */
export function readWitnesses(
  list: string | undefined,
  needed: string | undefined,
  isLocal: (url: string) => boolean,
): Witnessing {
  const named = (list?.split(",") ?? []).map((one) => readWitness(one.trim(), isLocal));
  if (new Set(named.map(({ key }) => keyText(key))).size < named.length)
    throw new Error("WITNESSES names one key twice.");
  const count = needed === undefined ? named.length : Number(needed);
  if (!/^\d{1,3}$/.test(needed ?? "0") || count > named.length || (named.length > 0 && count === 0))
    throw new Error("WITNESSES_NEEDED must be a number from 1 to that of the witnesses.");
  return { named, needed: count };
}

function readWitness(text: string, isLocal: (url: string) => boolean): NamedWitness {
  const [address = "", key = "", ...more] = text.split(/\s+/);
  const url = address.replace(/\/+$/, "");
  const isAllowed = URL.canParse(url) && (url.startsWith("https://") || (url.startsWith("http://") && isLocal(url)));
  const parsed = parseKey(key);
  if (!isAllowed || more.length > 0 || parsed?.type !== COSIGNATURE_KEY)
    throw new Error(
      "WITNESSES must be addresses, each with a space and the key that `/key` of the witness shows, separated by commas.",
    );
  return { url, key: parsed };
}
