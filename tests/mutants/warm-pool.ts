import { fileURLToPath } from "node:url";
import { ForksPoolWorker, type PoolOptions, type PoolWorker, type WorkerRequest } from "vitest/node";

type Listener = (...args: unknown[]) => void;

/** A process for tests that has loaded all packages, and drops of the sources what has changed. */
class WarmProcess extends ForksPoolWorker {
  override readonly name = "warm";
  protected override readonly entrypoint = fileURLToPath(new URL("./warm-process.ts", import.meta.url));
  /** A file that runs for a browser's page is compiled otherwise than one for Node. */
  readonly environment: string;

  constructor(options: PoolOptions) {
    super(options);
    this.environment = options.environment.name;
  }
}

/** The process that runs of one project and environment share. */
let kept: WarmProcess | undefined;

/** Vitest ends its processes after each run. To it, this one begins and ends as well. */
class WarmWorker implements PoolWorker {
  readonly name = "warm";
  readonly cacheFs = true;
  readonly #isFirst: boolean;
  readonly #process: WarmProcess;
  readonly #listeners: [event: string, listener: Listener][] = [];
  #hasStopped = false;

  constructor(options: PoolOptions) {
    if (kept && kept.environment !== options.environment.name) {
      void kept.stop();
      kept = undefined;
    }
    this.#isFirst = !kept;
    this.#process = kept ??= new WarmProcess(options);
  }

  async start(): Promise<void> {
    if (!this.#isFirst) return;
    await this.#process.start();
    this.#process.on("exit", () => this.#forget());
  }

  on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener]);
    this.#process.on(event, listener);
  }

  off(event: string, listener: Listener): void {
    this.#process.off(event, listener);
  }

  send(message: WorkerRequest): void {
    if (message.type === "start" && !this.#isFirst) return this.#answer("started");
    if (message.type !== "stop") return this.#process.send(message);
    this.#hasStopped = true;
    this.#answer("stopped");
  }

  #answer(type: string): void {
    const heard = this.#listeners.filter(([event]) => event === "message");
    for (const [, listener] of heard) setImmediate(listener, { __vitest_worker_response__: true, type });
  }

  /** Without having been asked to stop, it is stopped by force. */
  async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners) this.#process.off(event, listener);
    if (this.#hasStopped) return;
    this.#forget();
    await this.#process.stop();
  }

  #forget(): void {
    if (kept === this.#process) kept = undefined;
  }

  deserialize(data: unknown): unknown {
    return data;
  }
}

export const warmPool = { name: "warm", createPoolWorker: (options: PoolOptions) => new WarmWorker(options) };
