import { bytesToHex } from "@noble/hashes/utils.js";
import type { games, rounds } from "#db/schema/lottery.ts";
import { chainOfDay, commitOf, drawOf, seedOf } from "#shared/lottery/fairness.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { roundsPerDay, roundText, spanOf } from "#shared/lottery/schedule.ts";
import { dayOf } from "#shared/time.ts";
import { START } from "../../support/world.ts";

export type Game = typeof games.$inferSelect;
export type Round = typeof rounds.$inferSelect;

/** A game of one minute, since before its first round. */
export const GAME: Game = {
  id: 1,
  key: "k3-1m",
  kind: "dice-sum",
  name: "One minute",
  icon: "",
  periodS: 60,
  closeS: 3,
  createdAt: START - 3_600_000,
};

export const DAY = dayOf(START);

const chain = chainOfDay(new Uint8Array(32).fill(7), roundsPerDay(GAME));
export const ANCHOR = bytesToHex(seedOf(chain, 0));
export const seedAt = (number: number): string => bytesToHex(seedOf(chain, number));

/** A round of the day that is open. Its row has the number of its place. */
export function open(number: number, more: Partial<Round> = {}): Round {
  const { opensAt, closesAt, drawsAt } = spanOf(GAME, { day: DAY, number });
  const undone = { closedAt: null, toBet: null, seed: null, dice: null, drawnAt: null, settledAt: null };
  const unsaid = { indexedAt: null, failedAt: null, failure: null, skippedAt: null, refundedAt: null };
  const beacon = { beaconRule: "none", beacon: "", beaconSignature: "" };
  const counts = { fromBet: 1, betCount: 0, staked: 0, paid: 0 };
  const place = { id: number, gameId: GAME.id, day: DAY, number, commit: commitOf(seedOf(chain, number)), oddsId: 1 };
  return { ...place, openedAt: opensAt, closesAt, drawsAt, ...undone, ...unsaid, ...beacon, ...counts, ...more };
}

/** The same, drawn in time. */
export function drawn(number: number, more: Partial<Round> = {}): Round {
  const round = open(number, more);
  const { closesAt: closedAt, drawsAt: drawnAt, beaconRule: rule, beacon } = round;
  const place = { gameKey: GAME.key, round: roundText(round), rule, beacon };
  const dice = [...drawOf(rulesOf(GAME.kind), seedOf(chain, number), place)];
  return { ...round, closedAt, drawnAt, seed: seedAt(number), dice, ...more };
}

const game = { kind: "dice-sum", name: "A game", icon: "", closeS: 10, createdAt: 1 };
/** Two games that differ in their rounds' length. */
export const GAMES: Game[] = [
  { ...game, id: 1, key: "k3-1m", periodS: 60 },
  { ...game, id: 2, key: "k3-5m", periodS: 300 },
];

/** A gap of four rounds of the first one, as a server that was down leaves it. */
export const gapFrom = (day: number) => {
  const span = { gameId: 1, fromDay: day, fromNumber: 1, toDay: day, toNumber: 4 };
  return { ...span, reason: "down" as const, createdAt: 9 };
};
