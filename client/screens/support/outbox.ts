import { RefusedCall } from "#client/api/call-error.ts";
import { newIdempotencyKey } from "#client/api/idempotency-key.ts";
import { isLost } from "#client/machines/lost.ts";
import { readTabOfSession, sessionMark, writeTabOfSession } from "#client/storage/tab-storage.ts";

/** A message on its way. Its key stays with it, so that it arrives once however often it is sent. */
export interface Outgoing {
  key: string;
  text: string;
  /** A picture, which the tab cannot keep over a reload. */
  file?: File;
  /** It was sent, and may have arrived. */
  isUnsure?: boolean;
  /** Why the server took none of it. */
  refusal?: string | undefined;
}

interface State {
  all: readonly Outgoing[];
  /** The last attempt got no answer. */
  isHeld: boolean;
}

interface Parts {
  send: (one: Outgoing, signal: AbortSignal) => Promise<unknown>;
  /** Brings the sent message to the screen before it goes from here. */
  onSent: () => Promise<unknown>;
  /** A refusal in the member's language. */
  failure: (error: RefusedCall) => string;
  /** A random wait from 0 to so many ms. */
  jitter: (upToMs: number) => number;
}

const NAME = "support outgoing";
/** The wait before the first automatic retry, which doubles with each, and the longest one, in ms; plus random jitter. */
const FIRST_MS = 5_000;
const LONGEST_MS = 60_000;

const isOpen = ({ refusal }: Outgoing): boolean => refusal === undefined;

/**
 * What the member writes to the service, sent one after the other on whatever screen they are. What gets no answer is
 * tried again; the tab keeps its texts over a reload. All of it belongs to the session and is dropped with it.
 */
export class Outbox {
  readonly #parts: Parts;
  readonly #listeners = new Set<() => void>();
  #mark: string | null = null;
  #state: State = { all: [], isHeld: false };
  #sending: { key: string; leave: AbortController } | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  readonly now = (): State => this.#state;

  /** Calls `listener` with each change until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Drops what is another session's, and takes up what the tab kept of this one. */
  readonly follow = (): void => {
    if (this.#mark === sessionMark()) return;
    this.#mark = sessionMark();
    this.#stop();
    this.#set(readTabOfSession<Outgoing[]>(NAME) ?? [], false);
    this.goOn();
  };

  readonly add = (text: string, file?: File): void => {
    this.#set([...this.#state.all, { key: newIdempotencyKey(), text, ...(file && { file }) }]);
    this.#sendNext();
  };

  readonly drop = (key: string): void => {
    if (this.#sending?.key === key) this.#stop();
    this.#remove(key);
    this.#sendNext();
  };

  readonly retry = (key: string): void => {
    this.#change(key, { refusal: undefined });
    this.goOn();
  };

  /** Sends what waits: the connection or the server is back. */
  readonly goOn = (): void => {
    this.#tries = 0;
    this.#set(this.#state.all, false);
    this.#sendNext();
  };

  #sendNext(): void {
    this.follow();
    const one = this.#state.all.find(isOpen);
    if (!one || this.#sending) return;
    clearTimeout(this.#timer);
    this.#sending = { key: one.key, leave: new AbortController() };
    void this.#send(one, this.#sending.leave.signal);
  }

  async #send(one: Outgoing, signal: AbortSignal): Promise<void> {
    if (!one.isUnsure) this.#change(one.key, { isUnsure: true });
    let failed: unknown = null;
    try {
      await this.#parts.send(one, signal);
      await this.#parts.onSent();
    } catch (error) {
      failed = error;
    }
    if (signal.aborted) return;
    this.#sending = null;
    if (failed === null) this.#take(one.key);
    else if (failed instanceof RefusedCall && !isLost(failed, one.isUnsure === true)) this.#refuse(one.key, failed);
    else this.#hold();
  }

  #take(key: string): void {
    this.#remove(key);
    this.goOn();
  }

  #refuse(key: string, error: RefusedCall): void {
    this.#change(key, { refusal: this.#parts.failure(error), isUnsure: false });
    this.goOn();
  }

  /** What is tried again by itself still counts as held: the screen says something new once there is an answer. */
  #hold(): void {
    const wait = Math.min(LONGEST_MS, FIRST_MS * 2 ** this.#tries++);
    this.#timer = setTimeout(() => this.#sendNext(), wait + this.#parts.jitter(wait));
    this.#set(this.#state.all, true);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#sending?.leave.abort();
    this.#sending = null;
  }

  #remove(key: string): void {
    this.#set(this.#state.all.filter((one) => one.key !== key));
  }

  #change(key: string, changed: Partial<Outgoing>): void {
    this.#set(this.#state.all.map((one) => (one.key === key ? { ...one, ...changed } : one)));
  }

  #set(all: readonly Outgoing[], isHeld = this.#state.isHeld): void {
    // Another tab may have changed the session, and this one not heard of it yet.
    if (this.#mark !== sessionMark()) return this.follow();
    this.#state = { all, isHeld: isHeld && all.some(isOpen) };
    const texts = all.filter(({ file }) => file === undefined);
    writeTabOfSession(NAME, texts.length > 0 ? texts : null);
    for (const listener of this.#listeners) listener();
  }
}
