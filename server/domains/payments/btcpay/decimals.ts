import type { Money } from "#shared/money.ts";

/** Digits after the point that are kept: no coin and no rate has more. */
const DIGITS = 18;

/** Reads a decimal of any length exactly, as a whole number of 10^-18. Throws RangeError for any other text. */
function exact(text: string): bigint {
  const [, whole, part = ""] = /^(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`not a decimal: ${text}`);
  return BigInt(whole + part.padEnd(DIGITS, "0").slice(0, DIGITS));
}

/** The product of two decimals in 1/100, rounded down. */
export const product = (value: string, rate: string): Money =>
  Number((exact(value) * exact(rate) * 100n) / 10n ** BigInt(2 * DIGITS));

/** A decimal in 1/100, rounded down. */
export const hundredths = (text: string): Money => product(text, "1");
