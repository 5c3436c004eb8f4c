import { allDraws } from "./dice.ts";
import { GAME_KINDS } from "./games.ts";
import { chanceOf } from "./odds.ts";
import { isOddsRecord, type OddsRecord } from "./odds-record.ts";

/** An option as the board showed it: what it pays, by how often it falls, and what it returns in the long run. */
export interface ShownOdds {
  type: string;
  pays: readonly string[];
  rtp: number;
}

/** An option as everybody is shown it, with how often it wins in the long run. */
export interface PublishedOdds extends ShownOdds {
  probability: number;
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

/** The options whose published chance or return is not what their payouts give. Those that are not known here are left out. */
export function falseReturns(published: readonly PublishedOdds[], kind: string): string[] {
  const rules = GAME_KINDS.get(kind);
  if (!rules) return [];
  const draws = allDraws(rules.dice);
  const isNear = (one: number, other: number) => Math.abs(one - other) <= ROUNDING;
  const isTrue = ({ type, pays, rtp, probability }: PublishedOdds) => {
    const option = rules.options.find((one) => one.type === type);
    const milli = pays.map((paid) => Math.round(Number(paid) * 1_000));
    const chance = option && chanceOf(option, milli, draws);
    return !chance || (isNear(chance.rtp, rtp) && isNear(chance.probability, probability));
  };
  return published.filter((one) => !isTrue(one)).map(({ type }) => type);
}
