/** Jitter: a random delay from 0 to `upToMs`, so that clients do not ask all at once. */
export function jitter(upToMs: number): number {
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  return (random! / 2 ** 32) * upToMs;
}
