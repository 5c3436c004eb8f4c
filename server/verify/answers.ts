import {
  anything,
  either,
  listOf,
  nothing,
  number,
  text,
  withFields,
  type ShapeOf,
} from "#shared/log/evidence/shape.ts";
import { code, day, hash, id, listOf as atMost, oneOf, round, time, whole, type Check } from "#shared/log/fields.ts";
import { GAP_REASONS } from "#shared/lottery/pauses.ts";
import { isTimetable } from "#shared/lottery/schedule.ts";

/*
 * The forms of what a site answers. What is printed of it stands above the verdict, so it must be unable to write one.
 */
const MOST_DICE = 64;
const dice = either(atMost(whole, MOST_DICE), nothing);
const isPeriod: Check<number> = (value): value is number => isTimetable({ periodS: value as number, closeS: 2 });
const flag: Check<boolean> = (value): value is boolean => typeof value === "boolean";
/** A rule, a beacon or a signature, whether there is such a one or not: the checks say so. */
const word: Check<string> = (value): value is string =>
  typeof value === "string" && /^[A-Za-z0-9:._-]{0,1024}$/.test(value);

const odds = withFields({
  game: code,
  id,
  period: whole,
  close: whole,
  unit: code,
  from: time,
  hash,
  options: listOf(withFields({ type: code, milli: listOf(number), pays: listOf(text) })),
});

/** A round, as `/fair/round` has it. Of its places in the log nothing is believed, so they may be anything. */
export const fairRound = withFields(
  {
    kind: code,
    index: whole,
    commit: either(hash, nothing),
    seed: either(hash, nothing),
    rule: word,
    beacon: word,
    beacon_signature: word,
    opencode: dice,
    odds: either(odds, nothing),
    closes: time,
    due: time,
    drawn: either(time, nothing),
    gap: either(withFields({ from: round, to: round, reason: oneOf(...GAP_REASONS), opencode: dice }), nothing),
  },
  { logged: withFields({}, { open: anything, anchor: anything }) },
);
export type FairRound = ShapeOf<typeof fairRound>;

export const fairAnchors = listOf(withFields({ day, anchor: hash }));
export const fairPauses = listOf(withFields({ from: round, paused: flag, announced: either(time, nothing) }));
export const fairOrigins = listOf(withFields({ key: text, head: text, leaf: text, path: listOf(hash) }));
export const gamePeriod = withFields({ period: isPeriod });
export const gameId = withFields({ id });
export const publishedOdds = listOf(withFields({ type: code, pays: listOf(text), rtp: number, probability: number }));
export const exportKeys = withFields({ key: hash, keys: listOf(withFields({ key: hash })) });
