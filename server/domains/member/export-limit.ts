import { and, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { attempts } from "#db/schema/session.ts";
import type { Deps } from "#server/app/deps.ts";
import { timeLeft } from "#server/domains/account/time-left.ts";
import { Refusal } from "#shared/refusal.ts";
import { HOUR_MS, SECOND_MS } from "#shared/time.ts";

const MOST_AN_HOUR = 10;
/** A member whose file is on its way may retry after this; it has probably arrived by then. */
const BUSY_S = 10;

/** Rate limit for exports: so many an hour per member across all servers, and one at a time per process. */
export class ExportLimit {
  readonly #running = new Set<number>();

  /** Counts an export, or refuses it. Returns the function that ends it; calling it again does nothing. */
  async begin({ db, clock }: Pick<Deps, "db" | "clock">, memberId: number): Promise<() => void> {
    if (this.#running.has(memberId)) throw new Refusal("attempts.many", { retryAfterS: BUSY_S });
    this.#running.add(memberId);
    let isDone = false;
    const done = () => {
      if (!isDone) this.#running.delete(memberId);
      isDone = true;
    };
    try {
      await db.transact((tx) => countExport(tx, memberId, clock.now()));
    } catch (error) {
      done();
      throw error;
    }
    return done;
  }
}

/** The hour begins with the first; `blockedUntil` is its end. */
async function countExport(tx: Tx, memberId: number, now: number): Promise<void> {
  const subject = String(memberId);
  const ofMember = and(eq(attempts.kind, "export"), eq(attempts.subject, subject));
  const [known] = await tx.select().from(attempts).where(ofMember);
  const isRunning = known && timeLeft(known.blockedUntil, now, HOUR_MS) > 0;
  const running = isRunning ? known : { failures: 0, blockedUntil: now + HOUR_MS };
  if (running.failures >= MOST_AN_HOUR) {
    const retryAfterS = Math.ceil((running.blockedUntil - now) / SECOND_MS);
    throw new Refusal("attempts.many", { retryAfterS });
  }
  const { failures, blockedUntil } = running;
  const row = { kind: "export" as const, subject, failures: failures + 1, blockedUntil, lastAt: now };
  await tx
    .insert(attempts)
    .values(row)
    .onConflictDoUpdate({ target: [attempts.kind, attempts.subject], set: row });
}
