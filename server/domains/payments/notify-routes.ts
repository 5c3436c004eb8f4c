import type { FastifyInstance, FastifyReply } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { sendDone } from "#server/http/envelope.ts";
import { Refusal } from "#shared/refusal.ts";
import type { NotifyRequest, ProviderReply } from "./channel.ts";
import type { Channels } from "./channels.ts";
import { applyAllNews } from "./reconcile.ts";

const BODY_LIMIT = 262_144;

/** The webhooks of the channels. Each channel checks its own signature and has its own reply. */
export function notifyRoutes(app: FastifyInstance, deps: Deps, channels: Channels): void {
  // Signatures are over the raw body, so it is not parsed.
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    raw.route<{ Params: { channel: string }; Body: Buffer | undefined; Querystring: NotifyRequest["query"] }>({
      method: ["GET", "POST"],
      url: "/pay/notify/:channel",
      bodyLimit: BODY_LIMIT,
      config: { rateLimit: false },
      handler: async (request, reply) => {
        const channel = channels.find(request.params.channel);
        if (!channel) throw new Refusal("path.unknown");
        const { method, headers, query } = request;
        try {
          const rawBody = request.body ?? Buffer.alloc(0);
          const { news, reply: answer } = await channel.notify({ method, headers, query, rawBody });
          const refusal = await applyAllNews(deps, channel.code, news);
          if (refusal) throw refusal;
          return answer ? send(reply, answer) : sendDone(deps, request, reply, null);
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
          request.log.warn({ channel: channel.code, reason: error.reason }, "notification");
          const refused = error.reason === "path.unknown" ? null : channel.refused(error.reason);
          if (!refused) throw error;
          return send(reply, refused);
        }
      },
    });
  });
}

const send = (reply: FastifyReply, { status, headers = {}, body }: ProviderReply): FastifyReply =>
  reply
    .code(status)
    .headers({ "cache-control": "no-store", ...headers })
    .send(body);
