/** Milliseconds on a clock that all processes of this machine share: one may end a measurement that another began. */
export const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6;

export const secondsSince = (startedMs: number): number => (nowMs() - startedMs) / 1000;

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** The value below which the given share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error("nothing was measured");
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place % 1);
}

/** Two measurements side by side: the median of each, and of their ratio. */
export interface Comparison {
  ours: number;
  baseline: number;
  ratio: number;
  /** The ratio of every pair, to show their spread. */
  ratios: number[];
}

export function compare(pairs: readonly (readonly [ours: number, baseline: number])[]): Comparison {
  const ratios = pairs.map(([ours, baseline]) => ours / baseline);
  const ours = median(pairs.map((pair) => pair[0]));
  return { ours, baseline: median(pairs.map((pair) => pair[1])), ratio: median(ratios), ratios };
}

type Measure = () => Promise<number>;

/**
 * Measures in pairs, one right after the other, so that other load on the machine affects both. Every other pair swaps
 * the order. The first `warmUps` pairs are not counted, because servers run warm.
 */
export async function interleave(
  times: number,
  ours: Measure,
  baseline: Measure,
  warmUps: number = 1,
): Promise<Comparison> {
  const pairs: [number, number][] = [];
  for (let pair = 0; pair < warmUps + times; pair++) {
    const first = await (pair % 2 ? ours : baseline)();
    const second = await (pair % 2 ? baseline : ours)();
    if (pair >= warmUps) pairs.push(pair % 2 ? [first, second] : [second, first]);
  }
  return compare(pairs);
}

/** This process's CPU time so far, in ms. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** This process's memory after garbage collection, in bytes: its heap, and its resident set. */
export function memoryHeld(): { heap: number; rss: number } {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}
