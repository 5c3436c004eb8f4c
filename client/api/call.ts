import type * as z from "zod/mini";
import { languageNow } from "#client/text/i18n.ts";
import { DONE, KICKED, REQUEST_ID, type Envelope } from "#shared/contract/envelope.ts";
import type { AnyEndpoint, ReplyOf } from "#shared/contract/endpoint.ts";
import { bus } from "./bus.ts";
import { headersOf, takeBegun } from "./early.ts";
import { LostCall, RefusedCall, type Answer } from "./call-error.ts";
import { serverTime } from "./server-time.ts";
import { readStored } from "#client/storage/local-storage.ts";

/** A call's timeout, as the specification sets it. */
const PATIENCE_MS = 30_000;

/** A call's input as text; undefined fields are left out. */
export type InputFor<E extends AnyEndpoint> = {
  [K in keyof z.input<E["input"]>]: z.input<E["input"]>[K] | undefined;
};

export interface CallOptions {
  /** The idempotency key: two calls with one key take effect once. */
  key?: string;
  signal?: AbortSignal;
}

/** Calls the server. Throws RefusedCall when it refuses and LostCall when no reply came. */
export async function call<E extends AnyEndpoint>(
  { methods, path }: E,
  input: Partial<InputFor<E>> = {},
  { key, signal }: CallOptions = {},
): Promise<ReplyOf<E>> {
  const method = methods.includes("POST") ? "POST" : "GET";
  const form = new URLSearchParams();
  // Every input is text or a number, which the endpoint's own type does not show here.
  for (const [name, value] of Object.entries(input as Record<string, string | number | undefined>))
    if (value !== undefined) form.set(name, String(value));
  const isGet = method === "GET";
  const query = isGet && form.size > 0 ? `?${form}` : "";
  const patience = AbortSignal.timeout(PATIENCE_MS);
  const token = readStored("token");
  const request = {
    method,
    headers: { ...headers(token), ...(key ? { "idempotency-key": key } : {}) },
    signal: signal ? AbortSignal.any([signal, patience]) : patience,
    ...(isGet ? {} : { body: form }),
  };
  return take<E>(await ask(`/api${path}${query}`, request, signal), token);
}

/** Returns a reply's data or throws its refusal. `token` is the session that asked. */
export function take<E extends AnyEndpoint>(answer: Answer, token: string | null): ReplyOf<E> {
  updateServerTime(answer.data);
  if (answer.code === DONE) return answer.data as ReplyOf<E>;
  const isOver = answer.code === 401 || answer.code === KICKED;
  // A late reply to an earlier session says nothing about this one.
  if (isOver && token === readStored("token")) bus.emit("refused", { code: answer.code, msg: answer.msg });
  throw new RefusedCall(answer);
}

/** The request headers. Another tab may have changed the stored language; this tab keeps its own. */
export const headers = (token: string | null): Record<string, string> => headersOf(token, languageNow());

type Request = RequestInit & { headers: Record<string, string> };

async function ask(url: string, request: Request, signal: AbortSignal | undefined): Promise<Answer> {
  let reference: string | null = null;
  try {
    const response = await (takeBegun(url, request.headers) ?? fetch(url, request));
    reference = response.headers.get(REQUEST_ID);
    const retryAfterS = Number(response.headers.get("retry-after")) || undefined;
    return { ...openEnvelope(await response.json()), reference, retryAfterS };
  } catch (error) {
    // An aborted call is not a lost connection.
    if (signal?.aborted) throw error;
    throw new LostCall("no answer", { cause: error, reference });
  }
}

/** Reads an envelope. Throws at anything else. */
export function openEnvelope(envelope: unknown): Envelope {
  const { code, msg, data } = envelope as Partial<Envelope>;
  if (typeof code !== "number" || typeof msg !== "string" || data === undefined) throw new TypeError("no envelope");
  return { code, msg, data };
}

/** Feeds the server's clock from replies that carry it. */
function updateServerTime(data: unknown): void {
  const first: unknown = Array.isArray(data) ? data[0] : data;
  if (typeof first !== "object" || first === null || !("server_now_ms" in first)) return;
  serverTime.update(Number(first.server_now_ms));
}
