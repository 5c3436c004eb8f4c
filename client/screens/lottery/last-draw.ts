import type { Result } from "#shared/contract/events.ts";
import type { Lottery } from "#shared/contract/lottery.ts";

export interface LastDraw {
  expect: string;
  dice: readonly number[];
}

/** The newer of what was pushed and what was fetched. Round numbers sort as they follow each other. */
export function lastDrawOf(game: Lottery, pushed: Result | null): LastDraw | null {
  const { now_expect: expect, opencode: dice } = game;
  const fetched = expect && dice ? { expect, dice } : null;
  const heard = pushed && { expect: pushed.expect, dice: pushed.opencode };
  if (!heard || !fetched) return heard ?? fetched;
  return heard.expect >= fetched.expect ? heard : fetched;
}
