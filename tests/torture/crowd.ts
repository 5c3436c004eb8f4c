import { setTimeout as sleep } from "node:timers/promises";
import { eventually, TestSocket, type Client } from "../support/client.ts";
import { dicer } from "../support/recompute.ts";

const LONGEST_STAY_MS = 8_000;
const PATIENCE_MS = 60_000;

/** Devices that come, watch a game for a while and go, all the time: each second one is a member's, the others guests'. */
export class Crowd {
  readonly #members: Client[];
  readonly #game: string;
  readonly #size: number;
  /** Nobody leaves before this resolves. */
  #open = Promise.resolve();
  #here = 0;
  #stopped = false;
  #lanes: Promise<void>[] = [];
  /** How many have come so far. */
  came = 0;

  constructor(members: Client[], game: string, size: number) {
    this.#members = members;
    this.#game = game;
    this.#size = size;
  }

  start(): void {
    this.#lanes = Array.from({ length: this.#size }, (_, i) => this.#comeAndGo(i));
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all(this.#lanes);
  }

  /** Measures while all of them are connected, and nobody comes or goes. */
  async whole<T>(measure: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#open = promise;
    try {
      await eventually(async () => {
        if (this.#here < this.#size) throw new Error(`${this.#here} of ${this.#size} devices are connected`);
      }, PATIENCE_MS);
      return await measure();
    } finally {
      resolve();
    }
  }

  async #comeAndGo(lane: number): Promise<void> {
    const random = dicer(lane + 1);
    const { address, token } = this.#members[lane % this.#members.length]!;
    while (!this.#stopped) {
      const socket = new TestSocket(address, lane % 2 ? token : undefined);
      await socket.until("connect", undefined, PATIENCE_MS);
      await socket.watch(this.#game);
      this.came++;
      this.#here++;
      await sleep(random() * LONGEST_STAY_MS);
      await this.#open;
      this.#here--;
      socket.close();
    }
  }
}
