/** One thing that is measured again and again while bets go on. */
export interface Series {
  name: string;
  /** How much it may grow in a whole run, and how much more for each bet. */
  allowed: { run: number; bet: number };
  values: number[];
}

/** How a series grew: by `perBet` each bet, `grown` over all bets. */
export interface Slope {
  name: string;
  perBet: number;
  grown: number;
  allowed: number;
  first: number;
  last: number;
}

/** Before a site is warm its caches fill and its code is compiled: that part of a run counts for nothing. */
const WARM_UP = 1 / 4;

/** The slope of each series over `bets`, the count of bets at each value: the median of all pairs', which no single value moves. */
export function slopesOf(bets: number[], series: Series[]): Slope[] {
  const from = Math.floor(bets.length * WARM_UP);
  const own = bets.slice(from);
  const span = own.at(-1)! - own[0]!;
  return series.map(({ name, allowed, values }) => {
    const warm = values.slice(from);
    const perBet = medianSlope(own, warm);
    return {
      name,
      perBet,
      grown: perBet * span,
      allowed: allowed.run + allowed.bet * span,
      first: warm[0]!,
      last: warm.at(-1)!,
    };
  });
}

/** What grew more than it may. */
export const growthFaults = (slopes: Slope[]): string[] =>
  slopes
    .filter(({ grown, allowed }) => !(grown <= allowed))
    .map(
      ({ name, grown, perBet, allowed }) =>
        `${name} grew by ${Math.round(grown)}, ${perBet.toFixed(1)} a bet; ${Math.round(allowed)} are allowed`,
    );

function medianSlope(xs: number[], ys: number[]): number {
  const slopes: number[] = [];
  for (const [i, x] of xs.entries())
    for (let k = i + 1; k < xs.length; k++) if (xs[k]! > x) slopes.push((ys[k]! - ys[i]!) / (xs[k]! - x));
  slopes.sort((a, b) => a - b);
  if (slopes.length === 0) throw new Error("nobody has bet between two measurements");
  const middle = (slopes.length - 1) / 2;
  return (slopes[Math.floor(middle)]! + slopes[Math.ceil(middle)]!) / 2;
}
