import type { Result } from "#shared/contract/events.ts";
import type { Lottery } from "#shared/contract/lottery.ts";

export interface LastDraw {
  expect: string;
  dice: readonly number[];
  sum: number;
}

/** The newer of what was pushed and what was fetched. Round numbers sort as they follow each other. */
export function lastDrawOf(game: Lottery, pushed: Result | null): LastDraw | null {
  const { now_expect: expect, opencode: dice } = game;
  const fetched = expect && dice ? { expect, dice, sum: dice.reduce((sum, face) => sum + face, 0) } : null;
  const heard = pushed && { expect: pushed.expect, dice: pushed.opencode, sum: pushed.sum };
  if (!heard || !fetched) return heard ?? fetched;
  return heard.expect >= fetched.expect ? heard : fetched;
}
