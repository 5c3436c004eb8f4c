/** A random moment between now and then, in ms, so that not all ask at once. */
export function jitter(upToMs: number): number {
  const [random] = crypto.getRandomValues(new Uint32Array(1));
  return (random! / 2 ** 32) * upToMs;
}
