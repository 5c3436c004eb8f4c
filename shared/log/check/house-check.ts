import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { DAY_MS, MINUTE_MS, toIso } from "#shared/time.ts";
import { isFirstKey, parseCheckpoint } from "#shared/log/checkpoint.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { parseKey } from "#shared/log/note.ts";
import type { Context } from "./context.ts";

/** Money that moved is sealed within a minute. */
const SEALED_MS = 10 * MINUTE_MS;
const MISSED_MS = DAY_MS;

/** A leaf that replaced a key, and its number. */
export interface KeyChange {
  leaf: Leaf<"key">;
  place: number;
}

/** Checks what concerns the house as a whole: times, keys, seals, and where the log comes from. */
export class HouseCheck {
  readonly #context: Context;
  /** The keys that signed this log, in order. The last one signs now. */
  readonly keys: string[];
  /** The leaves that replaced keys, in order. */
  readonly changes: KeyChange[] = [];
  #batch = 0;
  #hasKeyLeaf = false;
  #seal: Leaf<"seal"> | null = null;
  /** When money moved first that no seal covers, how many heads there were, and how long the log had spoken. */
  #unsealed: { at: number; heads: number; spokenMs: number } | null = null;

  constructor(context: Context, key: string) {
    this.#context = context;
    this.keys = [key];
  }

  time({ time }: Leaf<"time">): void {
    const { heads, problem, note } = this.#context;
    const before = heads.last;
    if (before !== null && time <= before) problem("time-back", { time: toIso(time), before: toIso(before) });
    const silence = heads.add(time);
    if (silence) note("silent", { before: toIso(silence.from), time: toIso(silence.to) });
  }

  seal(leaf: Leaf<"seal">): void {
    const before = this.#seal;
    this.#seal = leaf;
    const { heads } = this.#context;
    // A seal is stated in the first head after it: what is in a later one than the money was made after that had moved.
    if (this.#unsealed && (this.#unsealed.at <= leaf.at || this.#unsealed.heads < heads.count)) this.#unsealed = null;
    if (!before) return;
    const { number, root, seal } = leaf;
    if (number !== before.number + 1) return this.#context.problem("seal-number", { number, before: before.number });
    if (bytesToHex(this.#context.hash(utf8ToBytes(before.seal + root))) !== seal)
      this.#context.problem("seal-link", { number });
  }

  /** Bets were taken, or payouts made, by then. */
  moved(leaf: Leaf<"close"> | Leaf<"settle">): void {
    const [count, at] = leaf.kind === "close" ? [leaf.bets, leaf.closed] : [leaf.payouts, leaf.settled];
    const { count: heads, spokenMs } = this.#context.heads;
    if (count > 0) this.#unsealed ??= { at, heads, spokenMs };
  }

  key(leaf: Leaf<"key">, place: number): void {
    if (!this.#hasKeyLeaf) this.keys[0] = leaf.old;
    if (this.keys.at(-1) !== leaf.old) this.#context.problem("key-chain", { leaf: place });
    if (this.keys.includes(leaf.next)) this.#context.problem("key-again", { leaf: place });
    if (leaf.batch < this.#batch) this.#context.problem("batch-back", { leaf: place, batch: leaf.batch });
    this.#hasKeyLeaf = true;
    this.#batch = leaf.batch;
    this.keys.push(leaf.next);
    this.changes.push({ leaf, place });
  }

  restore({ number, old, kept }: Leaf<"restore">, place: number): void {
    if (place > 0) return this.#context.problem("restore-inside", { leaf: place });
    this.#context.note("restored", { number, kept, size: parseCheckpoint(old)!.size });
  }

  end({ origin, key }: { origin: string; key: string }): void {
    const { problem, note, heads } = this.#context;
    const first = parseKey(this.keys[0]!);
    if (!first || first.name !== origin || !isFirstKey(origin, first.publicKey)) problem("first-key", {});
    if (this.keys.at(-1) !== key) problem("head-key", {});
    if (this.#unsealed === null || heads.last === null) return;
    const { at: moved, spokenMs } = this.#unsealed;
    const waited = Math.min(heads.last - moved, heads.spokenMs - spokenMs);
    const facts = { time: toIso(moved) };
    if (waited > MISSED_MS) problem("unsealed", facts);
    else if (waited > SEALED_MS) note("seal-old", facts);
  }
}
