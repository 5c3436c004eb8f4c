import { inspect, isDeepStrictEqual } from "node:util";

/** Compares what the server has with what the model says. */
export function same(actual: unknown, told: unknown, what: string): void {
  if (isDeepStrictEqual(actual, told)) return;
  throw new Error(`${what}: the server has ${inspect(actual)}, the model ${inspect(told)}`);
}

/** Lets some turns of the event loop pass. */
export async function wait(turns: number): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise(setImmediate);
}
