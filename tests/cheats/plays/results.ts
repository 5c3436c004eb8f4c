import { fingerprintOf } from "#server/config/keys.ts";
import { drandMode, drandRule, QUICKNET, randomnessOf, ruleOf } from "#shared/lottery/beacon.ts";
import { drawOf } from "#shared/lottery/fairness.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { Plays } from "../play.ts";
import type { Forger } from "../trial/forger.ts";
import { diceOf, reseed, rollAgain } from "./chains.ts";
import { FORKED } from "./finders.ts";
import { FIRST, GAME, LAST, OPEN, OTHER } from "./ids.ts";
import { edited, followed } from "./leaves.ts";

const LIKED = "cd".repeat(32);
const OTHER_KEY = "cd".repeat(32);
/** Quicknet's signature of its round 1000, of long ago. */
const PAST = {
  round: 1_000,
  signature: "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39",
};

const seedOf = async (forger: Forger, id: number) =>
  (await forger.one<{ seed: string }>(`select seed from rounds where id = ${id}`)).seed;

/** The first round's dice in another order: every bet pays the same. */
async function swapDice(forger: Forger): Promise<void> {
  const [one, two, three] = diceOf(await seedOf(forger, FIRST.id), FIRST.name);
  await forger.run(`update rounds set dice = ${forger.json(`[${two},${one},${three}]`)} where id = ${FIRST.id}`);
}

/** The last round follows a rule and was drawn from a beacon with this signature; all bets were on both sides. */
async function drawFrom(forger: Forger, signature: string): Promise<void> {
  const { closes } = await forger.one<{ closes: number }>(
    `select closes_at as closes from rounds where id = ${LAST.id}`,
  );
  const beacon = bytesToHex(sha256(hexToBytes(signature)));
  const rule = drandRule(QUICKNET, closes);
  const dice = forger.json(JSON.stringify(diceOf(await seedOf(forger, LAST.id), LAST.name, { rule, beacon })));
  await forger.run(`update rounds set beacon_rule = '${rule}', beacon = '${beacon}',
    beacon_signature = '${signature}', dice = ${dice} where id = ${LAST.id}`);
}

/** The open round follows a chain, as if that had been announced in time. */
async function follow(forger: Forger, mode: string, number: number): Promise<void> {
  const { at } = await forger.one<{ at: number }>("select opened_at as at from rounds where id = 11");
  await forger.run(`insert into beacon_changes (game_id, from_day, from_number, mode, announced_at)
      values (1, ${LAST.day}, 4, '${mode}', ${at});
    update rounds set beacon_rule = '${mode}:${number}', closes_at = draws_at - 8000 where id = ${OPEN.id}`);
  const announced = { kind: "beacon", game: GAME, mode, from: OPEN.name, at } as const;
  await forger.rewriteAll({ change: followed("open", { round: "20260304-0001" }, () => announced) });
}

export const results: Plays = {
  "type-other-dice": [
    {
      data: swapDice,
      now: { audit: /^round k3-1m 20260302-0001: the seed gives \S+, the round has /m, app: /^draw: dice$/m },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await swapDice(forger);
        await forger.rewriteAll();
      },
      now: {
        audit: /^round k3-1m 20260302-0001: the seed gives /m,
        ...FORKED,
        verifier: /20260302-0001: the seed gives other dice/,
      },
    },
  ],
  "swap-a-seed": [
    {
      data: (forger) => reseed(forger, LAST, LIKED),
      now: {
        audit: /^round k3-1m 20260304-0003: its seed does not lead to the day's anchor$/m,
        app: /^draw: anchor$/m,
      },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await reseed(forger, LAST, LIKED);
        await forger.rewriteAll();
      },
      now: {
        audit: /its commit does not follow from the master key$/m,
        ...FORKED,
        verifier: /20260304-0003: the commit does not lead to the day's anchor/,
      },
    },
  ],
  "choose-a-beacon-after-the-draw": [
    {
      data: async (forger) => {
        const dice = JSON.stringify(
          diceOf(await seedOf(forger, LAST.id), LAST.name, { rule: "none", beacon: "chosen" }),
        );
        await forger.run(`update rounds set beacon = 'chosen', dice = ${forger.json(dice)} where id = ${LAST.id}`);
      },
      now: {
        audit: /^round k3-1m 20260304-0003 has a beacon that its rule does not allow$/m,
        app: /^draw: beacon$/m,
      },
    },
    {
      how: "and logs it",
      data: (forger) => forger.relog({ change: edited("draw", { round: LAST.name }, { beacon: OTHER }) }),
      now: {
        ...FORKED,
        audit: /: beacon is [0-9a-f]{64}, the rows give $/m,
        verifier: /the draw has a beacon that its opening does not allow/,
      },
    },
  ],
  "write-a-beacon-on-an-open-round": {
    data: `update rounds set beacon = 'chosen' where id = ${OPEN.id}`,
    now: { audit: /^round k3-1m 20260304-0004 has a beacon that its rule does not allow$/m },
  },
  "roll-a-published-day-again": [
    {
      data: (forger) => rollAgain(forger, LAST.day, hexToBytes(LIKED)),
      now: {
        audit: /^the anchor of k3-1m 20260304 does not follow from the master key$/m,
        app: /^found: otherAnchor$/m,
      },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await rollAgain(forger, LAST.day, hexToBytes(LIKED));
        await forger.rewriteAll();
      },
      now: {
        ...FORKED,
        audit: /^the anchor of k3-1m 20260304 does not follow from the master key$/m,
        app: /^found: otherAnchor$/m,
      },
    },
  ],
  "swap-a-coming-anchor": {
    data: `update anchors set anchor = '${OTHER}' where day = ${LAST.day + 2}`,
    now: {
      audit: /^the anchor of k3-1m 20260306 does not follow from the master key$/m,
      app: /^found: otherAnchor$/m,
    },
  },
  "change-the-master-key": {
    data: async (forger) => {
      const fingerprint = fingerprintOf(hexToBytes(OTHER_KEY));
      await forger.run(`update master_keys set fingerprint = '${fingerprint}'`);
    },
    masterKey: OTHER_KEY,
    now: { audit: /^the anchor of k3-1m 20260302 does not follow from the master key$/m },
  },
  "change-the-rule-of-an-open-round": [
    {
      data: `update rounds set beacon_rule = '${drandMode(QUICKNET)}:1000' where id = ${OPEN.id}`,
      now: { audit: /beacon_rule is none, the rows give drand:[0-9a-f]{64}:1000$/m },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await forger.run(`update rounds set beacon_rule = '${drandMode(QUICKNET)}:1000' where id = ${OPEN.id}`);
        await forger.rewriteAll();
      },
      now: { ...FORKED, audit: /, not none as announced$/m, verifier: /opened under another beacon rule/ },
    },
  ],
  "open-with-a-past-beacon": {
    data: (forger) => follow(forger, drandMode(QUICKNET), PAST.round),
    now: {
      audit: /does not name the first beacon at least 3 s after its close/,
      verifier: /the rule does not name the first beacon at least 3 s after the close/,
    },
  },
  "make-a-beacon-chain-of-its-own": {
    data: (forger) => follow(forger, `drand:${OTHER}`, PAST.round),
    now: { verifier: /the rule does not name the first beacon at least 3 s after the close, of a chain that is known/ },
  },
  "forge-a-beacon": {
    data: (forger) => drawFrom(forger, "ab".repeat(48)),
    now: {
      audit: /has a beacon that its chain did not sign for the round that its rule names$/m,
      app: /^draw: beacon$/m,
    },
  },
  "take-the-beacon-of-another-round": [
    {
      data: (forger) => drawFrom(forger, PAST.signature),
      now: {
        audit: /has a beacon that its chain did not sign for the round that its rule names$/m,
        app: /^draw: beacon$/m,
      },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await drawFrom(forger, PAST.signature);
        const signed = edited("draw", { round: LAST.name }, { beacon_signature: PAST.signature });
        await forger.rewriteAll({ change: signed });
      },
      now: {
        ...FORKED,
        audit: /has a beacon that its chain did not sign/,
        verifier: /the beacon is not the one that the rule names, or its chain did not sign it/,
      },
    },
  ],
  "use-an-anchor-twice": {
    data: async (forger) => {
      const { anchor } = await forger.one<{ anchor: string }>("select anchor from anchors where day = 20514");
      await forger.run(`update anchors set anchor = '${anchor}' where day = ${LAST.day + 2}`);
      await forger.rewriteAll();
    },
    now: {
      ...FORKED,
      audit: /^the anchor of k3-1m 20260306 does not follow from the master key$/m,
      app: /^found: otherAnchor$/m,
      verifier: /20260306: the anchor had been shown before/,
    },
  },
  "bring-an-anchor-with-the-answer": {
    live: async ({ phone, life }) => {
      phone.lies.anchors = (truth) => truth!.map((one) => ({ ...one, anchor: OTHER }));
      const found = await phone.checkDraw(GAME, life.result.expect);
      await phone.hear({ ...life.open, expect: "20260305-0001", commit: OTHER });
      await phone.wait();
      return { app: [...(await phone.found()), ...found].join("\n") };
    },
    now: { app: /^found: otherAnchor$/m },
  },
  "show-one-member-another-commit": {
    live: async (stage) => {
      const { phone, life } = stage;
      await phone.hear({ ...life.open, commit: OTHER });
      await stage.closing();
      await stage.result();
    },
    now: { app: /^found: otherCommit$/m },
  },
  "tell-one-member-other-dice": [
    {
      live: async (stage) => {
        await stage.bet();
        await stage.closing();
        await stage.result({ opencode: stage.life.result.opencode.map((face) => 7 - face) });
      },
      now: { app: /^found: dice$/m },
    },
    {
      how: "by a beacon of years ago",
      live: async (stage) => {
        const { key: gameKey, expect: round, kind, seed } = stage.life.result;
        const { signature: beacon_signature } = PAST;
        const rule = ruleOf({ chain: QUICKNET.hash, round: PAST.round });
        const beacon = randomnessOf(beacon_signature);
        const opencode = drawOf(rulesOf(kind), hexToBytes(seed), { gameKey, round, rule, beacon });
        await stage.bet();
        await stage.closing();
        await stage.result({ rule, beacon, beacon_signature, opencode });
      },
      now: { app: /^found: otherCommit$/m },
    },
  ],
};
