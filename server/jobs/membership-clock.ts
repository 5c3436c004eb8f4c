import type { Deps } from "#server/app/deps.ts";
import { endMembership, listEnding, type Running } from "#server/domains/account/end-membership.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { Retries } from "./retries.ts";

/** The clock is checked at least this often; it may have been set. */
const LOOK_AGAIN_MS = 1_000;
/** Ends within this time are cached; the table is read again after half of it. */
const AHEAD_MS = 10 * MINUTE_MS;
/** Members whose membership ran out while no server was up are notified for this long afterwards. */
const BEHIND_MS = 7 * DAY_MS;
/** The most ends cached; the table is read on when they have passed. */
const MOST = 500;

/**
 * Announces the moment a membership runs out. Any number of processes may run it: the database decides which one
 * announces. It caches the next ends. A cached end that was extended is harmless: the database rejects it, and the new
 * end is at least a day away.
 */
export class MembershipClock {
  readonly #deps: Deps;
  readonly #retries: Retries;
  readonly #ends = new Map<number, number>();
  /** Up to when the table was read, and when by the clock. */
  #knownTo = 0;
  #readAt = Number.NaN;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#retries = new Retries(deps);
  }

  /** Ends the memberships that have run out. Returns the milliseconds until the next tick. */
  async tick(): Promise<number> {
    const { db, clock } = this.#deps;
    if (this.#isStale(clock.now())) await this.#readAhead(clock.now());
    for (const end of this.#due(clock.now())) {
      await this.#retries.run(`end membership ${end.memberId}`, async () => {
        await db.transact((tx) => endMembership(tx, this.#deps, end));
        if (this.#ends.get(end.memberId) === end.until) this.#ends.delete(end.memberId);
      });
    }
    const next = Math.min(...[...this.#ends.values()].filter((until) => until > clock.now()));
    return Math.min(next - clock.now(), LOOK_AGAIN_MS);
  }

  /** A clock that was set back also makes the cache stale. */
  #isStale(now: number): boolean {
    return !(now >= this.#readAt && now < this.#knownTo - AHEAD_MS / 2);
  }

  async #readAhead(now: number): Promise<void> {
    this.#knownTo = now + AHEAD_MS;
    this.#readAt = now;
    const ends = await listEnding(this.#deps.db.read, { after: now - BEHIND_MS, upTo: this.#knownTo, most: MOST });
    for (const { memberId, until } of ends) this.#ends.set(memberId, until);
    // A full page may not be all: the table is read on when its last end has passed.
    const last = ends.length === MOST ? ends.at(-1)!.until : this.#knownTo;
    this.#knownTo = Math.min(this.#knownTo, last + AHEAD_MS / 2);
  }

  #due(now: number): Running[] {
    return [...this.#ends].filter(([, until]) => until <= now).map(([memberId, until]) => ({ memberId, until }));
  }
}
