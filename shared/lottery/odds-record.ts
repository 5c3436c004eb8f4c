import { canonicalHash } from "#shared/log/canonical.ts";
import { ratesOf, type OddsMilli, type Rules } from "./rules.ts";

/** What an option pays, by how often it falls: in 1/1000, and as decimals. */
export interface OptionOdds {
  type: string;
  milli: number[];
  pays: string[];
}

/** What the hash of odds covers beside their rates. */
export interface OddsTerms {
  /** The key of the game. */
  game: string;
  /** As the log counts them. */
  id: string;
  /** The round's length, and how long before the draw it closes: seconds. */
  period: number;
  close: number;
  unit: string;
  /** Since when they are in force, in ms. */
  from: number;
}

/** A row of odds as everybody sees it. */
export interface OddsRecord extends OddsTerms {
  hash: string;
  options: OptionOdds[];
}

/** Odds in 1/1000 as a decimal of at most three places. */
export const oddsText = (milli: number): string => String(milli / 1000);

/**
 * The hash of odds: that of their leaf in the public log (docs/log.md), which is a canonical text. It covers the game with
 * its kind and timetable, the unit, and the rate of every option in 1/1000.
 */
export const oddsHash = (
  kind: string,
  { game, id, period, close, unit, from, options }: Omit<OddsRecord, "hash">,
): string =>
  canonicalHash({
    kind: "odds",
    game,
    id,
    rules: kind,
    period,
    close,
    unit,
    rates: options.flatMap(({ milli }) => milli),
    from,
  });

/** A row of odds with its hash. */
export function oddsRecord(rules: Rules, milli: OddsMilli, terms: OddsTerms): OddsRecord {
  const options = rules.options.map(({ type }, place) => {
    const rates = ratesOf(rules, place, milli);
    return { type, milli: [...rates], pays: rates.map(oddsText) };
  });
  const record = { ...terms, options };
  return { ...record, hash: areCounted(options) ? oddsHash(rules.kind, record) : NO_HASH };
}

/** Of rates that are no whole numbers. No round with them is paid. */
const NO_HASH = "0".repeat(64);
const areCounted = (options: readonly OptionOdds[]) =>
  options.every(({ milli }) => milli.every((rate) => Number.isSafeInteger(rate)));

/** Whether odds are whole for their kind, say the same in both forms, and have the hash that stands beside them. */
export function isOddsRecord(rules: Rules, { hash, ...odds }: OddsRecord): boolean {
  const isWhole =
    areCounted(odds.options) &&
    odds.options.length === rules.options.length &&
    rules.options.every(({ type, most }, place) => {
      const option = odds.options[place]!;
      return (
        option.type === type && option.milli.length === most && option.milli.map(oddsText).join() === option.pays.join()
      );
    });
  return isWhole && oddsHash(rules.kind, odds) === hash;
}
