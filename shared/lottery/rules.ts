import { MINOR_PER_UNIT, type Money } from "#shared/money.ts";

/** Faces in the order they fell. */
export type Draw = readonly number[];

/** A set of options, one bit each. */
export type OptionMask = bigint;

/** Rates in 1/1000, stake included: the first option's, by how often it falls, then the next option's. */
export type OddsMilli = readonly number[];

/** An option to bet on. */
export interface Option {
  /** Its code on the wire, unique within its kind. */
  type: string;
  /** Its part of the board. */
  group: string;
  color: string;
  /** Its name: a key below `option` in the locales, and what fills it. */
  name: { key: `option.${string}`; values?: Record<string, string | number> };
  /** How often it falls in this draw; 0 loses. */
  times(draw: Draw): number;
  /** The most times it can fall. It has as many rates. */
  most: number;
}

/** The rules of a kind of game: all that differs from one kind to another. */
export interface Rules {
  kind: string;
  /** The class's key on the wire. Its name is `game.class.<key>` in the locales, its icon `/icons/<key>.svg`. */
  classKey: string;
  dice: number;
  faces: 6;
  /** At most 63. An option's place is its bit in a mask and never changes: bets are stored with it. */
  options: readonly Option[];
  /** The odds of a new game. A getter counts them when they are asked for: phones, which start with all kinds, never ask. */
  odds: OddsMilli;
  /** Turns bytes into a draw, in order. Null when they run out. */
  drawFrom(bytes: Iterable<number>): Draw | null;
  /** What the wire shows of a draw besides its faces. Size and parity are null where the draw has none. */
  view(draw: Draw): { sum: number; size: "big" | "small" | null; parity: "odd" | "even" | null };
}

/** The most characters of an option's code. */
export const LONGEST_CODE = 8;

/** As many bits as a signed 64-bit integer has, which both databases store. */
export const MOST_OPTIONS = 63;

/** The highest rate: even the largest stake still pays a safe integer. */
export const MAX_RATE_MILLI = 4_500_000;

interface Layout {
  /** The place of an option by its code. */
  places: ReadonlyMap<string, number>;
  /** Where an option's rates begin. */
  rates: readonly number[];
  /** How many rates there are. */
  length: number;
}

const layouts = new WeakMap<Rules, Layout>();

function layoutOf(rules: Rules): Layout {
  let layout = layouts.get(rules);
  if (!layout) {
    const rates: number[] = [];
    let length = 0;
    for (const { most } of rules.options) {
      rates.push(length);
      length += most;
    }
    const places = new Map(rules.options.map(({ type }, place) => [type, place]));
    layouts.set(rules, (layout = { places, rates, length }));
  }
  return layout;
}

/** The place of an option by its code on the wire; undefined for an unknown code. */
export const placeOfType = (rules: Rules, type: string): number | undefined => layoutOf(rules).places.get(type);

/** How many rates a game of the kind has. */
export const rateCount = (rules: Rules): number => layoutOf(rules).length;

/** The rates of the option at this place, by how often it falls. */
export function ratesOf(rules: Rules, place: number, milli: OddsMilli): OddsMilli {
  const from = layoutOf(rules).rates[place]!;
  return milli.slice(from, from + rules.options[place]!.most);
}

/** The mask of some codes. Throws RangeError for an unknown code. */
export function maskOf(rules: Rules, types: readonly string[]): OptionMask {
  let mask = 0n;
  for (const type of types) {
    const place = placeOfType(rules, type);
    if (place === undefined) throw new RangeError(`${rules.kind} has no option ${type}`);
    mask |= 1n << BigInt(place);
  }
  return mask;
}

/** The places of the options in a mask, in order. Bits beyond the kind's options are ignored. */
export function placesOf(rules: Rules, mask: OptionMask): number[] {
  return [...rules.options.keys()].filter((place) => mask & (1n << BigInt(place)));
}

/** Whether a mask holds at least one option, and only options of the kind. */
export const isMask = (rules: Rules, mask: OptionMask): boolean =>
  mask > 0n && mask >> BigInt(rules.options.length) === 0n;

/** Whether a draw has the right number of dice, with valid faces. */
export const isDraw = ({ dice, faces }: Rules, draw: Draw): boolean =>
  draw.length === dice && draw.every((face) => Number.isInteger(face) && face >= 1 && face <= faces);

/**
 * stake × rate for one option, rounded down to what the site's unit can pay (`stepOf`). The stake is whole units, so every
 * product stays a safe integer.
 */
export function payoutAt(stake: Money, rateMilli: number, step: Money): Money {
  const paid = Math.floor(((stake / MINOR_PER_UNIT) * rateMilli) / (1_000 / MINOR_PER_UNIT));
  return paid - (paid % step);
}

/** An option that falls in a draw, and the rate it pays then. */
export interface Winner {
  place: number;
  bit: OptionMask;
  rateMilli: number;
}

/** The options that win with a draw. */
export function winnersOf(rules: Rules, draw: Draw, milli: OddsMilli): Winner[] {
  const { rates } = layoutOf(rules);
  return rules.options.flatMap((option, place) => {
    const times = option.times(draw);
    return times > 0 ? [{ place, bit: 1n << BigInt(place), rateMilli: milli[rates[place]! + times - 1]! }] : [];
  });
}

interface StakedMask {
  /** On each option. */
  stake: Money;
  mask: OptionMask;
}

/** What a bet pays for these winners: the sum of its options, each rounded by itself. */
export function payoutAmong(winners: readonly Winner[], { stake, mask }: StakedMask, step: Money): Money {
  return winners.reduce((sum, { bit, rateMilli }) => (mask & bit ? sum + payoutAt(stake, rateMilli, step) : sum), 0);
}

/** What a bet pays. */
export const payoutOf = (rules: Rules, bet: StakedMask, draw: Draw, milli: OddsMilli, step: Money): Money =>
  payoutAmong(winnersOf(rules, draw, milli), bet, step);

/** How many options a mask holds. */
export function bitsIn(mask: OptionMask): number {
  let bits = 0;
  for (let left = mask; left > 0n; left &= left - 1n) bits++;
  return bits;
}
