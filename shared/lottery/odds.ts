import { allDraws } from "./dice.ts";
import { fromUnits, MAX_UNITS } from "#shared/money.ts";
import { LONGEST_CODE, MAX_RATE_MILLI, MOST_OPTIONS, payoutAt, rateCount, ratesOf, winnersOf } from "./rules.ts";
import type { Draw, OddsMilli, Option, Rules } from "./rules.ts";

/** In how many of all draws the option falls once, twice and so on, by enumeration. */
function waysOf(option: Pick<Option, "times" | "most">, draws: readonly Draw[]): number[] {
  const ways = Array.from({ length: option.most }, () => 0);
  for (const draw of draws) {
    const times = option.times(draw);
    if (!Number.isInteger(times) || times < 0 || times > option.most) {
      throw new RangeError(`an option occurs ${times} times in ${draw.join()}, above its limit of ${option.most}`);
    }
    if (times > 0) ways[times - 1]!++;
  }
  return ways;
}

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);

/** An option's chance to win and its long-run return of the stake. Exact, from all draws. */
export function chanceOf(option: Option, rates: OddsMilli, draws: readonly Draw[]) {
  const ways = waysOf(option, draws);
  const returned = sum(ways.map((count, i) => count * rates[i]!));
  return { probability: sum(ways) / draws.length, rtp: returned / (1_000 * draws.length) };
}

/** The rate that returns `rtpMilli` thousandths of the stake in the long run, rounded down, for an option that falls once. */
export function rateFor(rtpMilli: number, option: Pick<Option, "times" | "most">, dice: number): number {
  if (rtpMilli > 1_000) throw new RangeError(`the return is above the stake: ${rtpMilli}`);
  const draws = allDraws(dice);
  return Math.floor((rtpMilli * draws.length) / waysOf(option, draws)[0]!);
}

/** Checks rules and odds. Throws a RangeError that names the failed check. */
export function assertOdds(rules: Rules, milli: OddsMilli): void {
  assertOptions(rules);
  const wanted = rateCount(rules);
  if (milli.length !== wanted) throw new RangeError(`${rules.kind} has ${wanted} rates, not ${milli.length}`);
  for (const rate of milli) {
    if (!Number.isSafeInteger(rate) || rate < 1 || rate > MAX_RATE_MILLI) throw new RangeError(`not a rate: ${rate}`);
  }
  const draws = allDraws(rules.dice);
  for (const [place, option] of rules.options.entries()) {
    const ways = waysOf(option, draws);
    if (ways.includes(0)) throw new RangeError(`${option.type} has a rate for an outcome that never occurs`);
    const returned = sum(ratesOf(rules, place, milli).map((rate, i) => rate * ways[i]!));
    if (returned > 1_000 * draws.length) throw new RangeError(`${option.type} returns more than its stake`);
  }
  for (const draw of draws) {
    const paid = sum(
      winnersOf(rules, draw, milli).map(({ rateMilli }) => payoutAt(fromUnits(MAX_UNITS), rateMilli, 1)),
    );
    if (!Number.isSafeInteger(paid)) throw new RangeError(`${draw.join()} could pay ${paid}`);
  }
}

function assertOptions({ kind, options }: Rules): void {
  if (options.length < 1 || options.length > MOST_OPTIONS)
    throw new RangeError(`${kind} has ${options.length} options`);
  if (new Set(options.map(({ type }) => type)).size !== options.length)
    throw new RangeError(`${kind} has duplicate codes`);
  for (const { type, most } of options) {
    if (!/^[A-Za-z0-9-]+$/.test(type) || type.length > LONGEST_CODE)
      throw new RangeError(`not the code of an option: ${type}`);
    if (!Number.isInteger(most) || most < 1) throw new RangeError(`${type} has ${most} rates`);
  }
}
