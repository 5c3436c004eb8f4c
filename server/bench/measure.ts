/** Milliseconds on a clock that all processes of this machine share, so that one may end what another began. */
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

/** Two things measured side by side: the medians of each, and of what one is to the other. */
export interface Comparison {
  ours: number;
  baseline: number;
  ratio: number;
  /** The ratio of every pair, to show how far they lie apart. */
  ratios: number[];
}

export function compare(pairs: readonly (readonly [ours: number, baseline: number])[]): Comparison {
  const ratios = pairs.map(([ours, baseline]) => ours / baseline);
  const ours = median(pairs.map((pair) => pair[0]));
  return { ours, baseline: median(pairs.map((pair) => pair[1])), ratio: median(ratios), ratios };
}

type Measure = () => Promise<number>;

/**
 * Measures two things in pairs, neighbours in time, so that what else the
 * machine does falls on both. Every other pair begins with the other one; the
 * first `warmUps` are not counted, because servers run warm.
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

/** The processor time that this process has used so far, in ms. */
export function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** What this process holds once its garbage is gone, in bytes: on its heap, and of the machine's memory. */
export function memoryHeld(): { heap: number; rss: number } {
  for (let i = 0; i < 3; i++) globalThis.gc?.();
  const { rss, heapUsed, external } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}
