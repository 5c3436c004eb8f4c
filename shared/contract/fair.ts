import * as z from "zod/mini";
import { get } from "./endpoint.ts";
import { DiceValues } from "./lottery.ts";
import { Hex256, Id, Langs, Millis, RoundText } from "./values.ts";
import { GAP_REASONS } from "#shared/lottery/pauses.ts";

/** Odds with all that their hash covers (`shared/lottery/odds-record.ts`). The public log has them under this hash. */
const Odds = z.object({
  game: z.string(),
  id: z.string(),
  period: z.int(),
  close: z.int(),
  unit: z.string(),
  from: Millis,
  hash: Hex256,
  /** What each option pays, by how often it falls: in 1/1000, and as decimals. */
  options: z.array(z.object({ type: z.string(), milli: z.array(z.int()), pays: z.array(z.string()) })),
});

/** Why a round was never opened, in which gap, and the dice it would have drawn. */
const Gap = z.object({
  from: z.string(),
  to: z.string(),
  reason: z.enum(GAP_REASONS),
  /** Null until the seed may be shown: after the planned draw, and once nobody can open the round. */
  opencode: z.nullable(DiceValues),
});

export const fairRound = get("/fair/round", {
  access: "guest",
  refuses: ["object.unknown"],
  input: z.object({ key: Id, expect: RoundText }),
  reply: z.object({
    key: z.string(),
    expect: z.string(),
    /** The kind of game. Its rules turn the bytes into dice. */
    kind: z.string(),
    index: z.int(),
    /** Null while the seeds of a gap are not shown yet. */
    commit: z.nullable(Hex256),
    seed: z.nullable(Hex256),
    /** Where the beacon comes from, fixed as the round opened: `none`, or `drand:CHAIN:ROUND`. */
    rule: z.string(),
    /** What is mixed into the draw: the SHA-256 of the signature. Empty under `none`, and until the draw. */
    beacon: z.string(),
    /** The chain's signature on the round that the rule names. */
    beacon_signature: z.string(),
    opencode: z.nullable(DiceValues),
    anchor: Hex256,
    /** The odds of all its bets; null for a round in a gap. */
    odds: z.nullable(Odds),
    /** When betting was to close, when its draw was planned, and when it was drawn. */
    closes: Millis,
    due: Millis,
    drawn: z.nullable(Millis),
    /** When its stakes went back, because its beacon lies more than an hour ahead. Such a round is never drawn. */
    refunded: z.nullable(Millis),
    /** Null for a round that was opened. */
    gap: z.nullable(Gap),
    /**
     * Where the log of today states what the round opened with, and its day's anchor: the numbers of the leaves. Null for
     * what it does not have.
     */
    logged: z.object({ open: z.nullable(z.int()), anchor: z.nullable(z.int()) }),
  }),
  summary: "What is needed to check a draw",
});

export const fairAnchors = get("/fair/anchors", {
  access: "guest",
  refuses: ["object.unknown"],
  input: z.object({ key: Id }),
  reply: z.array(
    z.object({
      day: z.string(),
      anchor: Hex256,
      /**
       * Where the log says it: the number of its leaf, the size of the first head that holds it, and the time of that head.
       * Null until a head does, and for days of more than a month ago.
       */
      told: z.nullable(z.object({ number: z.int(), head: z.int(), time: Millis })),
    }),
  ),
  summary: "The anchor of each day, seven days ahead",
});

export const fairGaps = get("/fair/gaps", {
  access: "guest",
  refuses: ["object.unknown"],
  input: z.object({ key: Id }),
  reply: z.array(z.object({ gap_from: z.string(), gap_to: z.string(), reason: z.enum(GAP_REASONS) })),
  summary: "Rounds that were never opened, and why",
});

export const fairBeacons = get("/fair/beacons", {
  access: "guest",
  refuses: ["object.unknown"],
  input: z.object({ key: Id }),
  reply: z.array(
    z.object({
      game: z.string(),
      /** `none`, or `drand:CHAIN`. Before the first change it is `none`. */
      mode: z.string(),
      /** The first round that it acts on. */
      from: z.string(),
      at: Millis,
    }),
  ),
  summary: "Changes of a game's beacon, as they were announced, at least two rounds ahead",
});

export const fairPauses = get("/fair/pauses", {
  access: "guest",
  refuses: ["object.unknown"],
  input: z.object({ key: Id }),
  reply: z.array(
    z.object({
      /** The first round that it acts on. */
      from: z.string(),
      /** True where rounds are no longer opened, false where they are again. */
      paused: z.boolean(),
      reason: z.nullable(z.string()),
      ...Langs,
      /** Null for a pause from before pauses were announced. */
      announced: z.nullable(Millis),
    }),
  ),
  summary: "Pauses of a game and their ends, as they were announced, at least two rounds ahead",
});
