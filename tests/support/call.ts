import type { FastifyInstance } from "fastify";
import { decodeData, DONE } from "#shared/contract/envelope.ts";
import type { AnyEndpoint, ReplyOf } from "#shared/contract/endpoint.ts";
import type * as exported from "#shared/contract/export.ts";
import type * as fair from "#shared/contract/fair.ts";
import type * as listing from "#shared/contract/listing.ts";
import type * as log from "#shared/contract/log.ts";
import type * as lottery from "#shared/contract/lottery.ts";
import type * as member from "#shared/contract/member.ts";
import type * as passkeys from "#shared/contract/passkeys.ts";
import type * as payments from "#shared/contract/payments.ts";
import type * as push from "#shared/contract/push.ts";
import type * as security from "#shared/contract/security.ts";
import type * as support from "#shared/contract/support.ts";
import type * as session from "#shared/contract/session.ts";
import type * as site from "#shared/contract/site.ts";
import type * as video from "#shared/contract/video.ts";
import type * as wallet from "#shared/contract/wallet.ts";
import type * as wheel from "#shared/contract/wheel.ts";
import type * as withdrawals from "#shared/contract/withdrawals.ts";
import { injectTold } from "./api-document.ts";
import { multipartOf, type Field } from "./multipart.ts";

export type Method = "GET" | "POST";

export interface CallOptions<M extends Method = Method> {
  token?: string;
  lang?: string;
  key?: string;
  method?: M;
  headers?: Record<string, string>;
}

interface Refusal {
  reason?: string;
  /** The fields that do not fit, and why. */
  fields?: Record<string, string>;
}

export interface Reply<D = unknown> extends Refusal {
  status: number;
  code: number;
  msg: string;
  /** The contract's reply. Only of a call that is done: a refusal's data is what `reason` or `fields` says. */
  data: D;
  headers: Record<string, unknown>;
}

type Contract =
  | typeof exported
  | typeof fair
  | typeof listing
  | typeof log
  | typeof lottery
  | typeof member
  | typeof passkeys
  | typeof payments
  | typeof push
  | typeof security
  | typeof support
  | typeof session
  | typeof site
  | typeof video
  | typeof wallet
  | typeof wheel
  | typeof withdrawals;
type EndpointIn<M> = M extends unknown ? Extract<M[keyof M], AnyEndpoint> : never;
type Replies = { [E in EndpointIn<Contract> as `${E["methods"][number]} ${E["path"]}`]: ReplyOf<E> };

/** What the contract replies to this method of this path; unknown for a path that it does not name. */
export type DataOf<P extends string, M extends string> = `${M} ${P}` extends keyof Replies
  ? Replies[`${M} ${P}`]
  : unknown;

type Input = Record<string, Field> | undefined;
type MethodFor<I extends Input> = I extends undefined ? "GET" : "POST";

export type Call = <P extends string, I extends Input = undefined, M extends Method = MethodFor<I>>(
  path: P,
  input?: I,
  options?: CallOptions<M>,
) => Promise<Reply<DataOf<P, M>>>;

/**
 * Sends a request like a client: form-encoded for POST, or multipart where the input has a file. With input and no
 * method, it is a POST. Fails on an answer that the API's document does not tell.
 */
export async function call<P extends string, I extends Input = undefined, M extends Method = MethodFor<I>>(
  app: FastifyInstance,
  path: P,
  input?: I,
  options: CallOptions<M> = {},
): Promise<Reply<DataOf<P, M>>> {
  const method = options.method ?? (input ? "POST" : "GET");
  const hasFile = Object.values(input ?? {}).some((value) => typeof value !== "string");
  const sent = hasFile ? await multipartOf(Object.entries(input!)) : null;
  const form = sent ? "" : new URLSearchParams(input as Record<string, string>).toString();
  const url = `/api${path}${method === "GET" && form ? `?${form}` : ""}`;
  const response = await injectTold(app, {
    method,
    url,
    headers: { ...headersOf(options, method), ...(sent && { "content-type": sent.type }) },
    ...(method === "POST" && { payload: sent?.payload ?? form }),
  });
  const { code, msg, data } = response.json<{ code: number; msg: string; data: string }>();
  return {
    status: response.statusCode,
    ...readReply<DataOf<P, M>>(code, msg, decodeData(data)),
    headers: response.headers,
  };
}

/** Reads an envelope that the API's document allows, which is made from the contract. */
export function readReply<D>(code: number, msg: string, data: unknown): Omit<Reply<D>, "status" | "headers"> {
  return { code, msg, data: data as D, ...(code !== DONE && (data as Refusal | null)) };
}

export function headersOf({ token, lang, key, headers }: CallOptions, method: string): Record<string, string> {
  return {
    ...(method === "POST" && { "content-type": "application/x-www-form-urlencoded" }),
    ...(token !== undefined && { token: Buffer.from(token).toString("base64") }),
    ...(lang !== undefined && { lang }),
    ...(key !== undefined && { "idempotency-key": key }),
    ...headers,
  };
}
