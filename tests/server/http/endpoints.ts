import { readdirSync } from "node:fs";
import { onTestFinished, vi } from "vitest";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import { decodeData } from "#shared/contract/envelope.ts";
import { tagOf, type LocaleCode } from "#shared/locales.ts";
import { injectTold } from "../../support/api-document.ts";
import { readReply, type DataOf, type Reply } from "../../support/call.ts";
import { readTree } from "../../support/locale-texts.ts";
import type { World } from "../../support/world.ts";

const CONTRACT = new URL("../../../shared/contract/", import.meta.url);

const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === "object" && value !== null && "methods" in value && "path" in value && "reply" in value;

/** Every endpoint that the contract exports. */
export async function everyEndpoint(): Promise<AnyEndpoint[]> {
  const files = readdirSync(CONTRACT).filter((file) => file.endsWith(".ts"));
  const modules = await Promise.all(files.map((file) => import(new URL(file, CONTRACT).href) as Promise<object>));
  return modules.flatMap((module) => Object.values(module).filter(isEndpoint));
}

export const nameOf = ({ methods, path }: AnyEndpoint): string => `${methods.join("/")} ${path}`;

export const methodOf = ({ methods }: AnyEndpoint): "GET" | "POST" => (methods.includes("POST") ? "POST" : "GET");

/** The names of an endpoint's fields. */
export const fieldsOf = ({ input }: AnyEndpoint): string[] =>
  Object.keys((input as unknown as { shape: Record<string, unknown> }).shape);

/** Stops the process's clock until the test ends, so that requests fall into one window however long they take. */
export function stopClock(): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
}

export interface Request<P extends string = string, M extends string = string> {
  /** POST, where it is not given. */
  method?: M;
  /** Below `/api`. */
  path: P;
  payload?: string | Buffer;
  type?: string;
  token?: string | undefined;
  lang?: LocaleCode;
  key?: string;
  remoteAddress?: string;
  headers?: Record<string, string>;
}

/** A reply and its raw text. */
export interface Raw<D = unknown> extends Reply<D> {
  text: string;
}

export const FORM = "application/x-www-form-urlencoded";
export const JSON_TYPE = "application/json";

/** Sends exactly this request. Fails on an answer that the API's document does not tell. */
export async function send<P extends string, M extends string = "POST">(
  w: World,
  request: Request<P, M>,
): Promise<Raw<DataOf<P, M>>> {
  const { method = "POST", path, payload, type = FORM, token, lang, key, remoteAddress, headers } = request;
  const response = await injectTold(w.site.app, {
    method,
    url: `/api${path}`,
    ...(payload !== undefined && { payload }),
    ...(remoteAddress !== undefined && { remoteAddress }),
    headers: {
      ...(payload !== undefined && { "content-type": type }),
      ...(token !== undefined && { token: Buffer.from(token).toString("base64") }),
      ...(lang !== undefined && { lang }),
      ...(key !== undefined && { "idempotency-key": key }),
      ...headers,
    },
  });
  const { code, msg, data } = response.json<{ code: number; msg: string; data: string }>();
  const value = headers?.["x-data-encoding"] === "json" ? data : decodeData(data);
  const reply = readReply<DataOf<P, M>>(code, msg, value);
  return { status: response.statusCode, ...reply, text: response.body, headers: response.headers };
}

interface Messages {
  done: string;
  refusal: Record<string, Record<string, string>>;
  field: Record<string, string>;
}

/** The texts of a language, as a reader of it is answered. */
export function messagesOf(locale: LocaleCode): Messages {
  return readTree(tagOf(locale)) as unknown as Messages;
}

/** Whether a reason is one of a language's texts of fields, with any bounds in their places. */
export const isFieldText = (lang: LocaleCode, reason: string): boolean =>
  Object.values(messagesOf(lang).field).some((text) => isWorded(text, reason));

function isWorded(text: string, reason: string): boolean {
  const [first, ...rest] = text.split(/\{\{\w+\}\}/) as [string, ...string[]];
  let at = reason.startsWith(first) ? first.length : -1;
  for (const part of rest) {
    const next = part === "" ? reason.length : reason.indexOf(part, at);
    at = at < 0 || next < 0 ? -1 : next + part.length;
  }
  return at === reason.length && !/[{}]/.test(reason);
}
