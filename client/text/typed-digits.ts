import { MAX_UNITS } from "#shared/money.ts";

/** Longer than any amount, so that what is too much is still seen to be. */
const MOST_DIGITS = 12;

/** What was typed, as digits without leading zeros. Digits of other widths count, as keyboards of East Asia write them. */
export const typedDigits = (typed: string): string =>
  typed
    .normalize("NFKC")
    .replaceAll(/\D/g, "")
    .replace(/^0+(?=\d)/, "")
    .slice(0, MOST_DIGITS);

/** Whether digits name an amount that a call may name. */
export const isAmount = (digits: string): boolean => Number(digits) >= 1 && Number(digits) <= MAX_UNITS;

/** How many digits a pay password has. */
export const PASSCODE_LENGTH = 6;

/** What was typed or pasted, as the digits of a pay password; those too many are left out. */
export const passcodeDigits = (typed: string): string =>
  typed.normalize("NFKC").replaceAll(/\D/g, "").slice(0, PASSCODE_LENGTH);
