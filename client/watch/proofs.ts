import { readHead, type ReadHead } from "./check-head.ts";
import { beginningWith } from "./read-leaf.ts";
import type { Surroundings } from "./surroundings.ts";

/** Asks the house what joins two heads. */
export class Proofs {
  readonly #around: Pick<Surroundings, "ask" | "read">;

  constructor(around: Pick<Surroundings, "ask" | "read">) {
    this.#around = around;
  }

  /** The hashes from the smaller to the larger head. Null: the house has none. Undefined: no answer. */
  async path(one: ReadHead, other: ReadHead): Promise<string[] | null | undefined> {
    const [from, to] = [one.checkpoint.size, other.checkpoint.size].sort((a, b) => a - b);
    try {
      return (await this.#around.ask("consistency", { from: String(from), to: String(to) }))?.path ?? null;
    } catch {
      return undefined;
    }
  }

  /** What the hashes between two heads leave out, beside them. Null where the house has none. */
  async beginning(one: ReadHead, other: ReadHead, path: string[] | null | undefined): Promise<string[] | null> {
    const heads = [one, other].map(({ checkpoint }) => checkpoint);
    return path ? beginningWith(path, heads, this.#around.read).catch(() => path) : null;
  }

  /** How many leaves the newest head of a log has that the house shows. Endless while it shows none of that log. */
  async sizeNow(origin: string): Promise<number> {
    const reply = await this.#around.ask("head", {}).catch(() => null);
    const shown = readHead(reply?.head ?? "")?.checkpoint;
    return shown?.origin === origin ? shown.size : Infinity;
  }
}
