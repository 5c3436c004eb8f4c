import Fastify, { type FastifyInstance } from "fastify";
import { buildApp, serverOptions } from "#server/app/app.ts";
import type { Config } from "#server/config/config.ts";
import type { Caller } from "#server/app/deps.ts";
import { Passwords } from "#server/domains/account/passwords.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { BetQueue } from "#server/domains/lottery/bet-queue.ts";
import { BetService } from "#server/domains/lottery/place-bet.ts";
import { Channels } from "#server/domains/payments/channels.ts";
import type { Site } from "#server/app/site.ts";
import { siteNamesOf } from "#server/http/site-names.ts";
import { RequestIds } from "#server/http/request-ids.ts";

/** As long as a receipt is. */
const RECEIPT = "r".repeat(1_400);

/** Accepts every order. */
class AlwaysAccepts extends BetService {
  override async place() {
    return { id: "bet_1000000", expect: "20260302-0001", total: "1.00", balance: "1000000.00", receipt: RECEIPT };
  }

  override async replay() {
    return null;
  }
}

/** The same server without its database: callers come from memory, and orders are discarded. */
export async function openPlain({ deps, health, publicLog }: Site, config: Config): Promise<FastifyInstance> {
  const app = Fastify(serverOptions(deps.log, new RequestIds(deps.random)));
  const caller: Caller = { sessionId: 1, memberId: 1, locked: false, memberUntil: 0 };
  const plain = { ...deps, identify: async () => caller };
  const bets = new AlwaysAccepts(plain, new BetQueue(betBookOf(deps.db), publicLog.receipts));
  const { rateLimit, secret } = config;
  const names = siteNamesOf(config);
  const channels = await Channels.open(plain, secret);
  const passwords = new Passwords(plain.keys);
  const parts = { bets, passwords, names, logKey: () => publicLog.key, channels, rateLimit };
  await buildApp(app, plain, { ...parts, health: { ...health, sockets: () => 0 } });
  return app;
}
