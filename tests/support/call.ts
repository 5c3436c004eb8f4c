import type { FastifyInstance } from "fastify";
import { decodeData } from "#shared/contract/envelope.ts";
import { injectTold } from "./api-document.ts";
import { multipartOf, type Field } from "./multipart.ts";

export interface CallOptions {
  token?: string;
  lang?: string;
  key?: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
}

export interface Reply {
  status: number;
  code: number;
  msg: string;
  // What a test reads of an answer is checked by its expectations.
  // oxlint-disable-next-line typescript/no-explicit-any
  data: any;
  headers: Record<string, unknown>;
}

/**
 * Sends a request like a client: form-encoded for POST, or multipart where the input has a file. With input and no
 * method, it is a POST. Fails on an answer that the API's document does not tell.
 */
export async function call(
  app: FastifyInstance,
  path: string,
  input?: Record<string, Field>,
  options: CallOptions = {},
): Promise<Reply> {
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
  return { status: response.statusCode, code, msg, data: decodeData(data), headers: response.headers };
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
