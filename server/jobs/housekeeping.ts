import { lt } from "drizzle-orm";
import { attempts, rateWindows, replays, ssoTickets } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { applyDueLimits } from "#server/domains/ledger/limits.ts";
import { sweepUploads } from "#server/domains/member/sweep-uploads.ts";
import type { Sessions } from "#server/domains/session/identify.ts";
import { pruneOutbox } from "#server/app/outbox.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { Retries } from "./retries.ts";

const EVERY_MS = 5_000;

/** Periodic work: loosened limits, last-seen times, sealing and pruning. A failing task holds up no other. */
export class Housekeeping {
  readonly #deps: Deps;
  readonly #sessions: Sessions;
  readonly #retries: Retries;
  #sealedAt = 0;
  #prunedAt = 0;

  constructor(deps: Deps, sessions: Sessions) {
    this.#deps = deps;
    this.#sessions = sessions;
    this.#retries = new Retries(deps);
  }

  async tick(): Promise<number> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const retries = this.#retries;
    await retries.run("apply limits", () => db.transact((tx) => applyDueLimits(tx, now)));
    await retries.run("note sessions", () => this.#sessions.flush());
    if (isOver(this.#sealedAt, MINUTE_MS, now)) await retries.run("seal", () => this.seal());
    if (isOver(this.#prunedAt, HOUR_MS, now)) await retries.run("prune", () => this.#prune(now));
    return EVERY_MS;
  }

  /** Seals what was committed since the last time: each minute, and at each round's close. */
  async seal(): Promise<void> {
    await this.#deps.db.job("ledger.seal", null, () => {});
    this.#sealedAt = this.#deps.clock.now();
  }

  async #prune(now: number): Promise<void> {
    const { db } = this.#deps;
    await db.transact(async (tx) => {
      await pruneOutbox(tx, now);
      // Rows of stopped processes; a running one deletes its own.
      await tx.delete(rateWindows).where(lt(rateWindows.startedAt, now - HOUR_MS));
      await tx.delete(replays).where(lt(replays.createdAt, now - DAY_MS));
      await tx.delete(attempts).where(lt(attempts.lastAt, now - DAY_MS));
      // A server whose clock is behind may still accept a ticket that has expired here.
      await tx.delete(ssoTickets).where(lt(ssoTickets.expiresAt, now - HOUR_MS));
    });
    await db.job("bets.prune", null, () => {});
    await sweepUploads(this.#deps);
    this.#prunedAt = now;
  }
}

/** Whether the interval is over, or the clock was set back. */
const isOver = (at: number, ms: number, now: number): boolean => now - at >= ms || now < at;
