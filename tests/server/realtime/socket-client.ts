import { io, type Socket } from "socket.io-client";
import type { Ack } from "#shared/contract/envelope.ts";
import type { ClientEvents, ServerEvents } from "#shared/contract/events.ts";
import type { Lottery } from "#shared/contract/lottery.ts";
import type { LocaleCode } from "#shared/locales.ts";

const PATIENCE_MS = 20_000;

type ReceivedEvents = ServerEvents & { disconnect: (reason: string) => void };
type Payload<E extends keyof ReceivedEvents> = Parameters<ReceivedEvents[E]>[0];

interface Wanted {
  token?: unknown;
  tokensso?: unknown;
  lang?: LocaleCode | "xx_xx";
  headers?: Record<string, string>;
  transport?: "websocket" | "polling";
}

/** A client's socket that records its events in order. */
export class SocketClient {
  readonly socket: Socket<ServerEvents, ClientEvents>;
  readonly received: { event: string; payload: unknown }[] = [];
  #waiting: (() => void)[] = [];

  constructor(
    address: string,
    { token, tokensso, lang = "en_us", headers = {}, transport = "websocket" }: Wanted = {},
  ) {
    this.socket = io(address, {
      transports: [transport],
      forceNew: true,
      reconnection: false,
      auth: { lang, ...(token !== undefined && { token }), ...(tokensso !== undefined && { tokensso }) },
      extraHeaders: headers,
    });
    this.socket.onAny((event: string, payload: unknown) => this.#record(event, payload));
    this.socket.on("disconnect", (reason) => this.#record("disconnect", reason));
  }

  /** Resolves once the server has accepted the connection. */
  async in(): Promise<this> {
    await this.next("hello");
    return this;
  }

  /** The error with which the server refused it. */
  refusal(): Promise<Error & { data?: { code: number; msg: string; retry_after_s?: number } }> {
    return new Promise((resolve, reject) => {
      this.socket.once("connect_error", resolve);
      this.socket.once("connect", () => reject(new Error("it was let in")));
    });
  }

  /** The first `event` that fits, past or future. */
  async next<E extends keyof ReceivedEvents>(
    event: E,
    fits: (payload: Payload<E>) => boolean = () => true,
  ): Promise<Payload<E>> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = this.all(event).find(fits);
      if (found !== undefined) return found;
      if (Date.now() > deadline)
        throw new Error(`no ${event}; received ${this.received.map(({ event }) => event).join()}`);
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
        setTimeout(resolve, 1_000).unref();
      });
    }
  }

  all<E extends keyof ReceivedEvents>(event: E): Payload<E>[] {
    return this.received.filter((one) => one.event === event).map(({ payload }) => payload as Payload<E>);
  }

  ask(event: "lottery:watch", ...given: unknown[]): Promise<Ack<Lottery>> {
    const socket = this.socket.timeout(PATIENCE_MS) as unknown as {
      emitWithAck(event: string, ...given: unknown[]): Promise<Ack<Lottery>>;
    };
    return socket.emitWithAck(event, ...given);
  }

  watch(key: string): Promise<Ack<Lottery>> {
    return this.ask("lottery:watch", key);
  }

  /** Resolves when everything that the server sent before has arrived. */
  async drained(): Promise<void> {
    await this.watch("no-such-game");
  }

  #record(event: string, payload: unknown): void {
    this.received.push({ event, payload });
    for (const look of this.#waiting.splice(0)) look();
  }
}

/** Sockets on a server that are closed with it. */
export class SocketClients {
  readonly #address: string;
  readonly #all: SocketClient[] = [];

  constructor(address: string) {
    this.#address = address;
  }

  /** A socket that the server has accepted. */
  open(wanted?: Wanted): Promise<SocketClient> {
    return this.try(wanted).in();
  }

  try(wanted?: Wanted): SocketClient {
    const client = new SocketClient(this.#address, wanted);
    this.#all.push(client);
    return client;
  }

  close(): void {
    for (const { socket } of this.#all.splice(0)) socket.close();
  }
}
