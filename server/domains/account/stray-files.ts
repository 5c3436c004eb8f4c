import { DAY_MS } from "#shared/time.ts";
import type { Deps } from "#server/app/deps.ts";

/**
 * Files of one folder that no row names: a crash left them, or their rows are being written. They go a day after they were
 * written, and only if the sweep before found them too: this server's clock may be wrong, or another than the storage's.
 */
export class StrayFiles {
  #before: ReadonlySet<string> = new Set();
  #now = new Set<string>();

  /** Begins a sweep. */
  begin(): void {
    this.#before = this.#now;
    this.#now = new Set();
  }

  async found({ storage, clock }: Pick<Deps, "storage" | "clock">, name: string): Promise<void> {
    this.#now.add(name);
    const file = this.#before.has(name) ? await storage.find(name) : null;
    if (file && file.writtenAt < clock.now() - DAY_MS) await storage.remove(name);
  }
}
