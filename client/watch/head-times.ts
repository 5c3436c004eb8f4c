import { MINUTE_MS } from "#shared/time.ts";
import { readHead } from "./check-head.ts";
import type { KeptLog } from "./kept.ts";
import { leafAt } from "./read-leaf.ts";
import type { Surroundings } from "./surroundings.ts";

/** The newest head grows with each round: its time is read this often. */
const NEWEST_EVERY_MS = 2 * MINUTE_MS;

/** Reads when heads were made: the last leaf of each is its time. */
export class HeadTimes {
  readonly #around: Pick<Surroundings, "read" | "now">;
  #newest: { origin: string; time: number | null; at: number } | null = null;

  constructor(around: Pick<Surroundings, "read" | "now">) {
    this.#around = around;
  }

  /** When the head of this size was made, proved to stand in the newest kept head. Null while it cannot be read. */
  async of(log: KeptLog, size: number): Promise<number | null> {
    const leaf = await leafAt(size - 1, readHead(log.newest)!, this.#around.read).catch(() => null);
    return leaf?.kind === "time" ? leaf.time : null;
  }

  /** When the newest kept head was made, or one a little before it. By this device's clock where that cannot be read. */
  async newest(log: KeptLog): Promise<number> {
    const now = this.#around.now();
    const last = this.#newest;
    const isRead = last?.origin === log.origin && now >= last.at && now < last.at + NEWEST_EVERY_MS;
    const read = isRead
      ? last
      : { origin: log.origin, time: await this.of(log, readHead(log.newest)!.checkpoint.size), at: now };
    this.#newest = read;
    return read.time ?? now;
  }
}
