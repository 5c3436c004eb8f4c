import { batchFaults, batchText, parseReceipt, receiptText, saltedLeaf, type Receipt } from "#shared/log/receipt.ts";
import { MerkleTree } from "#shared/merkle.ts";
import type { Content } from "#shared/log/salted.ts";
import { drandMode, QUICKNET } from "#shared/lottery/beacon.ts";
import type { Said } from "../cheat.ts";
import type { Plays } from "../play.ts";
import type { Forger } from "../trial/forger.ts";
import type { Stage } from "../trial/stage.ts";
import { unbet, unpay } from "./all-that-follows.ts";
import { dealt, otherTerms } from "./dealt.ts";
import { FORKED } from "./finders.ts";
import { BET, EARLIER, FIRST, LAST, MIA, NILS, OTHER } from "./ids.ts";
import { edited } from "./leaves.ts";

/** Two numbers that the last round did not draw, for the same stake. */
const LOSING_MASK = 3;
const ROOT = /^the log's close of round k3-1m 20260304-0003: bets_root is [0-9a-f]{64}, the rows give [0-9a-f]{64}$/m;

/** A puppet bets on the last round, with all that follows but the payout; `at` says when. */
const puppetBet = (at: string) => `
  insert into bets (id, member_id, round_id, odds_id, mask, stake, total, balance_after, version, created_at)
    select 99, member_id, round_id, odds_id, mask, stake, total, balance_after, version + 100, ${at} from bets where id = 18;
  update rounds set to_bet = 99 where id = ${LAST.id}`;

async function lose(forger: Forger): Promise<void> {
  await forger.run(`update bets set mask = ${LOSING_MASK} where id = ${BET}`);
  await unpay(forger, LAST.id, MIA);
}

/** The losing one of the puppet's two bets is like the winning one, and both are paid. */
async function winTwice(forger: Forger): Promise<void> {
  const own = `round_id = ${LAST.id} and member_id = ${NILS}`;
  const { odd } = await forger.one<{ odd: string }>(`select cast(mask as text) as odd from bets where id = 18`);
  const dice = await forger.one<{ dice: string | number[] }>(`select dice from rounds where id = ${LAST.id}`);
  const faces = typeof dice.dice === "string" ? (JSON.parse(dice.dice) as number[]) : dice.dice;
  const isOdd = faces.reduce((sum, face) => sum + face, 0) % 2 === 1;
  const { even } = await forger.one<{ even: string }>(`select cast(mask as text) as even from bets where id = 19`);
  await forger.run(`update bets set mask = ${isOdd ? odd : even} where ${own};
    update payouts set amount = amount + 390, balance_after = balance_after + 390 where ${own};
    update wallets set balance = balance + 390, won_total = won_total + 390, won_day = won_day + 390,
      won_week = won_week + 390, won_month = won_month + 390 where member_id = ${NILS};
    update rounds set paid = paid + 390 where id = ${LAST.id};
    update house_entries set amount = amount - 390 where kind = 'payouts' and round_id = ${LAST.id}`);
}

/** A receipt as the house signs it for another bet than was placed. */
async function falseReceipt(stage: Stage, change: Partial<Content<"bet">>): Promise<string> {
  const signer = await stage.signer();
  const receipt = parseReceipt(stage.life.receipt)!;
  const bet = { ...receipt.bet, ...change };
  const tree = new MerkleTree();
  tree.add(saltedLeaf(receipt.salt, bet));
  const message = batchText(receipt.origin, receipt.batch, { size: 1, root: tree.rootHash() });
  const signature = signer.sign(new TextEncoder().encode(message));
  return receiptText({ ...receipt, bet, index: 0, count: 1, path: [], signature });
}

/** What a stranger says to a receipt that somebody shows. */
async function strangerSays(stage: Stage, receipt: Receipt): Promise<string> {
  const { key } = await stage.signer();
  const faults = batchFaults(receipt, key);
  return faults.length > 0
    ? `no receipt of the house: ${faults.join()}`
    : `signed by the house: ${receipt.bet.options.join()} for ${receipt.bet.stake}`;
}

const gives = (change: Partial<Content<"bet">>) => async (stage: Stage) => {
  await stage.phone.hear(stage.life.open);
  const receipt = await falseReceipt(stage, change);
  await stage.phone.watcher.answer("take", { placed: stage.life.placed, receipt });
};

/** The last round, in which the house answers for mia's bet with this. */
const answers = (proof: NonNullable<Stage["phone"]["lies"]["proof"]>) => async (stage: Stage) => {
  await stage.bet();
  await stage.closing();
  await stage.result();
  stage.phone.lies.proof = proof;
  await stage.settled();
};

/** The last round, after which the house shows these changes of mia's balance. */
const settledWith = (money: NonNullable<Stage["phone"]["lies"]["money"]>) => async (stage: Stage) => {
  await stage.bet();
  await stage.closing();
  await stage.result();
  stage.phone.lies.money = money;
  await stage.settled();
};

export const bets: Plays = {
  "bet-on-a-drawn-round": {
    data: puppetBet("created_at + 60000"),
    now: { audit: /^bet 99 was taken after its round had closed$/m },
  },
  "backdate-a-bet": [
    {
      data: puppetBet("created_at"),
      now: {
        audit: /^the log's close of round k3-1m 20260304-0003: bets is 3, the rows give 4$/m,
      },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await forger.run(puppetBet("created_at"));
        await forger.rewriteAll();
      },
      now: { ...FORKED, app: /^found: (fork|notCounted)$/m },
    },
  ],
  "edit-a-bet": {
    data: `update bets set mask = ${LOSING_MASK} where id = ${BET}`,
    now: { audit: /^round 13, member 1: won 0, was paid 390$/m },
  },
  "edit-a-bet-and-all-that-follows": [
    {
      data: async (forger) => {
        await lose(forger);
        await forger.reseal();
      },
      now: { audit: ROOT },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await lose(forger);
        await forger.rewriteAll();
      },
      now: FORKED,
    },
  ],
  "remove-a-bet-and-all-that-follows": [
    {
      data: async (forger) => {
        await unpay(forger, LAST.id, MIA);
        await unbet(forger, BET);
        await forger.reseal();
      },
      now: {
        audit: /^the log's close of round k3-1m 20260304-0003: bets is 3, the rows give 2$/m,
        app: /^found: notCounted$/m,
      },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await unpay(forger, LAST.id, MIA);
        await unbet(forger, BET);
        await forger.rewriteAll();
      },
      now: { ...FORKED, app: /^found: notCounted$/m },
    },
  ],
  "rewrite-a-puppets-losing-bet": [
    {
      data: async (forger) => {
        await winTwice(forger);
        await forger.reseal();
      },
      now: { audit: ROOT },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await winTwice(forger);
        await forger.rewriteAll();
      },
      now: FORKED,
    },
  ],
  "delete-a-payout": [
    {
      data: (forger) => unpay(forger, LAST.id, MIA),
      now: { audit: /^round 13, member 1: won 390, was paid 0$/m, app: /^found: credit$/m },
    },
    {
      how: "of a member whose phone is there",
      live: async (stage) => {
        await stage.bet();
        await stage.closing();
        await stage.result();
        await stage.settled("0.00");
      },
      now: { app: /^found: payout$/m },
    },
  ],
  "say-a-win-and-never-credit-it": [
    {
      live: settledWith((truth) => ({ ...truth!, list: truth!.list.filter(({ expect }) => expect !== LAST.name) })),
      now: { app: /^found: credit$/ },
    },
    {
      how: "but for a part",
      live: settledWith((truth) => ({
        ...truth!,
        list: truth!.list.map((one) => (one.expect === LAST.name ? { ...one, money: "3.80" } : one)),
      })),
      now: { app: /^found: credit$/ },
    },
    {
      how: "and lists it beside a balance that lacks it",
      live: settledWith((truth) => ({
        ...truth!,
        list: truth!.list.map((one, i, all) =>
          one.expect === LAST.name ? { ...one, balance: all[i + 1]!.balance } : one,
        ),
      })),
      now: { app: /^found: credit$/ },
    },
    {
      how: "and takes the row of another round for it",
      live: settledWith((truth) => ({
        ...truth!,
        list: truth!.list.map((one) => (one.expect === LAST.name ? { ...one, expect: FIRST.name } : one)),
      })),
      now: { app: /^found: credit$/ },
    },
  ],
  "deny-a-members-true-bet": {
    live: async (stage) => {
      await answers((truth) => ({ ...truth!, bet: truth!.bet.replace('["A","B"]', '["A","3"]') }))(stage);
      return { verifier: await strangerSays(stage, parseReceipt(stage.life.receipt)!) };
    },
    now: { app: /^found: notCounted$/m, verifier: /^signed by the house: A,B for 200$/ },
  },
  "face-a-members-false-claim": {
    live: async (stage) => {
      const receipt = parseReceipt(stage.life.receipt)!;
      const claimed = { ...receipt, bet: { ...receipt.bet, options: ["11"] } };
      return { verifier: await strangerSays(stage, claimed) };
    },
    now: { verifier: /^no receipt of the house: / },
  },
  "give-a-receipt-for-other-options": { live: gives({ options: ["A", "3"] }), now: { app: /^found: receipt$/m } },
  "give-a-receipt-of-another-round": { live: gives({ round: FIRST.name }), now: { app: /^found: receipt$/m } },
  "leave-a-receipt-out-of-the-root": [
    { live: answers(() => null), now: { app: /^found: notCounted$/m } },
    {
      how: "and of the tables",
      data: (forger) => unbet(forger, BET),
      now: {
        audit: /^the log's close of round k3-1m 20260304-0003: bets is 3, the rows give 2$/m,
        app: /^found: notCounted$/m,
      },
    },
  ],
  "deal-one-member-other-terms": [
    { live: dealt({ commit: OTHER }), now: { app: /^found: terms$/, verifier: otherTerms("commit") } },
    {
      how: "by a beacon that is known already",
      live: dealt({ rule: `${drandMode(QUICKNET)}:1000` }),
      now: { app: /^found: terms$/, verifier: otherTerms("rule") },
    },
  ],
  "keep-the-receipt-back": {
    data: async (forger) => {
      await unpay(forger, LAST.id, NILS);
      await unbet(forger, 18);
      await forger.reseal();
    },
    now: { audit: /^the log's close of round k3-1m 20260304-0003: bets is 3, the rows give 2$/m },
  },
  "show-two-members-one-leaf": {
    live: gives({ order: "ord_18" }),
    now: { app: /^found: receipt$/m },
  },
  "sign-two-receipts-for-one-order": {
    live: async (stage): Promise<Said> => {
      await stage.bet();
      const receipt = await falseReceipt(stage, { options: ["A", "3"] });
      const [one, two] = [parseReceipt(stage.life.receipt)!, parseReceipt(receipt)!];
      await answers((truth) => ({ ...truth!, bet: truth!.bet.replace('["A","B"]', '["A","3"]') }))(stage);
      const both = [await strangerSays(stage, one), await strangerSays(stage, two)];
      return { verifier: `${both.join("; ")}; batch ${one.batch} and ${two.batch}` };
    },
    now: {
      app: /^found: notCounted$/m,
      verifier: /^signed by the house: A,B for 200; signed by the house: A,3 for 200; batch (\d+) and \1$/,
    },
  },
  "close-with-false-totals": {
    data: (forger) => forger.relog({ change: edited("close", { round: LAST.name }, { stake: 700 }), asSaid: true }),
    now: {
      audit: /^the log's close of round k3-1m 20260304-0003: stake is 700, the rows give 800$/m,
      witness: /^FORK: /,
    },
  },
  "settle-with-a-false-total": {
    data: (forger) => forger.relog({ change: edited("settle", { round: LAST.name }, { payout: 9_000 }), asSaid: true }),
    now: {
      audit: /^the log's settle of round k3-1m 20260304-0003: payout is 9000, the rows give 780$/m,
      witness: /^FORK: /,
    },
  },
  "pay-a-bet-that-nobody-made": {
    data: `insert into payouts (round_id, member_id, amount, version, balance_after, created_at)
      select round_id, 3, amount, 9, balance_after, created_at from payouts where round_id = ${LAST.id} and member_id = 1`,
    now: { audit: /^round 13, member 3: won 0, was paid 390$/m },
  },
  "leave-a-winner-out": {
    data: (forger) => unpay(forger, LAST.id, NILS),
    now: { audit: /^round 13, member 2: won 390, was paid 0$/m },
  },
  "hold-a-settlement-back": {
    data: async (forger) => {
      for (const member of [MIA, NILS]) await unpay(forger, EARLIER.id, member, false);
      await forger.run(`update rounds set settled_at = null, bet_count = 0, staked = 0 where id = ${EARLIER.id}`);
      await forger.rewriteAll();
    },
    now: {
      ...FORKED,
      audit: /^round k3-1m 20260302-0005 is not paid: a server worked on for \d+ s after its draw$/m,
      verifier: /20260302-0005: the log has no `settle`/,
    },
  },
};
