import type { ShownOdds } from "#shared/lottery/shown-odds.ts";
import { PROVEN, saidOf } from "../../log/evidence-of-app.ts";
import type { Play, Plays } from "../play.ts";
import { dealt, otherTerms } from "./dealt.ts";
import { FORKED } from "./finders.ts";
import { lotteryInfo, lotteryOdds } from "#shared/contract/lottery.ts";
import { BET, GAME, LAST, OPEN_BET, OTHER } from "./ids.ts";
import { delayed } from "./leaves.ts";
import { inFront } from "./shown.ts";

const LOWER =
  "insert into odds (id, game_id, milli, created_at) select 9, game_id, milli, created_at + 86400000 from odds where id = 1";

/** A member is paid less than the odds of their receipt give. */
const paidLess = { win: "3.80" };

/** Mia's board shows the options of her bet otherwise than the round's odds give. */
const shows =
  (change: (one: ShownOdds) => ShownOdds): NonNullable<Play["live"]> =>
  async (stage) => {
    const { placed, receipt, open } = stage.life;
    await stage.phone.hear(open);
    await stage.phone.wait();
    await stage.phone.watcher.answer("take", { placed: { ...placed, odds: placed.odds!.map(change) }, receipt });
    await stage.closing();
    await stage.result();
    await stage.settled();
  };

/** Mia's phone goes away with her bet, and comes back once the round is settled. The house then says this of the bet. */
export const away =
  (said: { win?: string }): NonNullable<Play["live"]> =>
  async (stage) => {
    await stage.bet();
    stage.phone.lies.orders = (truth) => truth!.map((order) => ({ ...order, ...said }));
    await stage.phone.visit(GAME);
    const { order, member } = stage.life.placed;
    const kept = await stage.phone.watcher.answer("order", { member, order, origin: null });
    return kept?.receipt.payout ? undefined : { app: "the payout was not checked" };
  };

const FALSE_RETURN = /^ {2}NO {5}k3-1m: the odds 1 do not give the published return of 3, 4, /m;

/** A board adds this to what it shows of each option. Mia opens it, and a stranger asks what is published. */
export const publishes =
  (more: { rtp?: number; probability?: number }): NonNullable<Play["live"]> =>
  async ({ phone, site }) => {
    const { id, kind } = await phone.client.must(lotteryInfo, { key: GAME });
    const data = (await phone.client.must(lotteryOdds, { id })).map((one) => ({
      ...one,
      rtp: one.rtp + (more.rtp ?? 0),
      probability: one.probability + (more.probability ?? 0),
    }));
    await phone.hear({ type: "board", game: GAME, kind, odds: data });
    const own = { [`api${lotteryOdds.path}?id=${id}`]: JSON.stringify({ code: 200, msg: "", data }) };
    const said = await inFront(site.address, own, site.watchers.strangerAt);
    const no = said.filter((line) => line.startsWith("  NO"));
    return no.length > 0 ? { verifier: no.join("\n") } : {};
  };

export const odds: Plays = {
  "show-better-odds-than-are-taken": {
    live: shows((one) => ({ ...one, pays: ["9.9"] })),
    now: { app: /^found: receipt$/m },
  },
  "publish-a-false-return": [
    { live: publishes({ rtp: 0.02 }), now: { app: /^found: odds$/m, verifier: FALSE_RETURN } },
    {
      how: "by a chance",
      live: publishes({ probability: 0.01 }),
      now: { app: /^found: odds$/m, verifier: FALSE_RETURN },
    },
    {
      how: "to a member who has bet",
      live: shows((one) => ({ ...one, rtp: one.rtp + 0.02 })),
      now: { app: /^found: receipt$/m },
    },
  ],
  "lower-odds-after-the-bets": {
    data: `${LOWER}; update bets set odds_id = 9 where id = ${OPEN_BET}`,
    now: { audit: new RegExp(`^bet ${OPEN_BET} has the odds 9, its round has 1$`, "m") },
  },
  "lower-odds-for-all-time": [
    {
      data: async (forger) => {
        const { milli } = await forger.one<{ milli: string | number[] }>("select milli from odds where id = 1");
        const rates = typeof milli === "string" ? (JSON.parse(milli) as number[]) : milli;
        await forger.run(`update odds set milli = ${forger.json(JSON.stringify(rates.map((one) => one - 10)))}`);
      },
      now: { audit: /^the log's odds 1 of k3-1m: rates is /m },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await forger.run("update odds set created_at = created_at - 1");
        await forger.rewriteAll();
      },
      now: FORKED,
    },
  ],
  "give-each-member-other-odds": [
    {
      data: `${LOWER}; update bets set odds_id = 9 where id = ${BET}`,
      now: { audit: new RegExp(`^bet ${BET} has the odds 9, its round has 1$`, "m") },
    },
    {
      how: "and counts the bet at them",
      live: dealt({ odds: "9", odds_hash: OTHER }),
      now: { app: /^found: terms$/, verifier: otherTerms("odds, odds_hash") },
    },
  ],
  "use-odds-before-they-are-logged": {
    data: (forger) => forger.relog({ change: delayed("odds", {}, "open", { round: "20260302-0001" }), asSaid: true }),
    now: { witness: /^FORK: /, verifier: /opened with odds that the log had not named/ },
  },
  "pay-at-other-odds": [
    {
      data: `update payouts set amount = amount - 10 where round_id = ${LAST.id} and member_id = 1`,
      now: { audit: /^round 13, member 1: won 390, was paid 380$/m },
    },
    {
      how: "to a member whose phone is there",
      live: async (stage) => {
        await stage.bet();
        await stage.closing();
        await stage.result();
        await stage.settled(paidLess.win);
      },
      now: { app: /^found: payout$/m },
    },
    {
      how: "to a member whose phone was away",
      live: away(paidLess),
      now: { app: /^found: payout$/m },
    },
    {
      how: "and states in the log what it paid the member",
      live: async () => {
        const phone = await PROVEN["a round that paid a member less than their bets win"]!();
        const app = (await phone.found()).map((kind) => `found: ${kind}`).join("\n");
        return { app, verifier: saidOf(await phone.evidence(), "proven").join("\n") };
      },
      now: { app: /^found: payout$/m, verifier: /^By their signed receipts, .* their member was paid / },
    },
    {
      how: "and states in the log what it paid",
      live: async () => {
        const phone = await PROVEN["a round that paid less than a bet of it wins"]!();
        const app = (await phone.found()).map((kind) => `found: ${kind}`).join("\n");
        return { app, verifier: saidOf(await phone.evidence(), "proven").join("\n") };
      },
      now: { app: /^found: payout$/m, verifier: /^bet_1 wins \S+ by its signed receipt, .* together was paid / },
    },
  ],
  "round-payouts-down-by-a-new-unit": {
    data: "update odds set unit = 'USD'",
    now: { audit: /: unit is point, the rows give USD$/m },
  },
};
