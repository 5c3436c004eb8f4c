import { io, type Socket } from "socket.io-client";
import * as z from "zod/mini";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { decodeData, DONE, type Ack } from "#shared/contract/envelope.ts";
import type { ClientEvents, ServerEvents } from "#shared/contract/events.ts";
import { lotteryInfo, type Lottery } from "#shared/contract/lottery.ts";
import { doRecharge } from "#shared/contract/payments.ts";
import { doLogin, doRegister } from "#shared/contract/session.ts";
import { headersOf } from "./call.ts";
import { INVITE } from "./server-process.ts";

export type Input = Record<string, string>;

export type Answer<T> =
  | { code: 200; data: T }
  | { code: number; data: { reason?: string; fields?: Record<string, string> } | null; msg: string; status: number };

/** Whether an answer is a success. */
export const isDone = <T>(answer: Answer<T>): answer is { code: 200; data: T } => answer.code === DONE;

export interface OpenRound {
  expect: string;
  commit: string;
  closeMs: number;
  drawMs: number;
}

/** A member's program on the real wire. It checks every answer against the contract. */
export class Client {
  readonly address: string;
  token: string | undefined;

  constructor(address: string, token?: string) {
    this.address = address;
    this.token = token;
  }

  /** Registers with the story's invite. */
  async register(username: string): Promise<Client> {
    const { token } = await this.must(doRegister, { username, password: `${username} says`, code: INVITE });
    return new Client(this.address, token);
  }

  /** Logs in a member who registered so. */
  async logIn(username: string): Promise<Client> {
    const { token } = await this.must(doLogin, { username, password: `${username} says` });
    return new Client(this.address, token);
  }

  /** Returns whatever the server answers; rejects when there is no answer. */
  async ask<I extends z.ZodMiniType, R extends z.ZodMiniType>(
    { methods, path, reply }: Endpoint<I, R>,
    input: Input = {},
    key?: string,
  ): Promise<Answer<z.output<R>>> {
    const method = methods.includes("POST") ? "POST" : "GET";
    const form = new URLSearchParams(input).toString();
    const options = { ...(this.token && { token: this.token }), ...(key && { key }), lang: "en_us" };
    const response = await fetch(`${this.address}/api${path}${method === "GET" && form ? `?${form}` : ""}`, {
      method,
      headers: headersOf(options, method),
      ...(method === "POST" && { body: form }),
      signal: AbortSignal.timeout(20_000),
    });
    const envelope = (await response.json()) as { code: number; data: string; msg: string };
    const data = decodeData(envelope.data);
    if (envelope.code === DONE) return { code: DONE, data: z.parse(reply, data) };
    return {
      code: envelope.code,
      data: data as { reason?: string } | null,
      msg: envelope.msg,
      status: response.status,
    };
  }

  /** Returns the data of a success; throws on a refusal. */
  async must<I extends z.ZodMiniType, R extends z.ZodMiniType>(
    endpoint: Endpoint<I, R>,
    input?: Input,
    key?: string,
  ): Promise<z.output<R>> {
    const answer = await this.ask(endpoint, input, key);
    if (!isDone(answer)) throw new Error(`${endpoint.path}: ${answer.code} ${JSON.stringify(answer.data)}`);
    return answer.data;
  }

  /** Orders a top-up and pays it on its page. Returns the order number. */
  async topUp(units: number): Promise<string> {
    const { pay_url, order } = await this.must(doRecharge, { pay_way: "sandbox", money: String(units) });
    await pay(pay_url);
    return order;
  }

  /** Waits for a round with at least `leftMs` of betting time left. */
  async openRound(key: string, leftMs = 0): Promise<OpenRound> {
    for (;;) {
      const { state, next_expect, commit, close_ms, draw_ms, server_now_ms } = await this.must(lotteryInfo, { key });
      const left = (close_ms ?? 0) - server_now_ms;
      if (state === "open" && left > leftMs) {
        return { expect: next_expect!, commit: commit!, closeMs: close_ms!, drawMs: draw_ms! };
      }
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  connect(): TestSocket {
    return new TestSocket(this.address, this.token);
  }
}

/** Taps Pay on the sandbox's page. Resolves once the server has handled the notification. */
export async function pay(payUrl: string): Promise<void> {
  if (!(await payIfThere(payUrl))) throw new Error("there is no such order");
}

/** Pays, too. Returns whether there is such an order. */
export async function payIfThere(payUrl: string): Promise<boolean> {
  const response = await fetch(`${payUrl}/pay`, {
    method: "POST",
    redirect: "manual",
    signal: AbortSignal.timeout(20_000),
  });
  await response.arrayBuffer();
  if (response.status === 404) return false;
  if (response.status !== 303) throw new Error(`the page answered ${response.status}`);
  return true;
}

type PayloadOf<E extends keyof ServerEvents> = Parameters<ServerEvents[E]>[0];

/** A socket that records every event, so that a test may wait for one that already came. */
export class TestSocket {
  readonly socket: Socket<ServerEvents, ClientEvents>;
  readonly received: { event: string; payload: unknown }[] = [];
  #look: (() => void)[] = [];

  constructor(address: string, token?: string) {
    this.socket = io(address, {
      transports: ["websocket"],
      forceNew: true,
      auth: { lang: "en_us", ...(token && { token }) },
      reconnectionDelay: 50,
      reconnectionDelayMax: 100,
    });
    this.socket.onAny((event: string, payload: unknown) => this.#record(event, payload));
    this.socket.on("connect", () => this.#record("connect", this.socket.id));
    this.socket.on("disconnect", (reason) => this.#record("disconnect", reason));
  }

  /** The first `event` that fits, past or future. */
  async until<E extends keyof ServerEvents | "connect" | "disconnect">(
    event: E,
    fits: (payload: E extends keyof ServerEvents ? PayloadOf<E> : string) => boolean = () => true,
    patienceMs = 30_000,
  ): Promise<E extends keyof ServerEvents ? PayloadOf<E> : string> {
    const deadline = Date.now() + patienceMs;
    for (;;) {
      const found = this.all(event).find(fits);
      if (found !== undefined) return found;
      if (Date.now() > deadline)
        throw new Error(`no ${event} came; received ${this.received.map((one) => one.event).join()}`);
      await new Promise<void>((resolve) => {
        this.#look.push(resolve);
        setTimeout(resolve, 500).unref();
      });
    }
  }

  all<E extends keyof ServerEvents | "connect" | "disconnect">(event: E) {
    type Payload = E extends keyof ServerEvents ? PayloadOf<E> : string;
    return this.received.filter((one) => one.event === event).map(({ payload }) => payload as Payload);
  }

  async watch(key: string): Promise<Lottery> {
    const { code, data } = (await this.socket.timeout(20_000).emitWithAck("lottery:watch", key)) as Ack<Lottery>;
    if (code !== DONE || !data) throw new Error(`lottery:watch was answered ${code}`);
    return data;
  }

  close(): void {
    this.socket.close();
  }

  #record(event: string, payload: unknown): void {
    this.received.push({ event, payload });
    const looking = this.#look;
    this.#look = [];
    for (const look of looking) look();
  }
}

/** The time in ms since the epoch, to the microsecond: as the machine's clock tells other processes. */
export const nowMs = (): number => performance.timeOrigin + performance.now();

/** Retries a check until it passes. */
export async function eventually<T>(check: () => Promise<T>, patienceMs = 30_000): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
