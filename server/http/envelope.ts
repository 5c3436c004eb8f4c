import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#server/deps.ts";
import { DONE } from "#shared/contract/envelope.ts";
import { localeOf, type LocaleCode } from "#shared/locales.ts";
import { REFUSALS, type Refusal } from "#shared/refusal.ts";

type Texts = Pick<Deps, "text">;

export const localeOfRequest = (request: FastifyRequest): LocaleCode => localeOf(request.headers.lang);

/** A value that is sent more than once, with its JSON made when first asked for. */
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

/** Sends what a call came to. */
export function sendDone({ text }: Texts, request: FastifyRequest, reply: FastifyReply, data: unknown): FastifyReply {
  return send(request, reply, 200, DONE, text(localeOfRequest(request), "done"), data);
}

/** Sends a no in the caller's language; which field it was, or the reason for programs. */
export function sendRefusal({ text }: Texts, request: FastifyRequest, reply: FastifyReply, no: Refusal): FastifyReply {
  const locale = localeOfRequest(request);
  const { code, transport } = REFUSALS[no.reason] as { code: number; transport?: true };
  const { fields, text: ownText, retryAfterS } = no.detail;
  // Whoever is told to come again is told when.
  if (retryAfterS !== undefined || code === 503) reply.header("retry-after", String(retryAfterS ?? 1));
  const seconds = retryAfterS ?? 0;
  const msg = ownText ?? text(locale, `refusal.${no.reason}`, { seconds, minutes: Math.ceil(seconds / 60) });
  return send(request, reply, transport ? code : 200, code, msg, detailOf());

  function detailOf(): unknown {
    if (code === 401) return null;
    if (code !== 400) return { reason: no.reason };
    const reasons = Object.entries(fields ?? {}).map(([name, key]) => [name, text(locale, `field.${key}`)]);
    return { fields: Object.fromEntries(reasons) as Record<string, string> };
  }
}

function send(request: FastifyRequest, reply: FastifyReply, status: number, code: number, msg: string, data: unknown) {
  const ready = data instanceof Ready ? data : new Ready(data);
  const shown = ready.shown(request.headers["x-data-encoding"] === "json");
  return reply
    .code(status)
    .header("content-type", "application/json; charset=utf-8")
    .header("cache-control", "no-store")
    .header("x-content-type-options", "nosniff")
    .send(`{"code":${code},"msg":${JSON.stringify(msg)},"data":${shown}}`);
}
