import type { Draw } from "./rules.ts";

export const FACES = [1, 2, 3, 4, 5, 6] as const;

/** Whether a byte makes a die. The others are rejected: they would favour some faces. */
export const makesDie = (byte: number): boolean => byte < 252;

/**
 * Makes `count` dice from bytes: a byte below 252 is the die `byte % 6 + 1`, others are skipped. So each face has exactly
 * 42 byte values. Null when the bytes run out.
 */
export function diceFromBytes(count: number, bytes: Iterable<number>): Draw | null {
  const dice: number[] = [];
  for (const byte of bytes) {
    if (makesDie(byte)) dice.push((byte % 6) + 1);
    if (dice.length === count) return dice;
  }
  return null;
}

export const sumOf = (draw: Draw): number => draw.reduce((sum, face) => sum + face, 0);

/** How many of the dice show this face. */
export const countOf = (draw: Draw, face: number): number => draw.filter((one) => one === face).length;

export const parityOf = (sum: number): "odd" | "even" => (sum % 2 ? "odd" : "even");

const enumerated = new Map<number, readonly Draw[]>();

/** Every draw of so many dice, once each. All are equally likely. */
export function allDraws(dice: number): readonly Draw[] {
  let draws = enumerated.get(dice);
  if (!draws) {
    draws = dice === 0 ? [[]] : allDraws(dice - 1).flatMap((draw) => FACES.map((face) => [...draw, face]));
    enumerated.set(dice, draws);
  }
  return draws;
}
