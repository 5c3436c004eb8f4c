import { setTimeout as sleep } from "node:timers/promises";
import type { Load } from "../stories/crash-load.ts";
import { nowMs } from "../support/client.ts";

const PATIENCE_MS = 180_000;

/** How soon members bet again after something failed. */
export class Again {
  readonly #load: Load;
  readonly #waits: number[] = [];

  constructor(load: Load) {
    this.#load = load;
  }

  /** Resolves with the next bet that is acknowledged: to false where none is, however long one waits. */
  async bet(from = nowMs()): Promise<boolean> {
    const { bets } = this.#load;
    const before = bets.length;
    const deadline = Date.now() + PATIENCE_MS;
    while (bets.length === before && Date.now() < deadline) await sleep(5);
    this.#waits.push(nowMs() - from);
    return bets.length > before;
  }

  figures(): { againP50Ms: number; againP99Ms: number } {
    const sorted = this.#waits.toSorted((a, b) => a - b);
    const at = (share: number) =>
      Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
    return { againP50Ms: at(0.5), againP99Ms: at(0.99) };
  }
}
