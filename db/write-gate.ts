import type { AwayReason } from "#shared/contract/events.ts";
import { DatabaseAway } from "./away.ts";

/** How soon after a failure, and then after each attempt that failed, it is tried again whether writing works. */
const PROBE_EVERY_MS = 500;

/** Hears why nothing can be written from now on, and what failed; or null when writing works again. */
export type AwayListener = (reason: AwayReason | null, cause?: unknown) => void;

export interface WriteGateOptions {
  /** Commits a tiny write. Throws while that does not work. */
  probe(): Promise<void>;
  /** Why no other write would succeed now either; null where the failure was of this one alone. */
  diagnose(error: unknown): AwayReason | null;
}

/**
 * Lets writes through while they work. After one that failed because no other would succeed, all are refused at once,
 * until a probe was committed. So nobody waits for a disk that is full, and everything goes on by itself.
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

  /** Does a write, and learns from its failure. Throws DatabaseAway at once while the gate is shut. */
  async pass<T>(write: () => Promise<T>): Promise<T> {
    this.check();
    try {
      return await write();
    } catch (error) {
      this.report(error);
      throw error;
    }
  }

  /** Reads, and learns from a failure of that. */
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

  /** Shuts the gate if this failure says that no write succeeds now. */
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

  /** From now on; returns how to stop listening. */
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
