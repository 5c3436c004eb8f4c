import { optionToWire } from "#shared/contract/values.ts";
import { parityOf, sizeOf, sumOf, type Dice } from "#shared/lottery/dice-sum.ts";

/** Dice as the wire tells them: `opencode`, `one` (A big, B small), `two` (C odd, D even). */
export function diceView(dice: Dice) {
  const sum = sumOf(dice);
  return {
    opencode: [...dice] as [number, number, number],
    one: optionToWire(sizeOf(sum)) as "A" | "B",
    two: optionToWire(parityOf(sum)) as "C" | "D",
  };
}

export const noDice = { opencode: null, one: null, two: null } as const;

/** Odds in 1/1000 as a decimal string of at most three places. */
export function oddsText(milli: number): string {
  return String(milli / 1000);
}

/** The wire's id of a bet. */
export const betWireId = (id: number): string => `bet_${id}`;
