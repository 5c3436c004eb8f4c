import { wordsOf } from "#shared/log/words.ts";
import { HOUR_MS } from "#shared/time.ts";
import { endsIn, readHead, type ReadHead } from "./check-head.ts";
import type { Kept, KeptLog } from "./kept.ts";
import { isSignedRightly } from "./keys.ts";
import { leafAt } from "./read-leaf.ts";
import type { Surroundings } from "./surroundings.ts";

/** While the screen is open, the words of the hour are asked for this often. */
const ASKED_EVERY_MS = 20_000;

/** The words of the first head since a full hour. */
export interface WordsOfHour {
  hour: number;
  words: string[];
}

/** Knows the words of the hour: two phones compute the same. */
export class Hours {
  readonly #kept: Kept;
  readonly #around: Surroundings;
  readonly #prove: (head: ReadHead) => Promise<boolean>;
  /** The last answer about the full hour, checked, and its log. */
  #known: (WordsOfHour & { origin: string }) | null = null;
  /** The hour of a head, by its text. */
  #timed = { head: "", hour: Number.NaN };
  #askedAt = 0;

  /** `prove`: joins a head with the newest kept one. */
  constructor(kept: Kept, around: Surroundings, prove: (head: ReadHead) => Promise<boolean>) {
    this.#kept = kept;
    this.#around = around;
    this.#prove = prove;
  }

  /**
   * The words of the first head since the full hour of the newest kept head. That first head is signed by the kept key,
   * joined with the newest one, and ends in a time of that hour. Null where the house shows those of another hour: nobody
   * else compares these. The last known ones while it does not answer, as long as they are of that hour.
   */
  async words(): Promise<WordsOfHour | null> {
    const log = await this.#kept.currentLog();
    if (!log) return null;
    const now = this.#around.now();
    const isAsked = now >= this.#askedAt && now < this.#askedAt + ASKED_EVERY_MS;
    if (!isAsked) await this.#ask(log);
    const known = this.#known;
    if (known?.origin !== log.origin) return null;
    const newest = readHead((await this.#kept.log(log.origin))!.newest)!;
    return (await this.#hourOf(newest)) === known.hour ? { hour: known.hour, words: known.words } : null;
  }

  /** What comes next is asked for anew. */
  askAgain(): void {
    this.#askedAt = 0;
  }

  async #ask(log: KeptLog): Promise<void> {
    this.#askedAt = this.#around.now();
    const told = await this.#around.ask("hour", {}).catch(() => null);
    const head = told && readHead(told.head);
    if (!told || !head || head.checkpoint.origin !== log.origin || !isSignedRightly(head, log)) return;
    if (!endsIn(head, told) || !(await this.#prove(head).catch(() => false))) return;
    this.#timed = { head: head.text, hour: told.hour };
    this.#known = { hour: told.hour, words: wordsOf(head.checkpoint), origin: log.origin };
  }

  /** The hour of the time that a head ends with. Not a number while the log's files do not say it. */
  async #hourOf(head: ReadHead): Promise<number> {
    if (this.#timed.head === head.text) return this.#timed.hour;
    const last = await leafAt(head.checkpoint.size - 1, head, this.#around.read).catch(() => null);
    if (last?.kind !== "time") return Number.NaN;
    const hour = Math.floor(last.time / HOUR_MS) * HOUR_MS;
    this.#timed = { head: head.text, hour };
    return hour;
  }
}
