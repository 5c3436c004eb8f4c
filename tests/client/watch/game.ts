import type { Leaf } from "#shared/log/leaf.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { oddsRecord } from "#shared/lottery/odds-record.ts";
import { parseRound, spanOf } from "#shared/lottery/schedule.ts";

export const GAME = "k3-1m";
export const KIND = "dice-sum";
export const DAY = "20260302";
/** The odds of all rounds. */
export const ODDS = oddsRecord(rulesOf(KIND), rulesOf(KIND).odds, {
  game: GAME,
  id: "1",
  period: 60,
  close: 3,
  unit: "point",
  from: 0,
});

export const roundAt = (number: number): string => `${DAY}-${String(number).padStart(4, "0")}`;

/** When a round opens, closes and draws. */
export function timesOf(number: number): { opens: number; closes: number; draws: number } {
  const { opensAt, closesAt, drawsAt } = spanOf(
    { periodS: ODDS.period, closeS: ODDS.close },
    parseRound(roundAt(number))!,
  );
  return { opens: opensAt, closes: closesAt, draws: drawsAt };
}

/** On which terms a round opened. */
export const openingOf = (number: number, commit: string): Leaf<"open"> => ({
  kind: "open",
  game: GAME,
  round: roundAt(number),
  rules: KIND,
  period: 60,
  unit: "point",
  commit,
  odds: ODDS.id,
  odds_hash: ODDS.hash,
  beacon_rule: "none",
  ...timesOf(number),
});

/** What a round drew. */
export const drawOf = (number: number, seed: string, dice: readonly number[]): Leaf<"draw"> => ({
  kind: "draw",
  game: GAME,
  round: roundAt(number),
  seed,
  beacon: "",
  beacon_signature: "",
  dice: [...dice],
  due: timesOf(number).draws,
  drawn: timesOf(number).draws,
});

/** What all its drawn rounds have in common. */
export const DRAWN = {
  key: GAME,
  kind: KIND,
  odds: ODDS,
  rule: "none",
  beacon: "",
  beacon_signature: "",
  drawn: 0,
  refunded: null,
  gap: null,
} as const;
