import { and, asc, eq, gt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { uploads } from "#db/schema/upload.ts";
import type { Deps } from "#server/app/deps.ts";
import { encodeSent, MOST_A_DAY } from "#server/domains/account/sent-picture.ts";
import { Refusal } from "#shared/refusal.ts";
import { DAY_MS } from "#shared/time.ts";

const SIDE_PX = 512;

/** Stored files are served below this address. */
const SHOWN_AT = "/files/";

export const pathOf = (name: string): string => `${SHOWN_AT}${name}`;

/**
 * Stores a picture as a new square file that holds only its pixels. Returns its path, which nobody can guess. It has no
 * owner until `claimUpload`.
 */
export async function storeUpload(deps: Deps, memberId: number, file: File): Promise<string> {
  await checkDay(deps.db.read, deps, memberId);
  const plan = { widths: [SIDE_PX], formats: ["webp"], square: true } as const;
  const bytes = await encodeSent(deps, memberId, file, plan, "uploads.many");
  const name = `uploads/${Buffer.from(deps.random(16)).toString("hex")}.webp`;
  await deps.storage.put(name, bytes);
  return pathOf(name);
}

/** Makes a stored picture the member's own. */
export async function claimUpload(tx: Tx, deps: Pick<Deps, "clock">, memberId: number, path: string): Promise<string> {
  await checkDay(tx, deps, memberId);
  await tx.insert(uploads).values({ memberId, path, createdAt: deps.clock.now() });
  return path;
}

/** A picture's name in the storage. */
export const storedAs = (path: string): string => path.slice(SHOWN_AT.length);

/** Removes a picture's file. A missing file is no error. */
export const removeUpload = ({ storage }: Pick<Deps, "storage">, path: string): Promise<void> =>
  storage.remove(storedAs(path));

/** Refuses a member who has used up the day's uploads, until the oldest is a day old. */
async function checkDay(read: Tx, { clock }: Pick<Deps, "clock">, memberId: number): Promise<void> {
  const now = clock.now();
  const recent = await read
    .select({ at: uploads.createdAt })
    .from(uploads)
    .where(and(eq(uploads.memberId, memberId), gt(uploads.createdAt, now - DAY_MS)))
    .orderBy(asc(uploads.createdAt));
  if (recent.length < MOST_A_DAY) return;
  throw new Refusal("uploads.many", { retryAfterS: Math.ceil((recent[0]!.at + DAY_MS - now) / 1000) });
}
