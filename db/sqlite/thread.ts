import { Worker } from "node:worker_threads";
import type { ConnectOptions } from "#db/connect.ts";
import type { Request, Response } from "./protocol.ts";

type Question = Request extends infer R ? (R extends Request ? Omit<R, "id"> : never) : never;

interface Pending {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  heard: ((piece: unknown) => void) | undefined;
}

/** This thread's end of the writer: questions out, answers in. */
export class WriterThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  #asked = 0;
  #dead: Error | null = null;
  #isClosing = false;

  constructor(file: string, { writer, clock, onFatal }: ConnectOptions) {
    this.#worker = new Worker(writer, { workerData: { file, clock } });
    this.#worker.on("message", (response: Response) => this.#hear(response));
    const died = (error: Error) => {
      if (this.#dead) return;
      this.#dead = error;
      for (const { reject } of this.#pending.values()) reject(error);
      this.#pending.clear();
      if (!this.#isClosing) onFatal(error);
    };
    this.#worker.on("error", died);
    // Whatever was still asked of it gets an answer: this.
    this.#worker.on("exit", () => died(new Error(this.#isClosing ? "the database was closed" : "the writer ended")));
  }

  ask(question: Question, heard?: (piece: unknown) => void): Promise<unknown> {
    if (this.#dead) return Promise.reject(this.#dead);
    return new Promise((resolve, reject) => {
      const id = ++this.#asked;
      this.#pending.set(id, { resolve, reject, heard });
      this.#worker.postMessage({ id, ...question });
    });
  }

  async close(): Promise<void> {
    if (this.#dead) return;
    this.#isClosing = true;
    await this.ask({ ask: "close" });
    await this.#worker.terminate();
  }

  #hear(response: Response): void {
    const pending = this.#pending.get(response.id);
    if (!pending) return;
    if ("piece" in response) return pending.heard?.(response.piece);
    this.#pending.delete(response.id);
    if ("answer" in response) return pending.resolve(response.answer);
    pending.reject(Object.assign(new Error(response.error.message), { code: response.error.code }));
  }
}
