import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { DONE } from "#shared/contract/envelope.ts";
import { localeOf, namePacked, tagOf, type LocaleCode } from "#shared/locales.ts";
import { REFUSALS, type FieldError, type FieldErrors, type Refusal } from "#shared/refusal.ts";
import { Body, codingFor, type Coding } from "./compress.ts";

type Texts = Pick<Deps, "text">;

export const localeOfRequest = (request: FastifyRequest): LocaleCode => localeOf(request.headers.lang);

/** A cached answer: its JSON, and the envelopes around it once requested. */
export class Ready {
  readonly #json: string;
  readonly #bodies = new Map<string, Body>();

  constructor(value: unknown) {
    this.#json = JSON.stringify(value ?? null);
  }

  /** The whole answer of a success. */
  body(msg: string, plain: boolean): Body {
    const name = plain ? `json ${msg}` : msg;
    let body = this.#bodies.get(name);
    if (!body) this.#bodies.set(name, (body = new Body(envelope(DONE, msg, this.#json, plain))));
    return body;
  }
}

/**
 * Sends a successful answer. Those to GET are compressed; those to POST stay as they are: these open sessions and give
 * out codes, and the length of a compressed answer would tell of a secret that stands beside a caller's words (BREACH).
 * No other site can ask for a member's answers either: a session is a header, which a browser never adds by itself.
 */
export function sendDone(
  { text }: Texts,
  request: FastifyRequest,
  reply: FastifyReply,
  data: unknown,
): FastifyReply | Promise<FastifyReply> {
  const ready = data instanceof Ready ? data : new Ready(data);
  const body = ready.body(text(localeOfRequest(request), "done"), isPlain(request));
  setHeaders(reply, 200);
  if (request.method !== "GET" || !body.isLarge) return reply.send(body.text);
  reply.header("vary", "accept-encoding");
  const coding = codingFor(request.headers["accept-encoding"]);
  return coding ? sendCompressed(reply, body, coding) : reply.send(body.text);
}

async function sendCompressed(reply: FastifyReply, body: Body, coding: Coding): Promise<FastifyReply> {
  const bytes = await body.compressed(coding);
  return reply.header("content-encoding", coding).send(bytes);
}

/** Sends a refusal in the caller's language, with the fields or the reason as data. */
export function sendRefusal(texts: Texts, request: FastifyRequest, reply: FastifyReply, no: Refusal): FastifyReply {
  const { retryAfterS } = no.detail;
  // A refusal that invites a retry says when.
  if (retryAfterS !== undefined || REFUSALS[no.reason].code === 503)
    reply.header("retry-after", String(retryAfterS ?? 1));
  const { status, body } = envelopeOf(texts, localeOfRequest(request), isPlain(request), no);
  return setHeaders(reply, status).send(body);
}

/** A refusal's HTTP status and body. `plain`: data as JSON instead of base64. */
export function envelopeOf({ text }: Texts, locale: LocaleCode, plain: boolean, no: Refusal) {
  const { code, transport } = REFUSALS[no.reason] as { code: number; transport?: true };
  const { fields, feature, figures, text: ownText, retryAfterS: seconds = 0 } = no.detail;
  const values = { seconds, minutes: Math.ceil(seconds / 60) };
  const key = feature ? `refusal.feature.${feature}` : `refusal.${no.reason}`;
  const msg = ownText === undefined ? text(locale, key, values) : namePacked(ownText, locale);
  return { status: transport ? code : 200, body: envelope(code, msg, JSON.stringify(detailOf()), plain) };

  function detailOf(): unknown {
    if (code === 401) return null;
    if (code !== 400) return { reason: no.reason, ...figures };
    return { fields: fieldTexts({ text }, locale, fields) };
  }
}

/** Says of each refused field what is wrong, in the caller's language; a bound as that language writes numbers. */
export function fieldTexts({ text }: Texts, locale: LocaleCode, fields: FieldErrors = {}): Record<string, string> {
  const { format } = new Intl.NumberFormat(tagOf(locale));
  const textOf = (why: FieldError) => {
    if (typeof why === "string") return text(locale, `field.${why}`);
    const bounds = Object.entries(why.bounds).map(([name, bound]) => [name, format(bound)]);
    return text(locale, `field.${why.key}`, Object.fromEntries(bounds) as Record<string, string>);
  };
  return Object.fromEntries(Object.entries(fields).map(([name, why]) => [name, textOf(why)]));
}

const isPlain = (request: FastifyRequest) => request.headers["x-data-encoding"] === "json";

function envelope(code: number, msg: string, json: string, plain: boolean): string {
  const data = plain ? json : `"${Buffer.from(json).toString("base64")}"`;
  return `{"code":${code},"msg":${JSON.stringify(msg)},"data":${data}}`;
}

const setHeaders = (reply: FastifyReply, status: number): FastifyReply =>
  reply.code(status).header("content-type", "application/json; charset=utf-8").header("cache-control", "no-store");
