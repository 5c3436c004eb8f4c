import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { serve, servePrepared } from "#server/http/serve.ts";
import * as contract from "#shared/contract/payments.ts";
import { fromUnits, toDecimal } from "#shared/money.ts";
import type { Channels } from "./channels.ts";
import { notifyRoutes } from "./notify-routes.ts";
import { storeCheckout, orderDeposit } from "./order-deposit.ts";
import { payUrlOf } from "./pay-page.ts";
import { readDeposits } from "./read-deposits.ts";

/** Top-ups over HTTP. */
export function paymentRoutes(app: FastifyInstance, deps: Deps, channels: Channels): void {
  servePrepared(
    app,
    deps,
    contract.doRecharge,
    ({ input, caller: { memberId }, keyed, locale }) => {
      const request = { memberId, channel: input.pay_way, amount: fromUnits(input.money), locale };
      return orderDeposit(deps, channels, { ...request, key: keyed?.key ?? null });
    },
    async (tx, _call, order) => {
      const { id, orderNo, amount, fee, reference } = order;
      const [page, opens] = [order.page!, order.opens!];
      await storeCheckout(tx, id, { page, opens, reference });
      const sums = { fee: toDecimal(fee), total: toDecimal(amount + fee) };
      return { pay_url: payUrlOf(deps, { orderNo, page, opens }), order: orderNo, open: opens, ...sums };
    },
  );

  serve(app, deps, contract.rechargeList, ({ input, caller, locale }) =>
    readDeposits(deps.db.read, deps, { memberId: caller.memberId, locale, ...input }),
  );

  notifyRoutes(app, deps, channels);
}
