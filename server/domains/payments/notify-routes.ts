import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { answerOf, doneWith, failuresOf, NO_ENVELOPE, refToSchema } from "#server/http/answers.ts";
import { sendDone } from "#server/http/envelope.ts";
import { isOwnCall } from "#server/http/own-call.ts";
import type { Told } from "#server/http/operation.ts";
import { Refusal, type RefusalReason } from "#shared/refusal.ts";
import type { NotifyRequest, ProviderReply } from "./channel.ts";
import type { Channels } from "./channels.ts";
import { UnsignedLimit } from "./unsigned-limit.ts";
import { applyEvents } from "./reconcile.ts";

const BODY_LIMIT = 262_144;

const REFUSES: RefusalReason[] = ["payment.unsigned", "payment.mismatch", "object.unknown", "path.unknown"];

/** What the document says of it: each provider signs, and is answered, in its own way. */
function toldOf(method: "GET" | "POST", channels: Channels): Told {
  const { headers, content: ours } = answerOf(doneWith({ type: "null" }), REFUSES);
  const [envelope] = Object.values(ours!);
  const content = {
    "application/json": { schema: { anyOf: [NO_ENVELOPE, envelope!.schema] } },
    "text/plain": { schema: { type: "string" } },
  };
  const codes = channels.all.map(({ code }) => code);
  return {
    operation: {
      operationId: `${method.toLowerCase()}PayNotify`,
      summary: "A payment provider's notification",
      description: "Only the provider can sign one. It may come late, and more than once.",
      tags: ["payment"],
      security: [],
      parameters: [{ name: "channel", in: "path", required: true, schema: { type: "string", enum: codes } }],
      ...(method === "POST" && { requestBody: { content: { "*/*": { schema: {} } } } }),
      responses: {
        ...failuresOf({ takesBody: method === "POST", own: [...REFUSES, "attempts.many"] }),
        200: { description: "What the provider wants to hear, or the envelope.", headers: headers!, content },
        400: {
          description: "It is malformed, or the provider did not sign it.",
          content: { ...content, "application/json": { schema: refToSchema("request.malformed") } },
        },
      },
    },
  };
}

/** The webhooks of the channels. Each channel checks its own signature and has its own reply. */
export function notifyRoutes(app: FastifyInstance, deps: Deps, channels: Channels): void {
  const limit = deps.isLimited ? new UnsignedLimit(deps) : null;
  // The sandbox's notifications come from this machine, as others' may.
  const limitOf = (request: FastifyRequest) => (isOwnCall(request) ? null : limit);
  // Signatures are over the raw body, so it is not parsed.
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    raw.route<{ Params: { channel: string }; Body: Buffer | undefined; Querystring: NotifyRequest["query"] }>({
      method: ["GET", "POST"],
      url: "/pay/notify/:channel",
      bodyLimit: BODY_LIMIT,
      config: { rateLimit: false, told: { GET: () => toldOf("GET", channels), POST: () => toldOf("POST", channels) } },
      onRequest: async (request) => limitOf(request)?.check(request.ip),
      handler: async (request, reply) => {
        const channel = channels.find(request.params.channel);
        if (!channel) throw new Refusal("path.unknown");
        const { method, headers, query } = request;
        try {
          const rawBody = request.body ?? Buffer.alloc(0);
          const { events, reply: answer } = await channel.notify({ method, headers, query, rawBody });
          const refusal = await applyEvents(deps, channel.code, events);
          if (refusal) throw refusal;
          return answer ? await send(reply, answer) : await sendDone(deps, request, reply, null);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          const unsigned = limitOf(request);
          const about = { channel: channel.code, reason: error.reason };
          unsigned?.count(request.ip, about);
          noteRefused(deps, request, { ...about, isCounted: unsigned !== null });
          const refused = error.reason === "path.unknown" ? null : channel.refused(error.reason);
          if (!refused) throw error;
          return send(reply, refused);
        }
      },
    });
  });
}

/** Whoever cannot sign may send as many as they like: those are counted, not told one by one. */
function noteRefused(
  { security }: Pick<Deps, "security">,
  { ip, log }: FastifyRequest,
  { channel, reason, isCounted }: { channel: string; reason: RefusalReason; isCounted: boolean },
): void {
  if (reason === "payment.unsigned") security.note({ refused: "notification.unsigned", ip, reason, channel });
  else if (!isCounted) log.warn({ channel, reason }, "a notification was refused");
}

const send = (reply: FastifyReply, { status, headers = {}, body }: ProviderReply): FastifyReply =>
  reply
    .code(status)
    .headers({ "cache-control": "no-store", ...headers })
    .send(body);
