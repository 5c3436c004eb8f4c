import { endIn, followRestores, restoresIn, type Restore, type RestoreAt } from "#shared/log/origins.ts";
import { readHead } from "./check-head.ts";
import type { KeptLog } from "./kept.ts";
import type { Ask } from "./messages.ts";

/** With how many leaves a log ended, if this one says that it continues it, or one after it. Null for any other. */
export function endOf(origin: string, { before, restores = [] }: KeptLog): number | null {
  const end = restores.map(endIn).find((one) => one.origin === origin);
  return end?.size ?? (origin === before ? 0 : null);
}

/** Finds the restore that a log begins with, as the house shows it beside its others. Throws while it does not answer. */
export const readOrigins = async (ask: Ask): Promise<RestoreAt> => restoresIn((await ask("origins", {})) ?? []);

/** The restores that lead from a log that is kept to a later one. Null if they do not. Throws while the house does not answer. */
export async function followOrigins(
  { origin, first, newest }: KeptLog,
  last: Restore,
  ask: Ask,
): Promise<Restore[] | null> {
  const heads = [first, newest].map((text) => readHead(text)!.checkpoint);
  return followRestores({ origin, heads }, last, await readOrigins(ask)) ?? null;
}
