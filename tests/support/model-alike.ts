import { inspect, isDeepStrictEqual } from "node:util";

/** Compares the server's value with the model's. */
export function same(actual: unknown, expected: unknown, what: string): void {
  if (isDeepStrictEqual(actual, expected)) return;
  throw new Error(`${what}: the server has ${inspect(actual)}, the model ${inspect(expected)}`);
}

/** Waits for some turns of the event loop. */
export async function wait(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise(setImmediate);
}
