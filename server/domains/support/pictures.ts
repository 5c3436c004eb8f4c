import { and, asc, eq, gt, inArray, isNotNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { supportMessages } from "#db/schema/support.ts";
import type { Deps } from "#server/app/deps.ts";
import { encodeSent, MOST_A_DAY } from "#server/domains/account/sent-picture.ts";
import type { StrayFiles } from "#server/domains/account/stray-files.ts";
import { Refusal } from "#shared/refusal.ts";
import { DAY_MS } from "#shared/time.ts";

/** Not below `/files/`, so nobody fetches these pictures by their address. */
const FOLDER = "support";
/** Large enough to read a screen in it. */
export const PICTURE_PLAN = { widths: [1280], formats: ["webp"] } as const;
/** Names per query. */
const CHUNK = 500;

/** Stores a member's picture for a message. Returns its name in the storage. */
export async function storeSent(deps: Deps, memberId: number, file: File): Promise<string> {
  await checkDay(deps.db.read, deps, memberId);
  return storeForSupport(deps, await encodeSent(deps, memberId, file, PICTURE_PLAN, "messages.many"));
}

/** Stores an encoded picture under a name that nobody can guess. */
export async function storeForSupport(
  { random, storage }: Pick<Deps, "random" | "storage">,
  bytes: Buffer,
): Promise<string> {
  const name = `${FOLDER}/${Buffer.from(random(16)).toString("hex")}.webp`;
  await storage.put(name, bytes);
  return name;
}

/** Removes the files that no message shows, as stray ones go. */
export async function sweepSupportPictures(
  { db, clock, storage }: Pick<Deps, "db" | "clock" | "storage">,
  strays: StrayFiles,
) {
  strays.begin();
  const names = await storage.list(FOLDER);
  for (let from = 0; from < names.length; from += CHUNK) {
    const some = names.slice(from, from + CHUNK);
    const rows = await db.read
      .select({ picture: supportMessages.picture })
      .from(supportMessages)
      .where(inArray(supportMessages.picture, some));
    const shown = new Set(rows.map(({ picture }) => picture));
    for (const name of some.filter((one) => !shown.has(one))) await strays.found({ storage, clock }, name);
  }
}

/** Refuses a member who has sent the day's pictures, until the oldest is a day old. */
async function checkDay(read: Tx, { clock }: Pick<Deps, "clock">, memberId: number): Promise<void> {
  const now = clock.now();
  const isOwn = and(eq(supportMessages.memberId, memberId), eq(supportMessages.byOperator, false));
  const recent = await read
    .select({ at: supportMessages.createdAt })
    .from(supportMessages)
    .where(and(isOwn, isNotNull(supportMessages.picture), gt(supportMessages.createdAt, now - DAY_MS)))
    .orderBy(asc(supportMessages.createdAt));
  if (recent.length < MOST_A_DAY) return;
  throw new Refusal("messages.many", { retryAfterS: Math.ceil((recent[0]!.at + DAY_MS - now) / 1000) });
}
