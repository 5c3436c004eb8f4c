/** 99 of 100 fair sequences stay below this: the quantile of chi-square at 0.99 by degrees of freedom. */
export const CHI_SQUARE_99 = { 5: 15.086, 7: 18.475, 15: 30.578, 215: 266.2 } as const;
/** 99 of 100 fair sequences stay this close to 0: the quantile of the normal distribution at 0.995. */
export const NORMAL_99 = 2.5758;

/** Pearson's chi-square: how far counts lie from the expected ones. */
export function chiSquare(counts: ArrayLike<number>, weights: ArrayLike<number>): number {
  const total = sum(counts);
  const allWeights = sum(weights);
  return sum(
    Array.from(weights, (weight, i) => {
      const expected = (total * weight) / allWeights;
      return (counts[i]! - expected) ** 2 / expected;
    }),
  );
}

/**
 * Runs test of Wald and Wolfowitz on a sequence of 0 and 1: the number of runs, in standard deviations from the mean.
 */
export function runsScore(bits: Uint8Array): number {
  const ones = sum(bits);
  const zeros = bits.length - ones;
  let runs = 1;
  for (let i = 1; i < bits.length; i++) if (bits[i] !== bits[i - 1]) runs++;
  const mean = (2 * ones * zeros) / bits.length + 1;
  const variance = ((mean - 1) * (mean - 2)) / (bits.length - 1);
  return (runs - mean) / Math.sqrt(variance);
}

/** Correlation of a sequence with itself `lag` places on, in standard deviations from none. */
export function serialScore(values: Uint8Array, lag: number): number {
  const mean = sum(values) / values.length;
  let products = 0;
  let squares = 0;
  for (let i = 0; i < values.length; i++) {
    squares += (values[i]! - mean) ** 2;
    if (i >= lag) products += (values[i]! - mean) * (values[i - lag]! - mean);
  }
  return (products / squares) * Math.sqrt(values.length);
}

function sum(values: ArrayLike<number>): number {
  let total = 0;
  for (let i = 0; i < values.length; i++) total += values[i]!;
  return total;
}
