import { createHash, createHmac } from "node:crypto";
import { isBeaconRight, type SecondChain } from "./recompute-beacon.ts";
import { diceOfKind, timesOf } from "./recompute-kinds.ts";

/**
 * The public rules of the draw, written a second time without the project's code. A mistake would have to be made
 * twice.
 */

/** A drawn round as /fair/round shows it. */
export interface PublicRound {
  key: string;
  expect: string;
  kind: string;
  index: number;
  commit: string | null;
  seed: string | null;
  rule: string;
  beacon: string;
  opencode: readonly number[] | null;
  anchor: string;
  /** Of a round with a public beacon. */
  signature?: string;
  closes?: number;
  due?: number;
}

const sha256 = (hex: string) => createHash("sha256").update(Buffer.from(hex, "hex")).digest("hex");

/** Hashes the seed as often as its round's number: the result is the day's anchor. */
export function anchorFrom(seed: string, index: number): string {
  let link = seed;
  for (let i = 0; i < index; i++) link = sha256(link);
  return link;
}

export function diceFrom(seed: string, message: string, count = 3): number[] {
  const dice: number[] = [];
  for (let block = 0; dice.length < count; block++) {
    const hmac = createHmac("sha256", Buffer.from(seed, "hex")).update(block ? `${message}:${block}` : message);
    for (const byte of hmac.digest()) if (byte < 252 && dice.length < count) dice.push((byte % 6) + 1);
  }
  return dice;
}

/** The faults of a drawn round, in words; none when it is genuine. */
export function faultsOf(drawn: PublicRound, chain?: SecondChain): string[] {
  const { key, expect, kind, index, commit, seed, rule, beacon, opencode, anchor } = drawn;
  const { signature = "", closes = 0, due = 0 } = drawn;
  if (seed === null || opencode === null) return [`${expect} is not drawn`];
  const faults: string[] = [];
  if (index !== Number(expect.slice(9))) faults.push(`${expect} has the number ${index}`);
  if (sha256(seed) !== commit) faults.push(`the seed of ${expect} is not the committed one`);
  if (anchorFrom(seed, index) !== anchor) faults.push(`the seed of ${expect} does not lead to the anchor`);
  if (!isBeaconRight({ rule, beacon, signature, closes, due }, chain))
    faults.push(`${expect} has the beacon "${beacon}" under the rule ${rule}`);
  const dice = diceFrom(seed, `${key}:${expect}:${rule === "none" ? "" : beacon}`, diceOfKind(kind));
  if (dice.join() !== opencode.join()) faults.push(`${expect} gives ${dice.join()} and not ${opencode.join()}`);
  return faults;
}

/** Whether an option of getLotteryPeilv wins with these dice, in a game of sums. */
export const isWon = (type: string, dice: readonly number[]): boolean => timesOf("dice-sum", type, dice) > 0;

/** Odds in 1/1000 by option and by number of hits, from the decimal strings of getLotteryPeilv. */
export type WireOdds = Map<string, bigint[]>;

export function oddsByType(odds: { type: string; pays: string[] }[]): WireOdds {
  const milli = (decimal: string) => {
    const [whole, part = ""] = decimal.split(".");
    return BigInt(whole! + part.padEnd(3, "0"));
  };
  return new Map(odds.map(({ type, pays }) => [type, pays.map(milli)]));
}

interface Game {
  kind?: string;
  /** The smallest amount that is paid, in 1/100 unit: 100 in a currency without decimals. */
  step?: number;
}

/** What a bet of `units` on each option pays, in 1/100 unit: stake × odds for each that wins, rounded down. */
export function winOf(item: string, units: number, odds: WireOdds, dice: readonly number[], game: Game = {}): number {
  const { kind = "dice-sum", step = 1 } = game;
  const wins = item.split(",").map((type) => {
    const times = timesOf(kind, type, dice);
    return times ? Number((BigInt(units) * 100n * odds.get(type)![times - 1]!) / (1000n * BigInt(step))) * step : 0;
  });
  return wins.reduce((sum, win) => sum + win, 0);
}

/** A decimal amount on the wire, in 1/100 unit. */
export function cents(decimal: string): number {
  if (!/^-?\d+\.\d\d$/.test(decimal)) throw new Error(`not an amount: ${decimal}`);
  return Number(decimal.replace(".", ""));
}

/** A small seeded random generator (mulberry32), so that a failing run can be repeated: from 0 up to 1. */
export function dicer(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
