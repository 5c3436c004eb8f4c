import { bytesToHex } from "@noble/hashes/utils.js";
import type { ReplyOf } from "#shared/contract/endpoint.ts";
import type { fairAnchors } from "#shared/contract/fair.ts";
import { ANCHOR_AHEAD_MS } from "#shared/log/check/plan-check.ts";
import { seedAt } from "#shared/lottery/seed-at.ts";
import { DAY_MS, parseDay } from "#shared/time.ts";
import { readHead } from "./check-head.ts";
import type { Heads } from "./heads.ts";
import type { Kept, KeptAnchor, KeptLog } from "./kept.ts";
import type { AnchorAge } from "./messages.ts";
import { leafAt } from "./read-leaf.ts";
import type { Found, Surroundings } from "./surroundings.ts";

type Shown = ReplyOf<typeof fairAnchors>[number];
type Told = NonNullable<KeptAnchor["told"]>;

/** A game and a day of one log. */
type Day = Pick<KeptAnchor, "origin" | "game" | "day">;

/** Keeps the first seed of each day as the house shows it, and looks it up in the log before a round is checked by it. */
export class Anchors {
  readonly #kept: Kept;
  readonly #heads: Heads;
  readonly #around: Surroundings;
  readonly #found: Found;

  constructor(kept: Kept, heads: Heads, around: Surroundings, found: Found) {
    this.#kept = kept;
    this.#heads = heads;
    this.#around = around;
    this.#found = found;
  }

  /**
   * Keeps the anchors that are public: one that was shown never changes. That of the day is proved to stand in the log. A
   * head that is kept binds those of the days ahead, so each waits for its day. Returns whether the day's is proved.
   */
  async keep(game: string, day: string): Promise<boolean> {
    const log = await this.#heads.today();
    const shown = log && (await this.#around.ask("anchors", { key: game }));
    if (!shown) return false;
    for (const one of shown) await this.#take(log, game, one);
    const ofDay = shown.find((one) => one.day === day);
    if (!(await this.of(log.origin, game, day)) && ofDay) await this.#prove(log, game, ofDay);
    return (await this.of(log.origin, game, day)) !== undefined;
  }

  /** The anchor of a day, once it is proved to stand in the log. */
  async of(origin: string, game: string, day: string): Promise<KeptAnchor | undefined> {
    const kept = await this.#kept.anchor(origin, game, day);
    return kept?.told && kept;
  }

  async #take({ origin }: KeptLog, game: string, shown: Shown): Promise<void> {
    const { day, anchor } = shown;
    const all = await this.#ofLogs({ origin, game, day });
    const other = all.find((kept) => kept.anchor !== anchor);
    if (other) await this.#found("otherAnchor", `${game} ${day}`, { kept: other, shown });
    if (all[0]?.origin !== origin) await this.#kept.keepAnchor({ origin, game, day, anchor, at: this.#around.now() });
  }

  /** A day's anchor as it was seen in a log, and in those that it continues. A restore brings no other days: the key is the same. */
  async #ofLogs({ origin, game, day }: Day): Promise<KeptAnchor[]> {
    const all: KeptAnchor[] = [];
    for (let one: string | undefined = origin; one !== undefined; one = (await this.#kept.log(one))?.before) {
      const kept = await this.#kept.anchor(one, game, day);
      if (kept) all.push(kept);
    }
    return all;
  }

  async #prove(log: KeptLog, game: string, shown: Shown): Promise<void> {
    const { origin } = log;
    const { day, anchor } = shown;
    const kept = await this.#kept.anchor(origin, game, day);
    if (!shown.told || kept?.anchor !== anchor) return;
    const told = await this.#lookUp(origin, game, { ...shown, told: shown.told });
    if (!told) return;
    const seed = await this.#kept.seed(origin, game, day);
    if (seed && bytesToHex(seedAt(seed, 0)) !== anchor)
      return this.#found("otherAnchor", `${game} ${day}`, { kept, seed, log });
    await this.#kept.keepAnchor({ ...kept, told });
  }

  /** Where the log says an anchor, by its own files. Null while they do not prove it. Another one there is said. */
  async #lookUp(origin: string, game: string, shown: Shown & { told: Told }): Promise<Told | null> {
    const { day, anchor, told } = shown;
    const newest = async () => readHead((await this.#kept.log(origin))!.newest)!;
    if (told.head > (await newest()).checkpoint.size) await this.#heads.renew();
    const head = await newest();
    const { read } = this.#around;
    const leaf = await leafAt(told.number, head, read).catch(() => null);
    const time = leaf && (await leafAt(told.head - 1, head, read).catch(() => null));
    if (!leaf || time?.kind !== "time" || told.head <= told.number) return null;
    if (leaf.kind === "anchor" && leaf.game === game && leaf.day === day && leaf.anchor === anchor)
      return { ...told, time: time.time };
    await this.#found("otherAnchor", `${game} ${day}`, { shown, leaf, head: head.text });
    return null;
  }

  /** The age of an anchor that is shown. Null for another one than that of the day. */
  async ageOf(game: string, day: string, anchor: string): Promise<AnchorAge | null> {
    const origin = (await this.#heads.today())?.origin ?? "";
    if (!(await this.of(origin, game, day))) await this.keep(game, day).catch(() => false);
    const kept = await this.#kept.anchor(origin, game, day);
    return kept && kept.anchor !== anchor ? null : this.age({ origin, game, day });
  }

  /** How long the anchor of a day was in the log before that day. A log before a restore counts, where it was looked up there. */
  async age({ origin, game, day }: Day): Promise<AnchorAge> {
    const anchor = await this.of(origin, game, day);
    if (!anchor) return "unproved";
    const same = (await this.#ofLogs({ origin, game, day })).filter((one) => one.anchor === anchor.anchor);
    const told = Math.min(...same.flatMap((one) => one.told?.time ?? []));
    return parseDay(day)! * DAY_MS - told >= ANCHOR_AHEAD_MS ? "week" : "young";
  }

  /** The days of a log of which rounds were checked, by what vouches for their seeds. */
  async report(origin: string): Promise<{ young: number; unproved: number }> {
    const ages = await Promise.all((await this.#kept.seeds(origin)).map((seed) => this.age(seed)));
    const count = (age: AnchorAge) => ages.filter((one) => one === age).length;
    return { young: count("young"), unproved: count("unproved") };
  }
}
