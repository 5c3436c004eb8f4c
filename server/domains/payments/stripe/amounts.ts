import { digitsOf } from "#shared/unit.ts";
import { fromUnits, type Money } from "#shared/money.ts";

/*
 * How Stripe counts: https://docs.stripe.com/currencies, sections "Zero-decimal currencies", "Special cases" and
 * "Minimum and maximum charge amounts".
 */

/** Currencies that Stripe counts in whole units. ISK and UGX have no smaller unit, but are counted in hundredths. */
const WHOLE = new Set("BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF".split(" "));

/** Stripe's smallest charge, in whole units, where it is more than one unit. */
const LEAST: Record<string, number> = {
  AED: 2,
  CZK: 15,
  DKK: 3,
  HKD: 4,
  HUF: 175,
  JPY: 50,
  MXN: 10,
  MYR: 2,
  NOK: 3,
  PLN: 2,
  RON: 2,
  SEK: 3,
  THB: 10,
};

/** Eight digits in Stripe's own count. */
const MOST = 99_999_999;

const ratioOf = (unit: string) => (WHOLE.has(unit) ? 100 : 1);

/** An amount of 1/100 unit in Stripe's count. */
export function toStripe(amount: Money, unit: string): number {
  const count = amount / ratioOf(unit);
  if (!Number.isSafeInteger(count)) throw new RangeError(`${unit} has no amount ${amount}/100`);
  return count;
}

/** Stripe's count in 1/100 unit. */
export const fromStripe = (count: number, unit: string): Money => count * ratioOf(unit);

/** The limits of one payment in a currency; null for points, and for currencies that Stripe counts more coarsely. */
export function stripeLimits(unit: string): { least: Money; most: Money } | null {
  const isCoarse = WHOLE.has(unit) && digitsOf(unit) > 0;
  if (!/^[A-Z]{3}$/.test(unit) || isCoarse) return null;
  return { least: fromUnits(LEAST[unit] ?? 1), most: Math.floor(fromStripe(MOST, unit) / 100) * 100 };
}
