import { bus, onToasts, type ClientBus } from "#client/api/bus.ts";

const PATIENCE_MS = 20_000;

/** Records the bus's events in order, so that a test may wait for one that already came. */
export class BusRecorder {
  readonly received: { event: keyof ClientBus; payload: unknown }[] = [];
  #waiting: (() => void)[] = [];
  readonly #leave: () => void;
  readonly #record = (event: keyof ClientBus, payload: unknown) => {
    this.received.push({ event, payload });
    for (const look of this.#waiting.splice(0)) look();
  };

  constructor() {
    bus.on("*", this.#record);
    // Toasts wait until somebody shows them.
    this.#leave = onToasts(() => {});
  }

  close(): void {
    bus.off("*", this.#record);
    this.#leave();
  }

  all<E extends keyof ClientBus>(event: E): ClientBus[E][] {
    return this.received.filter((one) => one.event === event).map(({ payload }) => payload as ClientBus[E]);
  }

  /** The `count`th event of its kind, past or future. */
  async next<E extends keyof ClientBus>(event: E, count = 1): Promise<ClientBus[E]> {
    const deadline = performance.now() + PATIENCE_MS;
    for (;;) {
      const found = this.all(event)[count - 1];
      if (found !== undefined) return found;
      if (performance.now() > deadline)
        throw new Error(`no ${event}; received ${this.received.map((one) => one.event).join()}`);
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        setTimeout(resolve, 500).unref();
      });
    }
  }

  /** The connection's state changes so far. */
  ups(): boolean[] {
    return this.all("connection").map(({ up }) => up);
  }
}
