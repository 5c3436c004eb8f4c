import type { FastifyInstance } from "fastify";
import type { Deps } from "#server/app/deps.ts";
import { isTableTold } from "#server/domains/log/table-leaf.ts";
import { serve, serveCached, serveTogether, serveWrite } from "#server/http/serve.ts";
import type { InputOf } from "#shared/contract/endpoint.ts";
import * as contract from "#shared/contract/wheel.ts";
import { localTexts, type LocaleCode } from "#shared/locales.ts";
import { invalid, Refusal } from "#shared/refusal.ts";
import { rowsOf, weightOf } from "#shared/wheel.ts";
import { changeWords } from "./change-words.ts";
import { endOldOpen, nextPair, readPairs } from "./pairs.ts";
import { readTable } from "./prize-table.ts";
import { readFair } from "./read-fair.ts";
import { readWinners } from "./read-winners.ts";
import { isPairTold } from "./state-wheel.ts";
import { WheelSeeds } from "./seeds.ts";
import { spinAll, type Spun } from "./spin.ts";

/** The prize wheel over HTTP. */
export function wheelRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  const seeds = new WheelSeeds(deps);

  for (const endpoint of [contract.luckdrawList, contract.systemLuckdrawList])
    serveCached(app, deps, endpoint, async ({ locale }) => {
      const chances = (await readTable(db.read))?.prizes ?? [];
      const whole = weightOf(chances);
      return rowsOf(chances).map((row, i) => ({
        ...row,
        ...localTexts({ title: chances[i]!.title }, locale),
        image: chances[i]!.image,
        probability: row.weight / whole,
      }));
    });

  for (const endpoint of [contract.luckdrawLog, contract.systemLuckdrawLog])
    serve(app, deps, endpoint, ({ input, locale }) =>
      readWinners(db.read, { ...input, locale, now: deps.clock.now() }),
    );

  const endpoints = [contract.luckdraw, contract.systemLuckdraw];
  const check = ({ client_seed: words, commit }: InputOf<typeof contract.luckdraw>) => {
    if (words !== undefined && commit === undefined) throw invalid({ commit: "required" });
  };
  serveTogether(app, deps, endpoints, check, async (tx, calls) => {
    const orders = calls.map(({ caller, input, requestId }) => {
      const { price, client_seed: words, commit, table } = input;
      return { memberId: caller.memberId, price, words, commit, table, requestId };
    });
    const spun = await spinAll(tx, deps, seeds, orders);
    return spun.map((one, i) => (one instanceof Refusal ? one : spunView(one, calls[i]!.locale)));
  });

  pairRoutes(app, deps, seeds);
}

function spunView({ prize, pair, spinsLeft }: Spun, locale: LocaleCode) {
  const { id, title, memo, image } = prize;
  const shown = { id, image, ...localTexts({ title, msgmemo: memo }, locale) };
  return { ...shown, nonce: pair.nonce, spins_left: spinsLeft, commit: pair.commit };
}

/** A member's pairs: what is shown of them, and words for the next. */
function pairRoutes(app: FastifyInstance, deps: Deps, seeds: WheelSeeds): void {
  const { db } = deps;

  serve(app, deps, contract.wheelSeeds, async ({ caller: { memberId } }) => {
    const shown = await readPairs(db.read, memberId);
    if (shown.open && seeds.isOld(shown.open)) await db.transact((tx) => endOldOpen(tx, deps, seeds, memberId));
    const { open, next } = await readPairs(db.read, memberId);
    const table = await readTable(db.read);
    const isTold = next && (!table || (await isTableTold(db.read, table.id))) && (await isPairTold(db.read, next));
    if (isTold) return readFair(db.read, deps, seeds, { open, next });
    const made = await db.transact((tx) => nextPair(tx, deps, seeds, memberId));
    // If no head can be made now, the commit is shown all the same, and words are refused.
    await deps.publicLog.advance().catch(() => undefined);
    return readFair(db.read, deps, seeds, { open, next: made });
  });

  serveWrite(app, deps, contract.changeWheelSeed, async (tx, { caller, input }) => {
    const { client_seed: words, commit, table } = input;
    await changeWords(tx, deps, seeds, caller.memberId, { words, commit, table });
    return null;
  });
}
