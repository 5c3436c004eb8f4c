import { asc, gt, lt, max } from "drizzle-orm";
import type { Emitter } from "mitt";
import { given } from "#db/columns.ts";
import type { Db, Tx } from "#db/connect.ts";
import { outbox } from "#db/schema/outbox.ts";
import { HOUR_MS, type Clock } from "#shared/time.ts";
import type { Deps, DomainEvents, OutboxEvents } from "./deps.ts";

/** How often the database is asked whether another process has committed something. */
const LOOK_EVERY_MS = 50;
const KEPT_MS = HOUR_MS;

/** Writes what happened in the effect's own transaction. */
export function announcer(clock: Clock): Deps["announce"] {
  return async (tx, topic, payload) => {
    await tx.insert(outbox).values({ topic, payload, createdAt: clock.now() });
  };
}

/** Reads what any process announced, in order, and lets this one hear it. */
export class OutboxPump {
  readonly #db: Db;
  readonly #bus: Emitter<DomainEvents>;
  readonly #fail: (error: unknown) => void;
  readonly #news;
  #last = 0;
  #stamp = -1;
  #reading: Promise<void> | null = null;
  #again = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db, bus: Emitter<DomainEvents>, fail: (error: unknown) => void) {
    this.#db = db;
    this.#bus = bus;
    this.#fail = fail;
    this.#news = db.read
      .select()
      .from(outbox)
      .where(gt(outbox.id, given("last")))
      .orderBy(asc(outbox.id))
      .prepare();
  }

  /** From now on; what was said before concerns nobody who is connected. */
  async start(): Promise<void> {
    const [{ last } = { last: null }] = await this.#db.read.select({ last: max(outbox.id) }).from(outbox);
    this.#last = last ?? 0;
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Something was committed here; reads it at once. */
  wake(): Promise<void> {
    this.#again = true;
    this.#reading ??= this.#drain().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  #look(): void {
    try {
      const stamp = this.#db.stamp();
      if (stamp !== this.#stamp) void this.wake();
      this.#stamp = stamp;
    } catch (error) {
      this.#fail(error);
    }
  }

  async #drain(): Promise<void> {
    while (this.#again) {
      this.#again = false;
      try {
        await this.#read();
      } catch (error) {
        this.#fail(error);
      }
    }
  }

  async #read(): Promise<void> {
    const rows = await this.#news.all({ last: this.#last });
    for (const { id, topic, payload } of rows) {
      this.#last = id;
      this.#bus.emit(topic as keyof OutboxEvents, payload as never);
    }
  }
}

/** Forgets what every process has long heard. */
export async function pruneOutbox(tx: Tx, now: number): Promise<void> {
  await tx.delete(outbox).where(lt(outbox.createdAt, now - KEPT_MS));
}
