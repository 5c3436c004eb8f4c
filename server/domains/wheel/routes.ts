import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { serve, serveCached, serveWrite } from "#server/http/serve.ts";
import * as contract from "#shared/contract/wheel.ts";
import { localText } from "#shared/locales.ts";
import { weightOf } from "#shared/wheel.ts";
import { changeSeed } from "./change-seed.ts";
import { findPair, openPair } from "./pairs.ts";
import { readTable } from "./prize-table.ts";
import { readFair } from "./read-fair.ts";
import { readWinners } from "./read-winners.ts";
import { WheelSeeds } from "./seeds.ts";
import { spinWheel } from "./spin.ts";

/** The prize wheel over HTTP. */
export function wheelRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  const seeds = new WheelSeeds(deps.keys);

  for (const endpoint of [contract.luckdrawList, contract.systemLuckdrawList])
    serveCached(app, deps, endpoint, async ({ locale }) => {
      const chances = (await readTable(db.read))?.prizes ?? [];
      const whole = weightOf(chances);
      return chances.map(({ id, title, image, weight }) => ({
        id,
        title: localText(title, locale),
        image,
        weight,
        probability: weight / whole,
      }));
    });

  for (const endpoint of [contract.luckdrawLog, contract.systemLuckdrawLog])
    serve(app, deps, endpoint, ({ input, locale }) =>
      readWinners(db.read, { ...input, locale, now: deps.clock.now() }),
    );

  for (const endpoint of [contract.luckdraw, contract.systemLuckdraw])
    serveWrite(app, deps, endpoint, async (tx, { caller, locale, input }) => {
      const { prize, nonce, spinsLeft } = await spinWheel(tx, deps, seeds, caller.memberId, input.price);
      const { id, title, memo, image } = prize;
      const shown = { id, title: localText(title, locale), image, msgmemo: localText(memo, locale) };
      return { ...shown, nonce, spins_left: spinsLeft };
    });

  serve(app, deps, contract.wheelSeeds, async ({ caller: { memberId } }) => {
    const known = await findPair(db.read, memberId);
    const pair = known ?? (await db.transact((tx) => openPair(tx, deps, seeds, memberId)));
    return readFair(db.read, deps, seeds, pair);
  });

  serveWrite(app, deps, contract.changeWheelSeed, async (tx, { caller, input }) => {
    await changeSeed(tx, deps, seeds, caller.memberId, input.client_seed);
    return null;
  });
}
