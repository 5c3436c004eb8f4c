import type { Emitter } from "mitt";
import { insertOf } from "#db/many.ts";
import type { Db, OutboxReader, OutboxRow } from "#db/db.ts";
import { outbox } from "#db/schema/outbox.ts";
import type { Clock } from "#shared/time.ts";
import { apart, currentRequest, inRequest } from "./log.ts";
import { RetryLog } from "./retry-log.ts";
import type { Deps, DomainEvents, OutboxEvents } from "./deps.ts";

/** The pause before an outbox row that is not visible yet is read again. */
const AGAIN_MS = 5;
/** How long a writer waits until this process has delivered its own event. */
const DELIVERY_WAIT_MS = 50;

const addRows = insertOf(outbox, (insert) => insert);

/** Writes events to the outbox in the effect's own transaction, each with the id of its request. */
export function announcer(clock: Clock): Deps["announce"] {
  return async (tx, topic, ...payloads) => {
    const requestId = currentRequest();
    const createdAt = clock.now();
    const noted = payloads.map((payload) => (requestId === undefined ? payload : { ...payload, requestId }));
    await addRows(
      tx,
      noted.map((payload) => ({ topic, payload, createdAt })),
    );
  };
}

/** Reads the outbox rows of every process, in order, and emits them on this process's bus. */
export class OutboxRelay {
  readonly #db: Db;
  readonly #bus: Emitter<DomainEvents>;
  readonly #log: Deps["log"];
  readonly #retryLog: RetryLog;
  #reader: OutboxReader | null = null;
  #reading: Promise<void> | null = null;
  #again = false;
  /** Since when news waits here, and none was read. */
  #waitingSince: number | null = null;

  constructor(db: Db, bus: Emitter<DomainEvents>, log: Deps["log"]) {
    this.#db = db;
    this.#bus = bus;
    this.#log = log;
    this.#retryLog = new RetryLog(log, "reading the outbox failed");
  }

  /** Begins with the next row; no connected client needs older ones. */
  async start(): Promise<void> {
    this.#reader = await this.#db.listen(
      () => void this.wake(),
      (text) => this.#bus.emit("process.mentioned", text),
    );
  }

  async stop(): Promise<void> {
    const reader = this.#reader;
    this.#reader = null;
    await reader?.stop();
    await this.#reading;
  }

  /** How long news has waited, in ms, while this process read none. */
  get ageMs(): number {
    return this.#waitingSince === null ? 0 : Math.max(0, this.#db.clock.now() - this.#waitingSince);
  }

  /** Reads the outbox at once, after a commit. */
  wake(): Promise<void> {
    this.#again = true;
    this.#waitingSince ??= this.#db.clock.now();
    this.#reading ??= apart(() => this.#drain()).finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  /** Like `wake`, but with a short timeout. */
  async delivered(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, DELIVERY_WAIT_MS);
    });
    await Promise.race([this.wake(), late]);
    clearTimeout(timer);
  }

  async #drain(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      try {
        await this.#read();
        this.#retryLog.recovered();
      } catch (error) {
        this.#retryLog.failed(error);
      }
    }
  }

  async #read(): Promise<void> {
    const reader = this.#reader;
    if (!reader) return;
    const from = this.#db.clock.now();
    const { rows, again } = await reader.read();
    // What wakes it meanwhile is not older.
    if (rows.length > 0 || !again) this.#waitingSince = again || this.#again ? from : null;
    for (const row of rows) this.#emit(row);
    this.#again ||= again;
    // The missing row appears as soon as another process's transaction ends.
    if (again && rows.length === 0) await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
  }

  /** Rows are not read again, so a failing listener must not keep other rows from being delivered. */
  #emit({ topic, payload }: OutboxRow): void {
    const { requestId, ...event } = payload as { requestId?: string };
    const emit = () => {
      try {
        this.#bus.emit(topic as keyof OutboxEvents, event as never);
      } catch (error) {
        this.#log.error({ err: error, topic }, "a listener failed");
      }
    };
    // What listeners do and log, on whichever server, is still the request's.
    if (requestId === undefined) emit();
    else inRequest(requestId, emit);
  }
}
