import { EventEmitter } from "node:events";
import { MessageChannel, SHARE_ENV, Worker } from "node:worker_threads";
import type { Request, StartWriter, WriterData, WriterHandle } from "#db/sqlite/protocol.ts";

const THREAD = new URL("./pooled-writer.ts", import.meta.url);

/** Threads without a database. */
let idle: Worker[] = [];

/** Databases from now on get new threads, which load the sources anew. */
export function endIdleThreads(): void {
  for (const thread of idle) void thread.terminate();
  idle = [];
}

/**
 * Starts a writer on a thread that may have served other databases before. Starting a thread and loading its modules is
 * half of what a fresh site costs.
 */
export const startPooledWriter: StartWriter = (data) => new PooledWriter(data);

class PooledWriter extends EventEmitter implements WriterHandle {
  readonly #pool = idle;
  readonly #thread = idle.pop() ?? newThread();
  readonly #channel = new MessageChannel();
  #isOver = false;

  constructor(data: WriterData) {
    super();
    const { port1, port2 } = this.#channel;
    port1.on("message", (response) => this.emit("message", response));
    port1.on("close", () => this.#end(true));
    this.#thread.on("error", this.#fail);
    this.#thread.postMessage({ port: port2, data }, [port2]);
  }

  postMessage(request: Request): void {
    this.#channel.port1.postMessage(request);
  }

  /** A writer that was asked to close has closed its port, or is about to. */
  async terminate(): Promise<void> {
    if (this.#isOver) return;
    await new Promise((resolve) => this.once("exit", resolve));
  }

  /** A thread with an uncaught error has ended. */
  readonly #fail = (error: Error): void => {
    this.emit("error", error);
    this.#end(false);
  };

  #end(isReusable: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#thread.off("error", this.#fail);
    if (isReusable && this.#pool === idle) idle.push(this.#thread);
    else void this.#thread.terminate();
    this.emit("exit");
  }
}

function newThread(): Worker {
  // A test may arm a failpoint by the environment after the thread began.
  const thread = new Worker(THREAD, { env: SHARE_ENV });
  // An idle thread keeps no process alive; a database in use has its port.
  thread.unref();
  return thread;
}
