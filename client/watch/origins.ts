import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { fairOrigins } from "#shared/contract/log.ts";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { parseLeaf } from "#shared/log/leaf.ts";
import { isIncluded } from "#shared/log/tree.ts";
import { merkleLeaf } from "#shared/merkle.ts";
import { firstKeyOf, hashesOf, isSignedBy, readHead } from "./check-head.ts";
import type { Restore } from "./kept.ts";
import type { Ask } from "./messages.ts";

type Shown = ReplyOf<typeof fairOrigins>[number];

/** The log that a restore continues. */
const before = ({ old }: Restore): string => parseCheckpoint(old)!.origin;

/** The first leaf of a log of that origin, as a head proves it that its first key signed. Null if nothing does. */
function restoreOf(origin: string, { key, head, leaf, path }: Shown): Restore | null {
  const [shown, first, said, hashes] = [readHead(head), firstKeyOf(key, origin), parseLeaf(leaf), hashesOf(path)];
  if (!shown || shown.checkpoint.origin !== origin || !first || !isSignedBy(shown, first)) return null;
  if (said?.kind !== "restore" || !hashes) return null;
  return isIncluded(merkleLeaf(leaf), 0, shown.checkpoint, hashes) ? said : null;
}

/**
 * The restores that lead from a log that is known to a later one, whose own comes last. Their numbers count the logs of the
 * house, so none is left out. Null if they do not lead there. Throws while the house does not answer.
 */
export async function followOrigins(known: string, last: Restore, ask: Ask): Promise<Restore[] | null> {
  const shown = (await ask("origins", {})) ?? [];
  const restoreAt = (origin: string) => shown.map((one) => restoreOf(origin, one)).find((one) => one !== null);
  const restores = [last];
  while (before(restores[0]!) !== known) {
    const earlier = restoreAt(before(restores[0]!));
    if (earlier?.number !== restores[0]!.number - 1) return null;
    restores.unshift(earlier);
  }
  const own = restoreAt(known)?.number ?? 0;
  return restores[0]!.number === own + 1 ? restores : null;
}
