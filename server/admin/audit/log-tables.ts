import type { Leaf } from "#shared/log/leaf.ts";
import type { ChainedKind, Content } from "#shared/log/salted.ts";
import { rowsOf, tableHash, type Winnable } from "#shared/wheel.ts";
import type { Findings } from "./findings.ts";

/**
 * Tables of prizes that a head held, as the leaves of a log pass by. Words are bound to such a table alone, and the first
 * spin comes after its words. What a log begins with was in force before it.
 */
export class LogTables {
  /** How many heads there were before each table. */
  readonly #before = new Map<string, number>();
  #heads = 0;
  readonly #found: Findings;

  constructor(found: Findings) {
    this.#found = found;
  }

  table({ prizes }: Leaf<"table">): void {
    const hash = tableHash(rowsOf(prizes as Winnable[]));
    if (!this.#before.has(hash)) this.#before.set(hash, this.#heads);
  }

  /** Each head ends with a time. */
  time(): void {
    this.#heads++;
  }

  spin(said: Content<ChainedKind> | null | undefined): void {
    if (said?.kind !== "spin" || said.nonce > 0 || said.words_by !== "member") return;
    const before = this.#before.get(said.table_hash);
    this.#found.check(
      before === 0 || (before !== undefined && before < this.#heads),
      () => `the log's spin, leaf ${said.number} of member ${said.member}: no head before held the table of its words`,
    );
  }
}
