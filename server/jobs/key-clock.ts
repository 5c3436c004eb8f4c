import { gt } from "drizzle-orm";
import { masterKeys } from "#db/schema/site.ts";
import type { Deps } from "#server/app/deps.ts";
import { isoDay } from "#server/config/given-keys.ts";
import { Resealing } from "./reseal.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { Retries } from "./retries.ts";

const EVERY_MS = 5_000;
/** Between two steps while there is more: members' writes come first. */
const BETWEEN_MS = 100;
/** So many days after a key's day nothing is left that waited for it: commits of the wheel go within two. */
const SETTLED_DAYS = 2;

/**
 * Looks for a master key that another server brought, and moves what is stored to the key in force. Any number of processes
 * may run it.
 */
export class KeyClock {
  readonly #deps: Deps;
  readonly #retries: Retries;
  readonly #resealing: Resealing;
  /** The key to which everything moves, since when it is being looked through, and when that begins again. */
  #done: { version: number; beganAt: number | null; next: number } = { version: 0, beganAt: null, next: 0 };
  #known = 0;

  constructor(deps: Deps) {
    this.#deps = deps;
    this.#retries = new Retries(deps);
    this.#resealing = new Resealing(deps);
  }

  async tick(): Promise<number> {
    let isMore = false;
    await this.#retries.run("look for master keys", () => this.#look());
    await this.#retries.run("move to the master key in force", async () => {
      isMore = await this.#move();
    });
    return isMore ? BETWEEN_MS : EVERY_MS;
  }

  /** A process that lacks a key that is in force would answer wrongly: it derives nothing from that day on. */
  async #look(): Promise<void> {
    const { db, keys, log } = this.#deps;
    const newest = Math.max(keys.all.at(-1)!.version, this.#known);
    for (const { id, fromDay } of await db.read.select().from(masterKeys).where(gt(masterKeys.id, newest))) {
      keys.endOn(fromDay);
      this.#known = id;
      log.error(
        { masterKey: id },
        `another master key is in force from ${isoDay(fromDay)} on, and this server was not given it: restart it with the MASTER_KEY of the others`,
      );
    }
  }

  /**
   * Looks through everything once a key is in force, and again each hour until its last pairs are over: a server whose clock
   * is behind may still have used the key before. What names no key is of the first.
   */
  async #move(): Promise<boolean> {
    const { keys, clock } = this.#deps;
    const { version, fromDay } = keys.now;
    if (version === 1) return false;
    const now = clock.now();
    if (this.#done.version !== version) this.#done = { version, beganAt: null, next: 0 };
    const done = this.#done;
    if (done.beganAt === null && now < done.next) return false;
    done.beganAt ??= now;
    if (await this.#resealing.step()) return true;
    const isLast = done.beganAt >= (fromDay + SETTLED_DAYS) * DAY_MS;
    this.#done = { version, beganAt: null, next: isLast ? Infinity : now + HOUR_MS };
    return false;
  }
}
