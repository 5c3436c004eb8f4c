import { and, asc, eq, gt, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { attempts } from "#db/schema/session.ts";
import { uploads } from "#db/schema/upload.ts";
import type { Deps } from "#server/app/deps.ts";
import { NoPicture } from "#shared/picture.ts";
import { invalid, Refusal } from "#shared/refusal.ts";
import { DAY_MS } from "#shared/time.ts";

/** Uploads per member and day. Unused ones live a day, so this bounds storage too. */
const MOST_A_DAY = 20;
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
  await countTry(deps, memberId);
  const plan = { widths: [SIDE_PX], formats: ["webp"], square: true } as const;
  const encoded = await deps.encodePicture(await file.bytes(), plan).catch((error: unknown) => {
    throw error instanceof NoPicture ? invalid({ file: "picture" }) : error;
  });
  const name = `uploads/${Buffer.from(deps.random(16)).toString("hex")}.webp`;
  await forgiveTry(deps, memberId);
  await deps.storage.put(name, encoded.files[0]!.bytes);
  return pathOf(name);
}

/** Makes a stored picture the member's own. */
export async function claimUpload(tx: Tx, deps: Pick<Deps, "clock">, memberId: number, path: string): Promise<string> {
  await checkDay(tx, deps, memberId);
  await tx.insert(uploads).values({ memberId, path, createdAt: deps.clock.now() });
  return path;
}

/** Removes a picture's file. A missing file is no error. */
export const removeUpload = ({ storage }: Pick<Deps, "storage">, path: string): Promise<void> =>
  storage.remove(path.slice(SHOWN_AT.length));

const triesOf = (memberId: number) => and(eq(attempts.kind, "picture"), eq(attempts.subject, String(memberId)));

/** Counts a picture before it is decoded: one that fails costs as much. Refuses it after a day's worth of failures. */
async function countTry({ db, clock }: Pick<Deps, "db" | "clock">, memberId: number): Promise<void> {
  await db.transact(async (tx) => {
    const now = clock.now();
    const [known] = await tx.select().from(attempts).where(triesOf(memberId));
    const running = known && known.blockedUntil > now ? known : { failures: 0, blockedUntil: now + DAY_MS };
    if (running.failures >= MOST_A_DAY)
      throw new Refusal("uploads.many", { retryAfterS: Math.ceil((running.blockedUntil - now) / 1000) });
    const { failures, blockedUntil } = running;
    const row = {
      kind: "picture",
      subject: String(memberId),
      failures: failures + 1,
      blockedUntil,
      lastAt: now,
    } as const;
    await tx
      .insert(attempts)
      .values(row)
      .onConflictDoUpdate({ target: [attempts.kind, attempts.subject], set: row });
  });
}

/** A picture that was one is counted by its row. */
const forgiveTry = ({ db }: Pick<Deps, "db">, memberId: number): Promise<unknown> =>
  db.transact((tx) =>
    tx
      .update(attempts)
      .set({ failures: sql`${attempts.failures} - 1` })
      .where(triesOf(memberId)),
  );

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
