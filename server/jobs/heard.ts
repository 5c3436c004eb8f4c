import { desc } from "drizzle-orm";
import { outbox } from "#db/schema/outbox.ts";
import type { Deps } from "#server/app/deps.ts";
import { MINUTE_MS } from "#shared/time.ts";

/** In this time every process that still runs has read a row, and every transaction with a lower number has ended. */
const HEARD_AFTER_MS = 15 * MINUTE_MS;

/**
 * Which rows of the outbox every server has heard: those that this process saw a quarter of an hour ago, by the time that
 * passed. Their dates do not tell: where the writer's clock is hours behind, a row is old when it is written.
 */
export class Heard {
  readonly #deps: Pick<Deps, "db" | "clock">;
  /** The newest row at some moments, the oldest first. */
  readonly #seen: { id: number; at: number }[] = [];

  constructor(deps: Pick<Deps, "db" | "clock">) {
    this.#deps = deps;
  }

  /** Has to be called often. */
  async look(): Promise<void> {
    const [newest] = await this.#deps.db.read.select({ id: outbox.id }).from(outbox).orderBy(desc(outbox.id)).limit(1);
    this.#seen.push({ id: newest?.id ?? 0, at: this.#elapsed });
    while (this.#seen.length > 1 && this.#isLongAgo(this.#seen[1]!)) this.#seen.shift();
  }

  /** The newest row that all have heard; 0 for none. */
  get upTo(): number {
    const [first] = this.#seen;
    return first && this.#isLongAgo(first) ? first.id : 0;
  }

  #isLongAgo({ at }: { at: number }): boolean {
    return this.#elapsed - at >= HEARD_AFTER_MS;
  }

  get #elapsed(): number {
    const { clock } = this.#deps;
    return (clock.elapsed ?? clock.now)();
  }
}
