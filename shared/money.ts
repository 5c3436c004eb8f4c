/** An amount in 1/100 unit. Always a safe integer, never a fraction. */
export type Money = number;

export const MINOR_PER_UNIT = 100;

/** The largest amount that one request may name, in whole units. */
export const MAX_UNITS = 2_000_000_000;

/** Returns a whole number of 1/100 units unchanged. Throws RangeError for anything else. */
export function money(value: number): Money {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not an amount of money: ${value}`);
  return value;
}

/** Converts whole units, as members type them, to 1/100 units. */
export function fromUnits(units: number): Money {
  return money(units * MINOR_PER_UNIT);
}

/** Converts 1/100 units to units: whole ones, or a fraction of two digits. For display, never for sums. */
export function toUnits(amount: Money): number {
  return money(amount) / MINOR_PER_UNIT;
}

/** The wire's form: a decimal string with exactly two digits after the point, such as `"-1234.50"`. */
export function toDecimal(amount: Money): string {
  const digits = String(Math.abs(money(amount))).padStart(3, "0");
  return `${amount < 0 ? "-" : ""}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

/** Reads what `toDecimal` wrote. Throws RangeError for any other text. */
export function fromDecimal(text: string): Money {
  if (!/^(?!-0\.00)-?(0|[1-9]\d*)\.\d{2}$/.test(text)) throw new RangeError(`not a decimal amount: ${text}`);
  return money(Number(text.replace(".", "")));
}
