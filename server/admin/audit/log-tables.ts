import type { Leaf } from "#shared/log/leaf.ts";
import type { ChainedKind, Content } from "#shared/log/salted.ts";
import { rowsOf, tableHash, type Winnable } from "#shared/wheel.ts";
import type { Findings } from "./findings.ts";

/**
 * Tables of prizes that a head held, as the leaves of a log pass by. Words are bound to such a table alone, and the first
 * spin comes after its words. What a log begins with was in force before it.
 */
export class LogTables {
  readonly #waiting = new Set<string>();
  readonly #told = new Set<string>();
  #hasBegun = false;
  readonly #found: Findings;

  constructor(found: Findings) {
    this.#found = found;
  }

  table({ prizes }: Leaf<"table">): void {
    const hash = tableHash(rowsOf(prizes as Winnable[]));
    (this.#hasBegun ? this.#waiting : this.#told).add(hash);
  }

  /** Each head ends with a time. */
  time(): void {
    this.#hasBegun = true;
    for (const hash of this.#waiting) this.#told.add(hash);
    this.#waiting.clear();
  }

  spin(said: Content<ChainedKind> | undefined): void {
    if (said?.kind !== "spin" || said.nonce > 0 || said.words_by !== "member") return;
    this.#found.check(
      this.#told.has(said.table_hash),
      () => `the log's spin, leaf ${said.number} of member ${said.member}: no head before held the table of its words`,
    );
  }
}
