import { Worker } from "node:worker_threads";
import { DatabaseAway } from "#db/away.ts";
import type { ConnectOptions } from "#db/db.ts";
import {
  received,
  type PortableError,
  type Request,
  type Response,
  type WriterData,
  type WriterHandle,
} from "./protocol.ts";
import { awayReasonOf } from "./disk-errors.ts";

type NewRequest = Request extends infer R ? (R extends Request ? Omit<R, "id"> : never) : never;

/** What runs transactions only. */
const MAIN = new URL("./writer-main.ts", import.meta.url);

interface Pending {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  onPiece: ((piece: unknown) => void) | undefined;
}

interface WriterListener {
  /** A failure that no response carries, such as the end of a writer. */
  onFailure(error: Error): void;
  /** Before a response reaches whoever waits for it. */
  onResponse(): void;
}

/**
 * The main thread's side of the writer thread: sends requests and receives responses. A writer whose disk failed ends,
 * and `probe` starts another one. A writer that ends by a bug, or because the file is damaged, is fatal.
 */
export class WriterThread {
  readonly #file: string;
  readonly #options: ConnectOptions;
  readonly #listener: WriterListener;
  readonly #pending = new Map<number, Pending>();
  #worker: WriterHandle | null = null;
  #ready: PromiseWithResolvers<void> | null = null;
  #lastId = 0;
  /** Why no request can be sent now. */
  #ended: Error | null = null;
  #isFatal = false;
  #isClosing = false;

  constructor(file: string, options: ConnectOptions, listener: WriterListener) {
    this.#file = file;
    this.#options = options;
    this.#listener = listener;
    if (!options.mayOnlyRead) this.#begin();
  }

  /** Starts the first writer. Requests wait for it, and learn of its failure. */
  #begin(): void {
    void this.#start(false).catch(() => {});
  }

  send(question: NewRequest, onPiece?: (piece: unknown) => void): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    if (!this.#worker) this.#begin();
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#pending.set(id, { resolve, reject, onPiece });
      this.#worker!.postMessage({ id, ...question });
    });
  }

  /** Commits a tiny write, with a new writer if the last one ended. `isDoubted`: the whole file is checked first. */
  async probe(isDoubted: boolean): Promise<void> {
    if (!this.#worker && !this.#isFatal) return this.#start(isDoubted);
    await this.send({ ask: "probe", isDoubted });
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    if (!this.#worker) return;
    // A writer that cannot start is just terminated.
    await this.send({ ask: "close" }).catch(() => {});
    await this.#worker?.terminate();
  }

  /** Resolves when the new writer has committed its first write. */
  #start(isDoubted: boolean): Promise<void> {
    const { clock, writer = MAIN, startWriter } = this.#options;
    const data: WriterData = { file: this.#file, isDoubted, clock };
    const worker: WriterHandle = startWriter ? startWriter(data) : new Worker(writer, { workerData: data });
    this.#worker = worker;
    this.#ended = null;
    this.#ready = Promise.withResolvers();
    worker.on("message", (response: Response) => {
      if (worker === this.#worker) this.#handle(response);
    });
    const die = (error: Error) => {
      if (worker === this.#worker) this.#die(error);
    };
    worker.on("error", die);
    // Requests without a response fail with this.
    worker.on("exit", () => die(new Error(this.#isClosing ? "the database was closed" : "the writer ended")));
    return this.#ready.promise;
  }

  #handle(response: Response): void {
    this.#listener.onResponse();
    if ("ready" in response) return this.#ready?.resolve();
    if ("failed" in response) return this.#listener.onFailure(received(response.failed));
    if ("ended" in response) return this.#lose(response.ended);
    const pending = this.#pending.get(response.id);
    if (!pending) return;
    if ("piece" in response) return pending.onPiece?.(response.piece);
    this.#pending.delete(response.id);
    if ("answer" in response) return pending.resolve(response.answer);
    pending.reject(received(response.error));
  }

  /** The writer's disk failed. Requests without a response are not done. */
  #lose(why: PortableError): void {
    const cause = received(why);
    this.#leave(new DatabaseAway(awayReasonOf(cause, this.#file) ?? "failing", { cause }), cause);
    this.#listener.onFailure(cause);
  }

  #die(error: Error): void {
    this.#isFatal = true;
    this.#leave(error, error);
    if (!this.#isClosing) this.#options.onFatal(error);
  }

  #leave(error: Error, cause: Error): void {
    this.#worker = null;
    this.#ended = error;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
    this.#ready?.reject(cause);
  }
}
