import { ownHash, type Leaf } from "#shared/log/leaf.ts";
import { before, checkDates, CLOSES, drandLog, NEXT, OPENS, refunded } from "../../log/drand-log.ts";
import type { Said } from "../cheat.ts";
import type { Play, Plays } from "../play.ts";
import type { Forger } from "../trial/forger.ts";
import { unbet, unpay } from "./all-that-follows.ts";
import { FORKED } from "./finders.ts";
import { BETS, EARLIER, GAME, LAST, MIA, NILS, OPEN, OTHER } from "./ids.ts";
import { delayed, edited, followed } from "./leaves.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const gap = (round: { id: number }, reason: string) => `insert into gaps
  (game_id, from_day, from_number, to_day, to_number, reason, created_at)
  select game_id, day, number, day, number, '${reason}', opened_at + 60000 from rounds where id = ${round.id}`;
const forgotten = (id: number) => `delete from payouts where round_id = ${id};
  delete from bets where round_id = ${id}; delete from rounds where id = ${id}; delete from log_rounds where round_id = ${id}`;

/** The last round was never drawn: nobody won, and all stakes go back if it never was. */
async function undo(forger: Forger, { id }: { id: number }, bets: number[]): Promise<void> {
  for (const member of [MIA, NILS]) await unpay(forger, id, member);
  for (const bet of bets) await unbet(forger, bet);
}

/** The last round never was, and a gap stands in its place. */
async function skip(forger: Forger, reason: string): Promise<void> {
  await undo(forger, LAST, BETS);
  await forger.run(`${gap(LAST, reason)}; ${forgotten(LAST.id)}`);
}

/** The log has that gap, where the next round opened. */
const gapLogged = (reason: "down" | "paused" | "clock", at: number) => (leaf: Leaf) =>
  leaf.kind === "open" && leaf.round === OPEN.name
    ? [{ kind: "gap", game: GAME, from: LAST.name, to: LAST.name, reason, at } as const, leaf]
    : leaf;
const gapAt = async (forger: Forger) => (await forger.one<{ at: number }>("select max(created_at) as at from gaps")).at;

const late = `update rounds set drawn_at = draws_at + ${HOUR_MS}, settled_at = draws_at + ${HOUR_MS} where id = ${LAST.id}`;
const undrawn = "seed = null, dice = null, drawn_at = null, settled_at = null";

/** All stakes go back, as if the beacon lay far ahead. */
const refundOf = ({ game, round, bets, stake, bets_root, closed: at }: Leaf<"close">): Leaf<"refund"> => {
  return { kind: "refund", game, round, bets, stake, bets_root, reason: "clock", at };
};

/** The last round stays open for a friend: it closes a minute and a half late. */
const closedLate = ({ now }: Forger) => now + 90_000;

/** What audit and strangers say of the dates in a log whose rounds take a beacon. */
function saidOfDates(leaves: readonly Leaf[]): Said {
  const { audit, problems } = checkDates(leaves);
  return { audit: audit.join("\n"), verifier: problems.join("\n") };
}

/** What acts on the coming round is stated as it opens, as if it had been announced two rounds before. */
const datedBack =
  (said: { kind: "pause"; reason: string } | { kind: "beacon"; mode: string }): NonNullable<Play["live"]> =>
  async () => {
    const leaf = { ...said, game: GAME, from: NEXT, at: OPENS - 1_000 };
    return saidOfDates(before(drandLog(), leaf, "open", { round: NEXT }));
  };
const DATED_BACK: Play["now"] = {
  audit: /^the log's .* it was dated back$/m,
  verifier: /is dated .*, and heads that came after that did not hold it\.$/m,
};

/** A game that begins with the open round, and has no anchor before. */
function newGame(leaf: Leaf): Leaf[] | Leaf {
  if (leaf.kind === "odds") return [leaf, freshOdds(leaf)];
  if (leaf.kind !== "open" || leaf.round !== OPEN.name) return leaf;
  const { length } = leaf.commit;
  const anchor = "fe".repeat(length / 2);
  return [{ kind: "anchor", game: "fresh", day: OPEN.name.slice(0, 8), anchor }, { ...leaf, game: "fresh" }, leaf];
}

function freshOdds(leaf: Leaf<"odds">): Leaf<"odds"> {
  const { hash: _, ...odds } = { ...leaf, game: "fresh" };
  return { ...odds, hash: ownHash(odds) };
}

export const rounds: Plays = {
  "swap-the-kind-of-a-game": [
    { data: "update games set kind = 'dice-faces'", now: { audit: /rules is dice-sum, the rows give dice-faces$/m } },
    {
      how: "in the log, from one round on",
      data: (forger) => forger.relog({ change: edited("open", { round: LAST.name }, { rules: "dice-faces" }) }),
      now: {
        audit: /rules is dice-faces, the rows give dice-sum$/m,
        witness: /^FORK: /,
        verifier: /the kind of game, its period or the unit is not that of its odds/,
      },
    },
  ],
  "void-a-drawn-round": [
    {
      data: (forger) => skip(forger, "down"),
      now: {
        audit: /^the log has the open of round k3-1m 20260304-0003, and the tables have no such round$/m,
        app: /^found: notCounted$/m,
      },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await skip(forger, "down");
        await forger.rewriteAll({ change: gapLogged("down", await gapAt(forger)) });
      },
      now: FORKED,
    },
    {
      how: "and logs the gap beside it",
      data: async (forger) => {
        const { at } = await forger.one<{ at: number }>(
          `select opened_at + 60000 as at from rounds where id = ${LAST.id}`,
        );
        const span = { game: "k3-1m", from: LAST.name, to: LAST.name };
        await forger.relog({
          change: followed("draw", { round: LAST.name }, () => ({ kind: "gap", ...span, reason: "down", at })),
        });
      },
      now: { witness: /^FORK: /, verifier: /20260304-0003: was opened and stands in a gap/ },
    },
  ],
  "void-an-open-round": {
    data: `${gap(OPEN, "down")}; ${forgotten(OPEN.id)}`,
    now: { audit: /^the log has the open of round k3-1m 20260304-0004, and the tables have no such round$/m },
  },
  "draw-an-hour-late": [
    {
      data: late,
      now: {
        audit: /^round k3-1m 20260304-0003 was drawn 3600 s after it was due, though the next round had opened$/m,
      },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await forger.run(late);
        await forger.rewriteAll();
      },
      now: { ...FORKED, audit: /was drawn 3600 s after it was due/ },
    },
  ],
  "call-a-drawn-round-paused": [
    {
      data: (forger) => skip(forger, "paused"),
      now: { audit: /the gap 20260304-0003 to 20260304-0003 says paused, but no pause covers it$/m },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await skip(forger, "paused");
        await forger.rewriteAll({ change: gapLogged("paused", await gapAt(forger)) });
      },
      now: {
        ...FORKED,
        audit: /says paused, but no pause covers it$/m,
        verifier: /the gap 20260304-0003 to 20260304-0003 has no pause that was announced in time/,
      },
    },
  ],
  "erase-a-round": [
    {
      data: forgotten(LAST.id),
      now: {
        audit: /^k3-1m: rounds 20260304-0003 to 20260304-0003 are missing without a gap record$/m,
        app: /^found: notCounted$/m,
      },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        await undo(forger, LAST, BETS);
        await forger.run(forgotten(LAST.id));
        await forger.rewriteAll();
      },
      now: {
        ...FORKED,
        audit: /are missing without a gap record$/m,
        verifier: /the rounds 20260304-0003 to 20260304-0003 were neither opened nor named in a gap/,
      },
    },
  ],
  "pause-just-before-a-bad-round": [
    {
      data: "update pauses set announced_at = announced_at + 120000 where id = 1",
      now: { audit: /the pause from 20260302-0008 was announced less than two rounds ahead$/m },
    },
    {
      how: "and logs it",
      data: (forger) =>
        forger.relog({
          change: (leaf) => (leaf.kind === "pause" ? { ...leaf, from: "20260302-0007" } : leaf),
        }),
      now: { witness: /^FORK: /, verifier: /acts before the round after next/ },
    },
  ],
  "draw-before-telling-the-head": {
    live: async (stage) => {
      await stage.bet();
      await stage.closing();
      await stage.result({ head: stage.life.result.head! + 3 });
    },
    now: { app: /^found: lateHead$/m },
  },
  "open-before-the-close-is-logged": {
    data: (forger) =>
      forger.relog({ change: delayed("close", { round: LAST.name }, "open", { round: OPEN.name }), asSaid: true }),
    now: { witness: /^FORK: /, verifier: /20260304-0004: opened before a head held the close of 20260304-0003/ },
  },
  "publish-an-anchor-late": {
    data: (forger) =>
      forger.relog({ change: delayed("anchor", { day: "20260304" }, "gap", { from: "20260302-0015" }), asSaid: true }),
    now: {
      witness: /^FORK: /,
      verifier: /20260304: the anchor was logged less than seven days before the first round/,
    },
  },
  "found-games-without-end": {
    data: (forger) => forger.relog({ change: newGame, asSaid: true }),
    now: { verifier: /^ {2}note {3}fresh 20260304: the anchor was logged less than seven days .* not proven\.$/m },
  },
  "open-a-later-round-early": {
    data: async (forger) => {
      await skip(forger, "clock");
      await forger.rewriteAll({ change: gapLogged("clock", await gapAt(forger)) });
    },
    now: { ...FORKED, verifier: /the rounds 20260304-0003 to 20260304-0003 never opened, for the reason `clock`/ },
  },
  "keep-betting-open-for-a-friend": [
    {
      data: (forger) =>
        forger.relog({ change: edited("close", { round: LAST.name }, { closed: closedLate(forger) }), asSaid: true }),
      now: { audit: /: closed is \d+, the rows give \d+$/m, verifier: /20260304-0003: closed 9\d s after its time/ },
    },
    {
      how: "and tells a member only then",
      live: async (stage) => ({ app: await stage.closingTooLate() }),
      now: { app: /: 1$/ },
    },
  ],
  "hide-what-a-gap-would-have-drawn": {
    data: (forger) =>
      forger.relog({
        change: edited("gap", { reason: "down" }, { at: forger.now - 2 * DAY_MS, to: "20260302-1440" }),
        asSaid: true,
      }),
    now: { witness: /^FORK: /, verifier: /what the gap would have drawn up to 20260302-1440 is due and was not shown/ },
  },
  "forge-what-a-gap-would-have-drawn": {
    data: (forger) =>
      forger.relog({
        change: followed("open", { round: "20260304-0001" }, ({ opens: at }) => ({
          kind: "skipped",
          game: GAME,
          from: "20260302-0015",
          to: "20260302-1440",
          seed: OTHER,
          at,
        })),
        asSaid: true,
      }),
    now: {
      audit: /skipped|20260302-1440/,
      witness: /^FORK: /,
      verifier: /the seeds that the gap 20260302-0015 to 20260302-1440 shows do not lead to the day's anchor/,
    },
  },
  "open-a-place-already-known": {
    data: `update rounds set number = 9 where id = 12; update rounds set number = 2 where id = ${LAST.id};
      update rounds set number = 3 where id = 12`,
    now: { audit: /was opened at a place that had been shown$/m },
  },
  "never-draw-a-lost-round": [
    {
      data: `update rounds set ${undrawn} where id = ${EARLIER.id}`,
      now: { audit: /^round k3-1m 20260302-0005 is not drawn: a server worked on for \d+ s after it was due$/m },
    },
    {
      how: "and makes the log anew",
      data: async (forger) => {
        for (const member of [MIA, NILS]) await unpay(forger, EARLIER.id, member, false);
        await forger.run(`update rounds set ${undrawn}, bet_count = 0, staked = 0 where id = ${EARLIER.id}`);
        await forger.rewriteAll();
      },
      now: {
        ...FORKED,
        audit: /^round k3-1m 20260302-0005 is not drawn: /m,
        verifier: /20260302-0005: the log has no `draw`/,
      },
    },
  ],
  "return-the-stakes-for-a-false-clock": [
    {
      data: (forger) => forger.relog({ change: followed("close", { round: LAST.name }, refundOf) }),
      now: { audit: /refund/, witness: FORKED.witness!, verifier: /stakes went back, which its rule does not allow/ },
    },
    {
      how: "to a member whose phone is there",
      live: async (stage) => {
        await stage.bet();
        await stage.closing();
        stage.phone.lies.round = (truth) => ({
          ...truth!,
          seed: null,
          opencode: null,
          drawn: null,
          refunded: truth!.due,
        });
        await stage.result();
        await stage.settled("4.00");
      },
      now: { app: /^found: payout$/m },
    },
  ],
  "date-the-return-of-stakes-back": {
    live: async () => saidOfDates(refunded(drandLog(), CLOSES - HOUR_MS - 1_000)),
    now: {
      audit: /^the log's refund of round .* it was dated back$/,
      verifier: /stakes went back at .*, as is said in a head of/,
    },
  },
  "date-an-announcement-back": [
    { how: "a pause", live: datedBack({ kind: "pause", reason: "new dice" }), now: DATED_BACK },
    { how: "another beacon", live: datedBack({ kind: "beacon", mode: "none" }), now: DATED_BACK },
  ],
  "log-two-draws-of-one-round": {
    data: (forger) =>
      forger.relog({
        change: followed("draw", { round: LAST.name }, (leaf) => ({ ...leaf, dice: [1, 1, 1] })),
      }),
    now: {
      audit: /^the log states the draw of round k3-1m 20260304-0003 twice, as leaf \d+ and as leaf \d+$/m,
      witness: /^FORK: /,
      verifier: /says a second time what was said before/,
    },
  },
};
