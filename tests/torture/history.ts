import type * as z from "zod/mini";
import type { Endpoint } from "#shared/contract/endpoint.ts";
import { Client, isDone, nowMs, type Answer, type Input } from "../support/client.ts";
import { headersOf } from "../support/call.ts";
import { multipartOf } from "../support/multipart.ts";
import { decodeData, DONE } from "#shared/contract/envelope.ts";

/** One request: who asked for what and when, and what came back when. `answer` is null where nothing came back. */
export interface Asked {
  member: number;
  path: string;
  key: string | null;
  input: Input;
  fromMs: number;
  toMs: number;
  answer: Answer<unknown> | null;
}

/** All that members asked and were told. */
export class History {
  readonly asked: Asked[] = [];

  /** When something was asked for first, and when it was answered: under its key it may have been done at once. */
  spanOf({ member, key, fromMs, toMs }: Asked): { fromMs: number; toMs: number } {
    const tries = this.asked.filter((one) => key !== null && one.key === key && one.member === member);
    return { fromMs: Math.min(fromMs, ...tries.map((one) => one.fromMs)), toMs };
  }

  /** The first success of each key, in the order of asking. */
  done<R>({ path }: { path: string }): (Asked & { answer: { code: 200; data: R } })[] {
    const seen = new Set<string>();
    return this.asked.filter((one, i): one is Asked & { answer: { code: 200; data: R } } => {
      const name = `${one.member} ${one.key ?? i}`;
      if (one.path !== path || !one.answer || !isDone(one.answer) || seen.has(name)) return false;
      seen.add(name);
      return true;
    });
  }
}

/** What an answer says whose session is over. */
const LOGGED_OUT = 401;
/** A server whose clock is a year ahead ends each session that another one opens. */
const MOST_LOG_INS = 10;

/** A member's program that writes down all that it asks and is told. Where it was logged out, it logs in and asks again. */
export class RecordingClient extends Client {
  readonly member: number;
  readonly #history: History;
  readonly #logIn: () => Promise<Client>;
  #loggingIn: Promise<void> | null = null;

  constructor({ address, token }: Client, member: number, history: History, logIn: () => Promise<Client>) {
    super(address, token);
    this.member = member;
    this.#history = history;
    this.#logIn = logIn;
  }

  override ask<I extends z.ZodMiniType, R extends z.ZodMiniType>(
    endpoint: Endpoint<I, R>,
    input: Input = {},
    key?: string,
  ): Promise<Answer<z.output<R>>> {
    return this.#record(endpoint.path, input, key, () => super.ask(endpoint, input, key));
  }

  /** Sends a file. Resolves with its path. */
  upload({ path }: { path: string }, file: File, key: string): Promise<Answer<string>> {
    return this.#record(path, {}, key, async () => {
      const { payload, type } = await multipartOf([["file", file]]);
      const headers = headersOf({ token: this.token!, key }, "GET");
      const response = await fetch(`${this.address}/api${path}`, {
        method: "POST",
        headers: { ...headers, "content-type": type },
        body: new Uint8Array(payload),
        signal: AbortSignal.timeout(20_000),
      });
      const { code, data, msg } = (await response.json()) as { code: number; data: string; msg: string };
      const decoded: unknown = decodeData(data);
      if (code === DONE) return { code, data: String(decoded) };
      return { code, data: decoded as { reason?: string } | null, msg, status: response.status };
    });
  }

  async #record<T>(path: string, input: Input, key: string | undefined, ask: () => Promise<Answer<T>>) {
    for (let times = 0; ; times++) {
      const { token } = this;
      const answer = await this.#recordOnce(path, input, key, ask);
      if (answer.code !== LOGGED_OUT || times === MOST_LOG_INS) return answer;
      await this.#renew(token);
    }
  }

  /** Logs in, once for all that were asked with the same session. */
  async #renew(token: string | undefined): Promise<void> {
    if (token !== this.token) return;
    this.#loggingIn ??= this.#logIn()
      .then((client) => void (this.token = client.token))
      .finally(() => (this.#loggingIn = null));
    await this.#loggingIn;
  }

  async #recordOnce<T>(path: string, input: Input, key: string | undefined, ask: () => Promise<Answer<T>>) {
    const asked: Asked = {
      member: this.member,
      path,
      key: key ?? null,
      input,
      fromMs: nowMs(),
      toMs: Infinity,
      answer: null,
    };
    this.#history.asked.push(asked);
    const answer = await ask();
    asked.answer = answer;
    asked.toMs = nowMs();
    return answer;
  }
}
