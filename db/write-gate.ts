import type { AwayReason } from "#shared/contract/events.ts";
import { DatabaseAway } from "./away.ts";

/** The pause before each probe while the gate is shut. */
const PROBE_EVERY_MS = 500;

/** Gets the reason and the cause when writing stops working, and null when it works again. */
export type AwayListener = (reason: AwayReason | null, cause?: unknown) => void;

interface WriteGateOptions {
  /** Commits a tiny write. Throws while writing does not work. */
  probe(): Promise<void>;
  /** Why no other write would succeed either; null if only this write failed. */
  diagnose(error: unknown): AwayReason | null;
}

/**
 * A circuit breaker for writes. When a write fails for a reason that stops every write, the gate shuts and refuses all
 * of them at once. It opens again when a probe is committed. So nobody waits for a full disk, and writing resumes by
 * itself.
 */
export class WriteGate {
  readonly #options: WriteGateOptions;
  readonly #listeners = new Set<AwayListener>();
  #reason: AwayReason | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: WriteGateOptions) {
    this.#options = options;
  }

  get reason(): AwayReason | null {
    return this.#reason;
  }

  /** Does a write and reports its failure. Throws DatabaseAway at once while the gate is shut. */
  async pass<T>(write: () => Promise<T>): Promise<T> {
    this.check();
    try {
      return await write();
    } catch (error) {
      this.report(error);
      throw error;
    }
  }

  /** Reads, and reports a failure. */
  read<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      this.report(error);
      throw error;
    }
  }

  /** Throws DatabaseAway while the gate is shut. */
  check(): void {
    if (this.#reason) throw new DatabaseAway(this.#reason);
  }

  /** Shuts the gate if this failure stops every write. */
  report(error: unknown): void {
    const reason = this.#options.diagnose(error);
    if (reason) this.shut(reason, error);
  }

  shut(reason: AwayReason, cause?: unknown): void {
    if (this.#isStopped || reason === this.#reason) return;
    const wasOpen = this.#reason === null;
    this.#notify(reason, cause);
    if (wasOpen) this.#probeSoon();
  }

  /** Subscribes. Returns a function that unsubscribes. */
  onChange(listener: AwayListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #notify(reason: AwayReason | null, cause?: unknown): void {
    this.#reason = reason;
    for (const listener of this.#listeners) listener(reason, cause);
  }

  #probeSoon(): void {
    if (!this.#isStopped) this.#timer = setTimeout(() => void this.#probe(), PROBE_EVERY_MS).unref();
  }

  async #probe(): Promise<void> {
    try {
      await this.#options.probe();
    } catch (error) {
      this.report(error);
      return this.#probeSoon();
    }
    if (!this.#isStopped) this.#notify(null);
  }
}
