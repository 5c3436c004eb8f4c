import * as z from "zod/mini";
import { get } from "./endpoint.ts";
import { Hex256, Id, maybe, RoundText, WholeNumber } from "./values.ts";
import { GAP_REASONS } from "#shared/lottery/pauses.ts";
import { DiceValues } from "./lottery.ts";

/** A number of leaves. */
const Size = WholeNumber(0, Number.MAX_SAFE_INTEGER);
const Path = z.array(Hex256);

export const fairHead = get("/fair/head", {
  access: "guest",
  input: z.object({}),
  reply: z.object({
    /** The newest head: a signed note (docs/log.md). Null before the first. */
    head: z.nullable(z.string()),
    /** The key that signed it, as a vkey. Its name is the log's origin. */
    key: z.string(),
    /** The leaves that replaced earlier keys, by their numbers. They lead from the first key to this one. */
    changes: z.array(z.int()),
    /** The newest head that a witness has signed, with the signatures. Null without one. */
    cosigned: z.nullable(z.string()),
    /** Who signs heads beside the house, as vkeys, and how many of them have to. */
    witnesses: z.object({ keys: z.array(z.string()), needed: z.int() }),
  }),
  summary: "The newest head of the public log",
});

export const fairConsistency = get("/fair/consistency", {
  access: "guest",
  refuses: ["object.unknown"],
  input: z.object({ from: Size, to: Size }),
  reply: z.object({ from: z.int(), to: z.int(), path: Path }),
  summary: "The proof that one head of the log begins with another one",
});

export const fairOrigins = get("/fair/origins", {
  access: "guest",
  input: z.object({}),
  reply: z.array(
    z.object({
      /** The key that the log began with, as a vkey. Its name is the log's origin. */
      key: z.string(),
      /** Its first head: a signed note. */
      head: z.string(),
      /** Its first leaf, which names the log before, and the path to the root of that head. */
      leaf: z.string(),
      path: Path,
    }),
  ),
  summary: "Each later log of this house after a restore, with the proof of which one it continues",
});

export const fairHour = get("/fair/hour", {
  access: "guest",
  input: z.object({}),
  reply: z.nullable(
    z.object({
      /** The full hour, UTC, in ms. */
      hour: z.int(),
      /** The first head that is not older: a signed note. */
      head: z.string(),
      /** Its time: its last leaf, and the path to its root. */
      leaf: z.string(),
      path: Path,
    }),
  ),
  summary: "The first head since the full hour, which two devices compare by words",
});

const LoggedRound = z.object({
  expect: z.string(),
  index: z.int(),
  commit: Hex256,
  seed: Hex256,
  rule: z.string(),
  beacon: z.string(),
  opencode: DiceValues,
  bets: z.int(),
  /** The root over its bets, as its closing in the log says it. Null for a round from before the log. */
  bets_root: z.nullable(Hex256),
  stake: z.string(),
  /** Null until it is settled. */
  payout: z.nullable(z.string()),
});

const LoggedGap = z.object({ gap_from: z.string(), gap_to: z.string(), reason: z.enum(GAP_REASONS) });

export const fairLog = get("/fair/log", {
  access: "guest",
  refuses: ["object.unknown"],
  input: z.object({ key: Id, from: RoundText }),
  reply: z.array(z.union([LoggedRound, LoggedGap])),
  summary: "Drawn rounds and gaps in order, from a round on, at most 1,000",
});

export const fairMine = get("/fair/mine", {
  access: "session",
  whileLocked: true,
  input: z.object({ from: maybe(WholeNumber(1, 2_147_483_647)) }),
  reply: z.object({
    /** The newest head, which `place` speaks of. Null before the first. */
    head: z.nullable(z.string()),
    /** The newest leaf, a signed note. */
    chain: z.string(),
    leaves: z.array(
      z.object({
        /** Counts the member's leaves, from 1. */
        number: z.int(),
        /** What the log shows of it: the hash of salt and content. */
        hash: Hex256,
        content: z.string(),
        salt: Hex256,
        /** Where it stands in the head, and the path to its root. Null while it is not in it. */
        place: z.nullable(z.object({ index: z.int(), path: Path })),
      }),
    ),
  }),
  summary: "What the public log says of oneself, from a number on, at most 100 leaves",
});

export const fairTable = get("/fair/table", {
  access: "guest",
  refuses: ["object.unknown"],
  input: z.object({ hash: Id }),
  reply: z.object({
    /** The newest head: a signed note. */
    head: z.string(),
    /** The leaf that states the table, its place in that head, and the path to its root. */
    leaf: z.string(),
    index: z.int(),
    path: Path,
  }),
  summary: "The proof that the log states a table of prizes of the wheel, by its hash",
});

/** A leaf's text and number in the log. Null until it has one, and where the log of the closing has none. */
const Logged = z.nullable(z.object({ leaf: z.string(), number: z.int() }));

export const fairProof = get("/fair/proof", {
  access: "session",
  whileLocked: true,
  refuses: ["object.unknown", "bet.foreign"],
  input: z.object({ id: Id }),
  reply: z.object({
    /** The bet as its leaf says it, and what hides it from others. */
    bet: z.string(),
    salt: Hex256,
    mark_salt: Hex256,
    /** Its place among the bets of the round, and the path to their root. */
    index: z.int(),
    count: z.int(),
    path: Path,
    bets_root: Hex256,
    /**
     * The closing in the log, the opening before it, which fixed the terms, the draw, and what the round paid; or that its
     * stakes went back.
     */
    close: Logged,
    open: Logged,
    draw: Logged,
    settle: Logged,
    refund: Logged,
  }),
  summary: "The proof that a bet of one's own was counted",
});

export const fairPayout = get("/fair/payout", {
  access: "session",
  whileLocked: true,
  refuses: ["object.unknown", "bet.foreign"],
  input: z.object({ id: Id }),
  reply: z.object({
    /** What the bet's round paid in all, in the log. */
    settle: Logged,
    /** What it paid the member, as its leaf says it, what hides that, its place among the payouts, and the path to their root. */
    paid: z.nullable(z.object({ content: z.string(), salt: Hex256, index: z.int(), path: Path })),
  }),
  summary: "The proof of what the round of a bet of one's own paid, all its bets together; null for nothing",
});
