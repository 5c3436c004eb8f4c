import { diceFaces } from "./kinds/dice-faces.ts";
import { dicePair } from "./kinds/dice-pair.ts";
import { diceSum } from "./kinds/dice-sum.ts";
import type { Rules } from "./rules.ts";

/** The rules of all kinds of games. The first is the default. */
const ALL: readonly [Rules, ...Rules[]] = [diceSum, diceFaces, dicePair];

/** The rules by the name of their kind. */
export const GAME_KINDS: ReadonlyMap<string, Rules> = new Map(ALL.map((rules) => [rules.kind, rules]));

export const DEFAULT_KIND = ALL[0].kind;

/** The rules of a kind. Throws RangeError for an unknown one. */
export function rulesOf(kind: string): Rules {
  const rules = GAME_KINDS.get(kind);
  if (!rules) throw new RangeError(`there is no kind of game ${kind}`);
  return rules;
}
