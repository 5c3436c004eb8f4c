import type { Deps } from "#server/app/deps.ts";
import { pruneHeads, type PrunedTo } from "#server/domains/log/prune-heads.ts";
import { applyDueLimits } from "#server/domains/ledger/limits.ts";
import { sweepUploads } from "#server/domains/member/sweep-uploads.ts";
import { sweepSupportPictures } from "#server/domains/support/pictures.ts";
import type { Sessions } from "#server/domains/session/identify.ts";
import { statePlays } from "#server/domains/video/state-plays.ts";
import { StrayFiles } from "#server/domains/account/stray-files.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { Heard } from "./heard.ts";
import { allOf, deleteOutdated } from "./retention.ts";
import { Retries } from "./retries.ts";
import { SteadyClock } from "./steady-clock.ts";

const EVERY_MS = 5_000;

/** Periodic work: loosened limits, last-seen times, sealing and pruning. A failing task holds up no other. */
export class Housekeeping {
  readonly #deps: Deps;
  readonly #sessions: Sessions;
  readonly #retries: Retries;
  readonly #steady: SteadyClock;
  readonly #heard: Heard;
  readonly #strayUploads = new StrayFiles();
  readonly #strayPictures = new StrayFiles();
  #sealedAt = 0;
  /** Beside the seals, which every round's close makes too. */
  #playsStatedAt = Number.NEGATIVE_INFINITY;
  #prunedAt = 0;
  #headsPrunedTo: PrunedTo | null = null;

  constructor(deps: Deps, sessions: Sessions) {
    this.#deps = deps;
    this.#sessions = sessions;
    this.#retries = new Retries(deps);
    this.#steady = new SteadyClock(deps.clock);
    this.#heard = new Heard(deps);
  }

  async tick(): Promise<number> {
    const { db, clock } = this.#deps;
    const now = clock.now();
    const retries = this.#retries;
    this.#deps.security.tick();
    await retries.run("apply limits", () => db.transact((tx) => applyDueLimits(tx, now)));
    await retries.run("note sessions", () => this.#sessions.flush());
    if (isOver(this.#sealedAt, MINUTE_MS, now)) await retries.run("seal", () => this.seal());
    if (isOver(this.#playsStatedAt, MINUTE_MS, now)) await retries.run("state plays", () => this.#statePlays(now));
    await retries.run("note events", () => this.#heard.look());
    // The clock may have been set meanwhile, and what it showed then is not what is believed now.
    const isBelieved = this.#steady.isBelieved;
    const believed = clock.now();
    if (isBelieved && isOver(this.#prunedAt, HOUR_MS, believed))
      await retries.run("prune", () => this.#prune(believed));
    return EVERY_MS;
  }

  /** Seals what was committed since the last time: each minute, and at each round's close. */
  async seal(): Promise<void> {
    const { db, random, clock } = this.#deps;
    await db.job("ledger.seal", Buffer.from(random(32)).toString("hex"), () => {});
    this.#sealedAt = clock.now();
  }

  async #statePlays(now: number): Promise<void> {
    await statePlays(this.#deps.db, now);
    this.#playsStatedAt = now;
  }

  async #prune(now: number): Promise<void> {
    const { db } = this.#deps;
    await allOf([
      () => deleteOutdated(db, now, this.#heard.upTo),
      () => db.job("bets.prune", null, () => {}),
      () => sweepUploads(this.#deps, this.#strayUploads),
      () => sweepSupportPictures(this.#deps, this.#strayPictures),
      async () => {
        this.#headsPrunedTo = await pruneHeads(this.#deps, this.#headsPrunedTo);
      },
    ]);
    this.#prunedAt = now;
  }
}

/** Whether the interval is over, or the clock was set back. */
const isOver = (at: number, ms: number, now: number): boolean => now - at >= ms || now < at;
