import { bytesToHex } from "@noble/hashes/utils.js";
import { describe, expect, it } from "vitest";
import { ownHash } from "#shared/log/leaf.ts";
import { seedOf } from "#shared/lottery/fairness.ts";
import { dayOf, HOUR_MS } from "#shared/time.ts";
import { chainFor, HOUSE, START } from "./honest-log.ts";
import { hashFor } from "./leaves.ts";
import { at, drand, GAME, next, place, rotation, round, said, second, Spoiled } from "./spoiled-log.ts";
import { base64Of, bytes } from "./world.ts";

const seed = (number: number, day = dayOf(START) + 8) => bytesToHex(seedOf(chainFor(GAME, day, 24), number));

/** How a log is spoiled, and all that the check calls a problem then. */
const SPOILED: [title: string, spoil: (log: Spoiled) => void, ...says: string[]][] = [
  [
    "an entry of an unknown kind",
    (log) => log.before("open", place, bytes('{"kind":"new"}')),
    "Leaf {at} is of an unknown kind or form, so nothing of this log is proven.",
  ],
  [
    "a head at a time that no clock shows",
    (log) => log.before("open", place, bytes(`{"kind":"time","time":${Number.MAX_SAFE_INTEGER}}`)),
    "Leaf {at} is of an unknown kind or form, so nothing of this log is proven.",
  ],
  [
    "an opening that is logged twice",
    (log) => log.after("close", place, log.get("open", place)),
    `Leaf {at} says a second time what was said before: open:${GAME}:${round}.`,
  ],
  [
    "a second draw of one round",
    (log) => log.after("draw", place, { ...log.get("draw", place), dice: [1, 1, 1] }),
    `Leaf {at} says a second time what was said before: draw:${GAME}:${round}.`,
  ],
  [
    "a member's leaf that is logged twice",
    (log) => log.after("draw", place, log.get("credit")),
    `Leaf {at} says a second time what was said before: credit:${hashFor(`${GAME} 20260302-0001 0`)}.`,
  ],
  [
    "a head that is dated before the one before it",
    (log) => log.before("open", place, { kind: "time", time: at(8, 3) + 7 }),
    "A head of 2026-03-10T03:00:00.007Z follows one of 2026-03-10T03:59:57.100Z: the times in the log go back.",
  ],
  ["a head without its time", (log) => log.entries.pop(), "The head does not end in its time."],
  [
    "an anchor on the eve of its day",
    (log) => log.before("draw", { game: GAME, round: "20260310-0001" }, log.remove("anchor", { day: "20260311" })),
    `${GAME} 20260311: the anchor was logged less than seven days before the first round, and nothing explains it.`,
  ],
  [
    "an anchor that is logged as its day begins",
    (log) => log.before("open", { game: GAME, round: "20260311-0001" }, log.remove("anchor", { day: "20260311" })),
    `${GAME} 20260311: the anchor was logged less than seven days before the first round, and nothing explains it.`,
  ],
  [
    "an anchor that another day had",
    (log) => log.change("anchor", { day: "20260319" }, { anchor: log.get("anchor", { day: "20260303" }).anchor }),
    `${GAME} 20260319: the anchor had been shown before.`,
  ],
  [
    "an anchor that is a seed of another day",
    (log) => log.change("anchor", { day: "20260319" }, { anchor: log.get("draw", { round: "20260302-0007" }).seed }),
    `${GAME} 20260319: the anchor had been shown before.`,
  ],
  [
    "odds that lack a rate",
    (log) => {
      const { hash, ...odds } = log.get("odds");
      const short = { ...odds, rates: [1_950] };
      log.after("open", place, { ...short, id: "short", hash: ownHash({ ...short, id: "short" }) });
      expect(hash).not.toBe("");
    },
    `${GAME}: the odds short do not fit their kind of game.`,
  ],
  [
    "odds with another period",
    (log) => {
      const { hash, ...odds } = { ...log.get("odds"), id: "daily", period: 86_400 };
      log.after("open", place, { ...odds, hash: ownHash(odds) });
      expect(hash).not.toBe(ownHash(odds));
    },
    `${GAME}: the odds daily have another period than those before.`,
  ],
  [
    "an opening with odds that come later",
    (log) => {
      const { hash, ...odds } = { ...log.get("odds"), id: "later" };
      log.after("open", place, { ...odds, hash: ownHash(odds) });
      log.change("open", place, { odds: "later", odds_hash: ownHash(odds) });
      expect(hash).not.toBe(ownHash(odds));
    },
    `${GAME} ${round}: opened with odds that the log had not named.`,
  ],
  [
    "an opening with lower odds under an old number",
    (log) => log.change("open", place, { odds_hash: hashFor("lower") }),
    `${GAME} ${round}: the odds do not have the hash of their leaf.`,
  ],
  [
    "an opening with odds that are not in force yet",
    (log) => {
      const { hash, ...odds } = { ...log.get("odds"), id: "soon", from: at(9, 0) };
      log.before("open", place, { ...odds, hash: ownHash(odds) });
      log.change("open", place, { odds: "soon", odds_hash: ownHash(odds) });
      expect(hash).not.toBe(ownHash(odds));
    },
    `${GAME} ${round}: opened with odds that were not in force yet.`,
  ],
  [
    "a round of another kind than its odds",
    (log) => log.change("open", place, { unit: "usd" }),
    `${GAME} ${round}: the kind of game, its period or the unit is not that of its odds.`,
  ],
  [
    "a round that takes bets for longer than its place allows",
    (log) => log.change("open", place, { closes: log.get("open", place).closes + 1 }),
    `${GAME} ${round}: opened with other times than those of its place.`,
  ],
  [
    "a day without an anchor",
    (log) => log.remove("anchor", { day: "20260313" }),
    `${GAME} 20260313-0001: the first round of a day that was opened before its anchor was logged.`,
  ],
  [
    "a commit of another chain",
    (log) => log.change("open", place, { commit: hashFor("other") }),
    `${GAME} ${round}: the commit does not lead to the day's anchor.`,
  ],
  [
    "another day's chain behind a published anchor",
    (log) => log.change("draw", place, { seed: seed(5, dayOf(START) + 30) }),
    `${GAME} ${round}: the seed does not have the hash that the opening names.`,
    `${GAME} ${round}: the seed gives other dice.`,
  ],
  [
    "a seed that was shown before",
    (log) => log.change("draw", place, { seed: log.get("draw", { round: "20260302-0003" }).seed }),
    `${GAME} ${round}: the seed does not have the hash that the opening names.`,
    `${GAME} ${round}: the seed had been shown before.`,
    `${GAME} ${round}: the seed gives other dice.`,
  ],
  [
    "a round under another rule than was announced",
    (log) => log.change("open", place, { beacon_rule: drand(1) }),
    `${GAME} ${round}: opened with other times than those of its place.`,
    `${GAME} ${round}: opened under another beacon rule than the log announces.`,
  ],
  [
    "a beacon mode that acts at once",
    (log) =>
      log.after("open", place, { kind: "beacon", game: GAME, mode: "none", from: "20260310-0006", at: at(8, 4) + 60 }),
    `${GAME}: the beacon rule from 20260310-0006 on was announced less than two rounds ahead.`,
  ],
  [
    "an opening below a place that was shown",
    (log) => {
      const [close, ...rest] = (["open", "close", "draw", "settle"] as const).map((kind) => log.remove(kind, place));
      log.after(
        "draw",
        { game: GAME, round: next },
        close!,
        rest[0]!,
        { kind: "time", time: at(8, 6) + 600 },
        rest[1]!,
        rest[2]!,
      );
    },
    `${GAME}: the rounds ${round} to ${round} were neither opened nor named in a gap.`,
    `${GAME} ${round}: opened although this place, or a later one of the day, had been shown.`,
  ],
  [
    "an opening long before its time",
    (log) => {
      const gap = log.remove("gap", { reason: "paused" });
      const open = log.remove("open", { game: GAME, round: "20260307-0023" });
      log.after("resume", {}, gap, open);
    },
    `${GAME} 20260307-0023: opened before its time.`,
  ],
  [
    "an opening before a head holds the close before it",
    (log) => log.before("close", place, log.remove("open", { game: GAME, round: next })),
    `${GAME} ${next}: opened before a head held the close of ${round}.`,
  ],
  [
    "an opening before a head holds the close of a round that was drawn and paid",
    (log) => {
      const [close, draw, settle] = (["close", "draw", "settle"] as const).map((kind) => log.remove(kind, place));
      log.before("open", { game: GAME, round: next }, draw!, settle!);
      log.after("open", { game: GAME, round: next }, close!);
    },
    `${GAME} ${round}: drawn before a head held its close.`,
    `${GAME} ${round}: more was paid than bets can have won.`,
    `${GAME} ${next}: opened before a head held the close of ${round}.`,
  ],
  [
    "a round that was never opened",
    (log) => log.remove("open", place),
    `${GAME} ${round}: the log has a \`close\` and no opening.`,
    `${GAME} ${round}: the log has a \`draw\` and no opening.`,
    `${GAME} ${round}: the log has a \`settle\` and no opening.`,
    `${GAME}: the rounds ${round} to ${round} were neither opened nor named in a gap.`,
  ],
  [
    "rounds that are missing without a gap",
    (log) => log.change("gap", { reason: "down" }, { from: "20260304-0016" }),
    `${GAME}: the rounds 20260304-0014 to 20260304-0015 were neither opened nor named in a gap.`,
    `${GAME}: the seeds of 20260304-0014 to 20260304-0024 were shown, and these rounds are in no gap.`,
  ],
  [
    "a drawn round that is called a gap",
    (log) => log.change("gap", { reason: "down" }, { from: "20260304-0012" }),
    `${GAME} 20260304-0012: was opened and stands in a gap.`,
    `${GAME} 20260304-0013: was opened and stands in a gap.`,
  ],
  [
    "an open round that is called a gap, and its close",
    (log) =>
      log.after("open", place, { kind: "gap", game: GAME, from: round, to: round, reason: "clock", at: at(8, 4) + 90 }),
    `${GAME} ${round}: was opened and stands in a gap.`,
    `${GAME} ${round}: was opened and stands in a gap.`,
  ],
  [
    "a gap that calls itself paused",
    (log) => log.change("gap", { reason: "down" }, { reason: "paused" }),
    `${GAME}: the gap 20260304-0014 to 20260306-0002 has no pause that was announced in time.`,
  ],
  [
    "a pause that acts at once",
    (log) => log.change("pause", {}, { at: at(5, 11) + 10 }),
    `${GAME}: the pause, or its end, from 20260307-0013 on acts before the round after next.`,
    `${GAME}: the gap 20260307-0013 to 20260307-0022 has no pause that was announced in time.`,
  ],
  [
    "a pause that was dated back",
    (log) => log.before("resume", {}, log.remove("pause", {})),
    `${GAME}: the \`pause\` from 20260307-0013 on is dated 2026-03-07T10:30:00.010Z, and heads that came after that did not hold it.`,
  ],
  [
    "seeds of a gap that were invented",
    (log) => log.change("skipped", { to: "20260304-0024" }, { seed: hashFor("invented") }),
    `${GAME}: the seeds that the gap 20260304-0014 to 20260304-0024 shows do not lead to the day's anchor.`,
    `${GAME}: what the gap would have drawn up to 20260304-0024 is due and was not shown.`,
  ],
  [
    "seeds of rounds that are in no gap",
    (log) => {
      const to = "20260309-0024";
      const leaf = {
        kind: "skipped",
        game: GAME,
        from: to,
        to,
        seed: seed(24, dayOf(START) + 7),
        at: at(8, 4),
      } as const;
      log.after("open", place, leaf);
    },
    `${GAME}: the seeds of 20260309-0024 to 20260309-0024 were shown, and these rounds are in no gap.`,
  ],
  [
    "seeds of a gap that are kept back",
    (log) => log.remove("skipped", { to: "20260305-0024" }),
    `${GAME}: what the gap would have drawn up to 20260305-0024 is due and was not shown.`,
  ],
  [
    "a draw before a head holds its close",
    (log) => log.after("close", place, log.remove("draw", place)),
    `${GAME} ${round}: drawn before a head held its close.`,
  ],
  [
    "dice that are typed in",
    (log) => log.change("draw", place, { dice: [6, 6, 6] }),
    `${GAME} ${round}: the seed gives other dice.`,
  ],
  [
    "a beacon that nobody allowed",
    (log) => log.change("draw", place, { beacon: "ab" }),
    `${GAME} ${round}: the draw has a beacon that its opening does not allow.`,
  ],
  [
    "a draw that says that it was due later",
    (log) => log.change("draw", place, { due: log.get("draw", place).due + HOUR_MS }),
    `${GAME} ${round}: the draw names another time than its opening.`,
  ],
  [
    "a settlement before the draw",
    (log) => log.after("close", place, log.remove("settle", place)),
    `${GAME} ${round}: settled before it was drawn.`,
  ],
  [
    "more payouts than bets",
    (log) => log.change("settle", place, { payouts: 60 }),
    `${GAME} ${round}: more was paid than bets can have won.`,
  ],
  [
    "a payout where nobody had bet",
    (log) =>
      log.after(
        "draw",
        { game: GAME, round: "20260310-0004" },
        { ...log.get("settle", place), round: "20260310-0004" },
      ),
    `${GAME} 20260310-0004: more was paid than bets can have won.`,
  ],
  [
    "stakes that go back without a beacon",
    (log) => {
      const { bets, stake, bets_root } = log.get("close", place);
      log.remove("settle", place);
      const leaf = {
        kind: "refund",
        ...place,
        bets,
        stake: stake + 1,
        bets_root,
        reason: "clock",
        at: at(8, 5),
      } as const;
      log.before("draw", place, leaf);
      log.remove("draw", place);
    },
    `${GAME} ${round}: stakes went back, which its rule does not allow.`,
    `${GAME} ${round}: other stakes went back than the close names.`,
  ],
  [
    "a lost round that is never drawn",
    (log) => {
      log.remove("draw", place);
      log.remove("settle", place);
    },
    `${GAME} ${round}: the log has no \`draw\`, which was due at 2026-03-10T05:00:00.000Z.`,
  ],
  [
    "a round that is never paid",
    (log) => log.remove("settle", place),
    `${GAME} ${round}: the log has no \`settle\`, which was due at 2026-03-10T05:00:00.030Z.`,
  ],
  ["a seal that is left out", (log) => log.remove("seal", { number: 7 }), "The seal 8 does not follow the seal 6."],
  [
    "a seal over other rows",
    (log) => log.change("seal", { number: 7 }, { root: hashFor("others") }),
    "The seal 7 is not made from its root and the seal before.",
  ],
  [
    "a log without seals from some day on",
    (log) => {
      const from = log.entries.findIndex((leaf) => "kind" in leaf && leaf.kind === "seal" && leaf.at > at(8, 10.5));
      const rest = log.entries.splice(from).filter((leaf) => !("kind" in leaf) || leaf.kind !== "seal");
      log.entries.push(...rest);
    },
    "Money has moved since 2026-03-10T10:59:57.020Z, and no seal covers it.",
  ],
  [
    "a restore in the middle",
    (log) =>
      log.before("open", place, {
        kind: "restore",
        number: 1,
        reason: "the disk failed",
        old: `house.example/old\n0\n${base64Of(new Uint8Array(32))}\n`,
        kept: 0,
        kept_root: hashFor("kept"),
        at: at(8, 4),
      }),
    "Leaf {at} restores another log, and is not the first leaf.",
  ],
  [
    "a replaced key that signs on",
    (log) => log.before("open", place, rotation(HOUSE, second, 5)),
    "The head is signed by another key than the log names last.",
  ],
];

describe("a spoiled log", () => {
  it.each(SPOILED)("with %s is told", (_title, spoil, ...says) => {
    const log = new Spoiled();
    spoil(log);
    const at = String(log.firstOther());
    expect(said(log.verdict(), "problem")).toEqual(says.map((sentence) => sentence.replace("{at}", at)));
  });
});
