import { isFork, readHead, type ReadHead } from "./check-head.ts";
import type { Kept, KeptLog } from "./kept.ts";
import { isSignedRightly } from "./keys.ts";
import type { Ask, Compared } from "./messages.ts";
import { endOf, followOrigins, readOrigins } from "./origins.ts";
import type { Found } from "./surroundings.ts";

interface Comparing {
  kept: Kept;
  ask: Ask;
  found: Found;
  /** Meets the log that the house shows, where it is another than this one. */
  meet(origin: string): Promise<unknown>;
}

/** Compares a head of another device with ours where it is of another log: after a restore one continues the other. */
export async function compareLogs(head: ReadHead, ours: KeptLog, comparing: Comparing): Promise<Compared> {
  const { kept, ask, meet } = comparing;
  const { origin } = head.checkpoint;
  if (endOf(origin, ours) !== null) return compareEnded(head, comparing);
  // Maybe the house shows that log here, too, and it was not met yet.
  await meet(ours.origin);
  const log = (await kept.currentLog())!;
  if (log.origin === origin) return endOf(ours.origin, log) === null ? "otherLog" : "restored";
  if (endOf(origin, log) !== null) return compareEnded(head, comparing);
  try {
    const restore = (await readOrigins(ask))(origin);
    return restore && (await followOrigins(log, restore, ask)) ? "restored" : "otherLog";
  } catch {
    return "unknown";
  }
}

/** Compares with a head of a log that ours continues. Nobody proves any more how it grew: only heads of one size can differ. */
async function compareEnded(head: ReadHead, { kept, found }: Comparing): Promise<Compared> {
  const log = await kept.log(head.checkpoint.origin);
  if (!log) return "restored";
  if (!isSignedRightly(head, log)) return "unsigned";
  const ours = readHead(log.newest)!;
  if (!isFork(ours, head, null)) return "restored";
  const evidence = { ours: ours.text, theirs: head.text, path: [] };
  await found("fork", head.text, evidence, "", log.origin);
  return "differs";
}
