import { allDraws } from "#shared/lottery/dice.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { chanceOf } from "#shared/lottery/odds.ts";
import { isOddsRecord, type OddsRecord } from "#shared/lottery/odds-record.ts";

/** An option as the board showed it: what it pays, by how often it falls, and what it returns in the long run. */
export interface ShownOdds {
  type: string;
  pays: readonly string[];
  rtp: number;
}

export type OddsFault = "odds" | "return";

/** Sums of fractions that were made in another order. */
const ROUNDING = 1e-9;

/** What the board showed otherwise than the odds of the round give. */
export function oddsFaults(shown: readonly ShownOdds[], kind: string, record: OddsRecord): OddsFault[] {
  const rules = GAME_KINDS.get(kind);
  if (!rules || !isOddsRecord(rules, record)) return [];
  const faults = new Set<OddsFault>();
  for (const { type, pays, rtp } of shown) {
    const place = rules.options.findIndex((option) => option.type === type);
    const paid = record.options[place];
    if (paid?.pays.join() !== pays.join()) faults.add("odds");
    const returned = paid && chanceOf(rules.options[place]!, paid.milli, allDraws(rules.dice)).rtp;
    if (returned === undefined || Math.abs(returned - rtp) > ROUNDING) faults.add("return");
  }
  return [...faults];
}
