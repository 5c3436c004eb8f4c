import { DAY_MS } from "#shared/time.ts";
import type { Kept } from "./kept.ts";
import type { ToldResult, UncheckedReport } from "./messages.ts";
import type { Place } from "./shelf.ts";
import type { Tried } from "./states.ts";
import { isLasting, triedAgain } from "./unchecked.ts";

const KEPT_MS = 30 * DAY_MS;

/** A round whose result is not checked yet against what the log says that it opened with. */
export interface KeptWaiting extends Tried {
  origin: string;
  game: string;
  round: string;
  /** As it was told; null for a push that had no form, of which nothing can be checked. */
  result: ToldResult | null;
  /** Its closing was told before. */
  isTold: boolean;
  /** It was not checked before. */
  isNew: boolean;
  /** It is no result as this page knows them: that is said at once. */
  isOdd: boolean;
}

type Name = Pick<KeptWaiting, "origin" | "game" | "round">;

const placeOf = ({ origin, game, round }: Name): Place => ["waiting", origin, game, round];

/** Keeps the rounds whose openings are still to be read in the log. None of them counts as checked. */
export class Waiting {
  readonly #kept: Kept;
  readonly #now: () => number;

  constructor(kept: Kept, now: () => number) {
    this.#kept = kept;
    this.#now = now;
  }

  has = async (name: Name): Promise<boolean> => (await this.#kept.shelf.get(placeOf(name))) !== undefined;

  add = async (waiting: Omit<KeptWaiting, keyof Tried>): Promise<KeptWaiting> => {
    const now = { ...waiting, ...triedAgain(undefined, this.#now()) };
    await this.#kept.shelf.write({ put: [[placeOf(now), now]] });
    return now;
  };

  noteTried = (waiting: KeptWaiting): Promise<void> =>
    this.#kept.shelf.write({ put: [[placeOf(waiting), { ...waiting, ...triedAgain(waiting, this.#now()) }]] });

  drop = (waiting: Name): Promise<void> => this.#kept.shelf.write({ drop: [placeOf(waiting)] });

  /** Those of the log of now. What another log took in, this one cannot say. */
  async all(): Promise<KeptWaiting[]> {
    const origin = (await this.#kept.currentLog())?.origin ?? "";
    return this.#kept.shelf.list<KeptWaiting>(["waiting", origin]);
  }

  /** Drops what is older than 30 days, and what another log took in. */
  async tidy(): Promise<void> {
    const current = (await this.#kept.currentLog())?.origin ?? "";
    const all = await this.#kept.shelf.list<KeptWaiting>(["waiting"]);
    const isOver = ({ origin, since }: KeptWaiting) => origin !== current || since < this.#now() - KEPT_MS;
    const drop = all.filter(isOver).map(placeOf);
    if (drop.length > 0) await this.#kept.shelf.write({ drop });
  }

  /** Those that have waited for long, and what is no result at all. */
  async report(): Promise<UncheckedReport["rounds"]> {
    const all = (await this.all()).filter((one) => one.isOdd || isLasting(one));
    return all.length === 0 ? null : { count: all.length, since: Math.min(...all.map(({ since }) => since)) };
  }
}
