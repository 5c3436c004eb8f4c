/** The same numbers from 0 to 1 for the same seed, every time (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SIZE = 4096;
const values = Float32Array.from({ length: SIZE }, seeded(7));
const valueAt = (x: number, y: number, z: number) =>
  values[(Math.imul(x, 73856093) ^ Math.imul(y, 19349663) ^ Math.imul(z, 83492791)) & (SIZE - 1)]!;
const ease = (share: number) => share * share * (3 - 2 * share);

function noisePlane(x: number, y: number, z: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const across = ease(x - left);
  const above = valueAt(left, top, z) * (1 - across) + valueAt(left + 1, top, z) * across;
  const below = valueAt(left, top + 1, z) * (1 - across) + valueAt(left + 1, top + 1, z) * across;
  return above + (below - above) * ease(y - top);
}

/** Smooth noise from 0 to 1 whose features are about 1 wide, in up to three dimensions. */
export function noise(x: number, y = 0, z = 0): number {
  const near = Math.floor(z);
  const first = noisePlane(x, y, near);
  return z === near ? first : first + (noisePlane(x, y, near + 1) - first) * ease(z - near);
}

/** Noise with finer noise in it. */
export function cloud(x: number, y = 0, z = 0): number {
  return noise(x, y, z) * 0.57 + noise(x * 2.1 + 9, y * 2.1, z) * 0.29 + noise(x * 4.3, y * 4.3 + 5, z) * 0.14;
}
