import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/deps.ts";
import { sendDone, serve, serveWrite } from "#server/http/serve.ts";
import * as contract from "#shared/contract/payments.ts";
import { fromUnits } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { applyNews } from "./apply-news.ts";
import type { Channels } from "./channels.ts";
import { orderDeposit } from "./order-deposit.ts";
import { readDeposits } from "./read-deposits.ts";

/** Top-ups over HTTP. */
export function paymentRoutes(app: FastifyInstance, deps: Deps, { byCode }: Channels): void {
  serveWrite(app, deps, contract.doRecharge, async (tx, { input, caller, locale }) => {
    const order = { memberId: caller.memberId, channel: input.pay_way, amount: fromUnits(input.money), locale };
    const { payUrl, orderNo } = await orderDeposit(tx, deps, byCode, order);
    return { pay_url: payUrl, order: orderNo };
  });

  serve(app, deps, contract.rechargeList, ({ input, caller, locale }) =>
    readDeposits(deps.db.read, deps, { memberId: caller.memberId, locale, ...input }),
  );

  // Signatures are over the raw body, so this one is not parsed.
  void app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
    const unlimited = { config: { rateLimit: false } } as const;
    raw.post<{ Params: { channel: string }; Body: string | undefined }>(
      "/pay/notify/:channel",
      unlimited,
      async (request, reply) => {
        const channel = byCode.get(request.params.channel);
        if (!channel) throw new Refusal("path.unknown");
        const signature = request.headers["x-signature"];
        try {
          const news = channel.verify(request.body ?? "", String(signature ?? ""));
          await deps.db.transact((tx) => applyNews(tx, deps, news));
        } catch (error) {
          if (error instanceof Refusal)
            request.log.warn({ channel: channel.code, reason: error.reason }, "notification");
          throw error;
        }
        return sendDone(deps, request, reply, null);
      },
    );
  });
}
