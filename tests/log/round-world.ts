import type { BeaconCheck } from "#shared/log/check/context.ts";
import { Game } from "#shared/log/check/game.ts";
import { PlanCheck } from "#shared/log/check/plan-check.ts";
import { RoundCheck } from "#shared/log/check/round-check.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { chainOfDay, drawOf, seedOf } from "#shared/lottery/fairness.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { DAY_MS, dayOf, dayText, HOUR_MS, SECOND_MS } from "#shared/time.ts";
import { checkContext } from "./check-context.ts";
import { LEAF } from "./leaves.ts";
import { bytes, hexOf, serverHash, sha256 } from "./world.ts";

export const T = Date.UTC(2026, 2, 20);
export const GAME = "k3-1h";
const timetable = { periodS: 3_600, closeS: 3 };
export const DAY = dayText(dayOf(T));
export const MODE = `drand:${"ab".repeat(32)}`;
export const RULE = `${MODE}:5`;
const seeds = chainOfDay(sha256(bytes("last")), 24);
export const seed = (number: number) => seedOf(seeds, number);
export const roundOf = (number: number, day = DAY) => `${day}-${String(number).padStart(4, "0")}`;
export const endOf = (number: number) => T + number * HOUR_MS;

export const ODDS: Leaf<"odds"> = { ...LEAF.odds, game: GAME, period: 3_600, close: 3, from: T };

export const opening = (number: number, other: Partial<Leaf<"open">> = {}): Leaf<"open"> => ({
  ...LEAF.open,
  game: GAME,
  round: roundOf(number),
  period: 3_600,
  commit: hexOf(seed(number - 1)),
  odds_hash: ODDS.hash,
  beacon_rule: "none",
  opens: endOf(number - 1),
  closes: endOf(number) - 3 * SECOND_MS,
  draws: endOf(number),
  ...other,
});
export const closing = (number: number, other: Partial<Leaf<"close">> = {}): Leaf<"close"> => ({
  ...LEAF.close,
  game: GAME,
  round: roundOf(number),
  closed: endOf(number) - 3 * SECOND_MS,
  ...other,
});
export function drawing(number: number, other: Partial<Leaf<"draw">> = {}, rule = "none"): Leaf<"draw"> {
  const place = { gameKey: GAME, round: roundOf(number), rule, beacon: other.beacon ?? "" };
  return {
    ...LEAF.draw,
    game: GAME,
    round: roundOf(number),
    seed: hexOf(seed(number)),
    dice: drawOf(GAME_KINDS.get("dice-sum")!, seed(number), place),
    due: endOf(number),
    drawn: endOf(number),
    ...other,
  };
}
export const settling = (number: number, other: Partial<Leaf<"settle">> = {}): Leaf<"settle"> => ({
  ...LEAF.settle,
  game: GAME,
  round: roundOf(number),
  ...other,
});

/** A game with odds and an anchor that was in a head early enough. */
export function rounds(beacons: BeaconCheck | null = null) {
  const parts = checkContext();
  const waiting: unknown[] = [];
  const context = { ...parts.context, beacons, awaitSignature: (...asked: unknown[]) => void waiting.push(asked) };
  const game = new Game(GAME, serverHash);
  game.timetable = timetable;
  game.odds.set(ODDS.id, ODDS);
  const plan = new PlanCheck(game, context);
  const check = new RoundCheck(game, plan, context);
  plan.anchor({ kind: "anchor", game: GAME, day: DAY, anchor: hexOf(seed(0)) });
  parts.heads.add(T - 8 * DAY_MS);
  /** A round that was opened, and is closed in a head. */
  const closed = (number: number, close: Partial<Leaf<"close">> = {}, open: Partial<Leaf<"open">> = {}) => {
    check.open(opening(number, open));
    parts.heads.add(endOf(number - 1));
    check.close(closing(number, close));
    parts.heads.add(endOf(number) - 3 * SECOND_MS);
  };
  return { ...parts, game, plan, check, closed, waiting, marks: game.day(DAY) };
}
/** One whose rounds have beacons. */
export function beaconRounds(beacons: BeaconCheck | null = null) {
  const made = rounds(beacons);
  made.game.modes.push({ from: 0, mode: MODE });
  return made;
}
export const facts = (number: number) => ({ game: GAME, round: roundOf(number) });

/** A check of beacons that finds each of them good. */
export const SIGNED: BeaconCheck = {
  namesFirst: () => true,
  fits: () => true,
  areSigned: (beacons) => beacons.map(() => true),
  signedAt: () => null,
};
