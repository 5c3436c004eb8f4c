import { bytesToHex } from "@noble/hashes/utils.js";
import type { Keys } from "#server/config/keys.ts";
import { sha256 } from "#server/domains/log/sha256.ts";
import { chainOfDay, commitOf, lastSeedOfDay, seedOf } from "#shared/lottery/fairness.ts";
import { roundsPerDay, type RoundPlace } from "#shared/lottery/schedule.ts";
import { dayText } from "#shared/time.ts";
import type { Game } from "./read-games.ts";

/** Chains in the cache: today's and a neighbouring day's of each game. A day of the shortest rounds takes 276 KiB. */
const MOST_CHAINS = 16;

/**
 * The seeds of the daily hash chains, each derived on demand from the master key in force on its day. A seed is stored nowhere before its round is
 * drawn. Only drawing, opening, publishing anchors and ending a gap may use this class.
 */
export class Seeds {
  readonly #keys: Pick<Keys, "ofDay">;
  readonly #chains = new Map<string, Uint8Array>();

  constructor(keys: Pick<Keys, "ofDay">) {
    this.#keys = keys;
  }

  anchorOf(game: Game, day: number): string {
    return bytesToHex(seedOf(this.#chain(game, day), 0));
  }

  /** A round's commit. It may be shown once the round before is closed for good. */
  commitOf(game: Game, { day, number }: RoundPlace): string {
    return commitOf(seedOf(this.#chain(game, day), number));
  }

  /** The secret of a round. Ask for it only once the round's closing is written, or nobody can open it any more. */
  reveal(game: Game, { day, number }: RoundPlace): Uint8Array {
    return seedOf(this.#chain(game, day), number);
  }

  #chain(game: Game, day: number): Uint8Array {
    const name = `${game.key}:${day}`;
    let chain = this.#chains.get(name);
    if (!chain) {
      chain = chainOfDay(
        lastSeedOfDay(this.#keys.ofDay(day).master, game.key, dayText(day)),
        roundsPerDay(game),
        sha256,
      );
      if (this.#chains.size >= MOST_CHAINS) this.#chains.delete(this.#chains.keys().next().value!);
      this.#chains.set(name, chain);
    }
    return chain;
  }
}
