import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { DONE } from "#shared/contract/envelope.ts";
import { localeOf, readPacked, type LocaleCode } from "#shared/locales.ts";
import { REFUSALS, type Refusal } from "#shared/refusal.ts";

type Texts = Pick<Deps, "text">;

export const localeOfRequest = (request: FastifyRequest): LocaleCode => localeOf(request.headers.lang);

/** A cached answer: its JSON, and the base64 of it once requested. */
export class Ready {
  readonly #json: string;
  #base64: string | undefined;

  constructor(value: unknown) {
    this.#json = JSON.stringify(value ?? null);
  }

  shown(plain: boolean): string {
    return plain ? this.#json : (this.#base64 ??= `"${Buffer.from(this.#json).toString("base64")}"`);
  }
}

/** Sends a successful answer. */
export function sendDone({ text }: Texts, request: FastifyRequest, reply: FastifyReply, data: unknown): FastifyReply {
  const ready = data instanceof Ready ? data : new Ready(data);
  return sendBody(reply, 200, bodyOf(DONE, text(localeOfRequest(request), "done"), ready, isPlain(request)));
}

/** Sends a refusal in the caller's language, with the fields or the reason as data. */
export function sendRefusal(texts: Texts, request: FastifyRequest, reply: FastifyReply, no: Refusal): FastifyReply {
  const { retryAfterS } = no.detail;
  // A refusal that invites a retry says when.
  if (retryAfterS !== undefined || REFUSALS[no.reason].code === 503)
    reply.header("retry-after", String(retryAfterS ?? 1));
  const { status, body } = envelopeOf(texts, localeOfRequest(request), isPlain(request), no);
  return sendBody(reply, status, body);
}

/** A refusal's HTTP status and body. `plain`: data as JSON instead of base64. */
export function envelopeOf({ text }: Texts, locale: LocaleCode, plain: boolean, no: Refusal) {
  const { code, transport } = REFUSALS[no.reason] as { code: number; transport?: true };
  const { fields, text: ownText, retryAfterS: seconds = 0 } = no.detail;
  const values = { seconds, minutes: Math.ceil(seconds / 60) };
  const msg = ownText === undefined ? text(locale, `refusal.${no.reason}`, values) : readPacked(ownText, locale);
  return { status: transport ? code : 200, body: bodyOf(code, msg, new Ready(detailOf()), plain) };

  function detailOf(): unknown {
    if (code === 401) return null;
    if (code !== 400) return { reason: no.reason };
    const reasons = Object.entries(fields ?? {}).map(([name, key]) => [name, text(locale, `field.${key}`)]);
    return { fields: Object.fromEntries(reasons) as Record<string, string> };
  }
}

const isPlain = (request: FastifyRequest) => request.headers["x-data-encoding"] === "json";

const bodyOf = (code: number, msg: string, data: Ready, plain: boolean) =>
  `{"code":${code},"msg":${JSON.stringify(msg)},"data":${data.shown(plain)}}`;

function sendBody(reply: FastifyReply, status: number, body: string): FastifyReply {
  return reply
    .code(status)
    .header("content-type", "application/json; charset=utf-8")
    .header("cache-control", "no-store")
    .send(body);
}
