/** The unit of a site without a currency. Points are not money. */
export const POINTS = "point";

/** Currencies without digits after the point, and those with more than two, as ISO 4217 says. */
const WHOLE = new Set("BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" "));
const FINE = new Set("BHD IQD JOD KWD LYD OMR TND CLF UYW".split(" "));

/** How many digits a unit has after the point: none or two. */
export const digitsOf = (unit: string): 0 | 2 => (WHOLE.has(unit) ? 0 : 2);

/** The smallest amount that can be paid in a unit, in 1/100 unit. */
export const stepOf = (unit: string): number => (digitsOf(unit) === 0 ? 100 : 1);

/** Whether 1/100 is fine enough for a unit: points, or a currency with at most two digits after the point. */
export const isUnit = (unit: string): boolean =>
  unit === POINTS || (Intl.supportedValuesOf("currency").includes(unit) && !FINE.has(unit));
