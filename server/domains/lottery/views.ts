import { rulesOf } from "#shared/lottery/games.ts";
import type { Draw } from "#shared/lottery/rules.ts";

/** The specification's letters of size and parity. */
const SIZES = { big: "A", small: "B" } as const;
const PARITIES = { odd: "C", even: "D" } as const;

/** A draw on the wire: `opencode`, `one` (A big, B small), `two` (C odd, D even). */
export function drawView(kind: string, draw: Draw) {
  const { size, parity } = rulesOf(kind).view(draw);
  return { opencode: [...draw], one: size && SIZES[size], two: parity && PARITIES[parity] };
}

/** A drawn round on the wire, without its name. */
export const roundView = (kind: string, draw: Draw) => ({
  kind,
  ...drawView(kind, draw),
  sum: rulesOf(kind).view(draw).sum,
});

export const noDice = { opencode: null, one: null, two: null } as const;

/** The wire's id of a row of odds. */

/** The wire's id of a bet. */
export const betWireId = (id: number): string => `bet_${id}`;

/** A bet by the wire's id; NaN for what is none. */
export const betOfWireId = (id: string): number => Number(/^bet_([1-9]\d{0,14})$/.exec(id)?.[1]);
