/** Red, green and blue, each 0 for none and 1 for all; light may be brighter than 1. */
export type Rgb = readonly [number, number, number];

export const rgb = (hex: string): Rgb => [0, 2, 4].map((i) => Number.parseInt(hex.slice(i, i + 2), 16) / 255) as never;

export const mix = (a: Rgb, b: Rgb, share: number): Rgb => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
];

export const times = (colour: Rgb, by: number): Rgb => [colour[0] * by, colour[1] * by, colour[2] * by];

export const clamp = (value: number, least = 0, most = 1) => Math.min(most, Math.max(least, value));

/** From 0 at `from` to 1 at `to`, gently. */
export function smooth(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from));
  return share * share * (3 - 2 * share);
}

/** A colour along stops that lie evenly from 0 to 1. */
export function along(stops: readonly Rgb[], share: number): Rgb {
  const at = clamp(share) * (stops.length - 1);
  const before = Math.min(Math.floor(at), stops.length - 2);
  return mix(stops[before]!, stops[before + 1]!, at - before);
}

/** A clear colour of the rainbow, `turn` from 0 to 1 round the wheel. */
export function hue(turn: number, light = 0.55, depth = 0.45): Rgb {
  const part = (shift: number) => light + depth * Math.cos(2 * Math.PI * (turn + shift));
  return [part(0), part(2 / 3), part(1 / 3)];
}
