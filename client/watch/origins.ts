import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { fairOrigins } from "#shared/contract/log.ts";
import { parseCheckpoint, type Checkpoint } from "#shared/log/checkpoint.ts";
import { parseLeaf } from "#shared/log/leaf.ts";
import { isIncluded } from "#shared/log/tree.ts";
import { merkleLeaf } from "#shared/merkle.ts";
import { firstKeyOf, hashesOf, isLinked, isSignedBy, readHead } from "./check-head.ts";
import type { KeptLog, Restore } from "./kept.ts";
import type { Ask } from "./messages.ts";

type Shown = ReplyOf<typeof fairOrigins>[number];

/** The last head of the log that a restore continues. */
const endIn = ({ old }: Restore): Checkpoint => parseCheckpoint(old)!;
const before = (restore: Restore): string => endIn(restore).origin;

/** With how many leaves a log ended, if this one says that it continues it, or one after it. Null for any other. */
export function endOf(origin: string, { before, restores = [] }: KeptLog): number | null {
  const end = restores.map(endIn).find((one) => one.origin === origin);
  return end?.size ?? (origin === before ? 0 : null);
}

/** Whether a restore ends a log with another head than this device keeps of that size. */
const endsOtherwise = (restore: Restore, { first, newest }: KeptLog): boolean =>
  [first, newest].some((text) => {
    const [end, { checkpoint }] = [endIn(restore), readHead(text)!];
    return checkpoint.size === end.size && !isLinked(checkpoint, end, []);
  });

/** The first leaf of a log of that origin, as a head proves it that its first key signed. Null if nothing does. */
function restoreOf(origin: string, { key, head, leaf, path }: Shown): Restore | null {
  const [shown, first, said, hashes] = [readHead(head), firstKeyOf(key, origin), parseLeaf(leaf), hashesOf(path)];
  if (!shown || shown.checkpoint.origin !== origin || !first || !isSignedBy(shown, first)) return null;
  if (said?.kind !== "restore" || !hashes) return null;
  return isIncluded(merkleLeaf(leaf), 0, shown.checkpoint, hashes) ? said : null;
}

/** Finds the restore that a log begins with, as the house shows it beside its others. Throws while it does not answer. */
export async function readOrigins(ask: Ask): Promise<(origin: string) => Restore | null> {
  const shown = (await ask("origins", {})) ?? [];
  return (origin) => shown.map((one) => restoreOf(origin, one)).find((one) => one !== null) ?? null;
}

/**
 * The restores that lead from a log that is known to a later one, whose own comes last. Their numbers count the logs of the
 * house, so none is left out, and the first of them names no other end than was seen. Null if they do not lead there. Throws
 * while the house does not answer.
 */
export async function followOrigins(log: KeptLog, last: Restore, ask: Ask): Promise<Restore[] | null> {
  const known = log.origin;
  const restoreAt = await readOrigins(ask);
  const restores = [last];
  while (before(restores[0]!) !== known) {
    const earlier = restoreAt(before(restores[0]!));
    if (earlier?.number !== restores[0]!.number - 1) return null;
    restores.unshift(earlier);
  }
  if (endsOtherwise(restores[0]!, log)) return null;
  const own = restoreAt(known)?.number ?? 0;
  return restores[0]!.number === own + 1 ? restores : null;
}
