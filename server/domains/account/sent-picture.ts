import { and, eq, sql } from "drizzle-orm";
import { attempts } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { NoPicture } from "#shared/picture.ts";
import { invalid, Refusal, type RefusalReason } from "#shared/refusal.ts";
import { DAY_MS } from "#shared/time.ts";
import { timeLeft } from "./time-left.ts";

/** Pictures of one kind per member and day. Unused ones live a day, so this bounds storage too. */
export const MOST_A_DAY = 20;

/**
 * Encodes a member's picture anew as one file that holds only its pixels. A file that is none is refused, and counts:
 * after a day's worth of them the rest of that day.
 */
export async function encodeSent(
  deps: Pick<Deps, "db" | "clock" | "encodePicture">,
  memberId: number,
  file: File,
  plan: Parameters<Deps["encodePicture"]>[1],
  tooMany: RefusalReason,
): Promise<Buffer> {
  await countTry(deps, memberId, tooMany);
  const { files } = await deps.encodePicture(await file.bytes(), plan).catch(async (error: unknown) => {
    if (error instanceof NoPicture) throw invalid({ file: "picture" });
    await forgiveTry(deps, memberId);
    throw error;
  });
  await forgiveTry(deps, memberId);
  return files[0]!.bytes;
}

const triesOf = (memberId: number) => and(eq(attempts.kind, "picture"), eq(attempts.subject, String(memberId)));

/** Counts a picture before it is decoded: one that fails costs as much. Refuses it after a day's worth of failures. */
async function countTry(
  { db, clock }: Pick<Deps, "db" | "clock">,
  memberId: number,
  tooMany: RefusalReason,
): Promise<void> {
  await db.transact(async (tx) => {
    const now = clock.now();
    const [known] = await tx.select().from(attempts).where(triesOf(memberId));
    const isRunning = known && timeLeft(known.blockedUntil, now, DAY_MS) > 0;
    const running = isRunning ? known : { failures: 0, blockedUntil: now + DAY_MS };
    if (running.failures >= MOST_A_DAY)
      throw new Refusal(tooMany, { retryAfterS: Math.ceil((running.blockedUntil - now) / 1000) });
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

/** A picture that was one is counted by its row; one that could not be looked at, by nothing. */
const forgiveTry = ({ db }: Pick<Deps, "db">, memberId: number): Promise<unknown> =>
  db.transact((tx) =>
    tx
      .update(attempts)
      .set({ failures: sql`${attempts.failures} - 1` })
      .where(triesOf(memberId)),
  );
