/**
 * What wins in each kind of game by its rules sheet, written a second time without the project's code. A mistake
 * would have to be made twice.
 */
const total = (dice: readonly number[]) => dice.reduce((sum, die) => sum + die, 0);
const howMany = (dice: readonly number[], face: number) => dice.filter((die) => die === face).length;

type Times = (type: string, dice: readonly number[]) => number;

function sumGame(type: string, dice: readonly number[]): number {
  const sum = total(dice);
  const wins: Record<string, boolean> = { A: sum >= 11, B: sum <= 10, C: sum % 2 === 1, D: sum % 2 === 0 };
  return (wins[type] ?? Number(type) === sum) ? 1 : 0;
}

function facesGame(type: string, dice: readonly number[]): number {
  const [a, b, c] = [...dice].sort((one, other) => one - other) as [number, number, number];
  if (type === "triple") return a === c ? 1 : 0;
  if (type === "distinct") return a < b && b < c ? 1 : 0;
  const faces = type.split("-").map(Number);
  const [first, second] = faces as [number, number];
  if (faces.length === 1) return howMany(dice, first);
  if (faces.length === 3) return howMany(dice, first) === 3 ? 1 : 0;
  if (first === second) return howMany(dice, first) > 1 ? 1 : 0;
  return howMany(dice, first) > 0 && howMany(dice, second) > 0 ? 1 : 0;
}

function pairGame(type: string, dice: readonly number[]): number {
  const [sum, isDouble] = [total(dice), dice[0] === dice[1]];
  const wins: Record<string, boolean> = {
    A: sum >= 8,
    B: sum <= 6,
    C: sum % 2 === 1,
    D: sum % 2 === 0,
    double: isDouble,
  };
  if (type.includes("-")) return isDouble && dice[0] === Number(type[0]) ? 1 : 0;
  return (wins[type] ?? Number(type) === sum) ? 1 : 0;
}

/** A draw on the wire: `sum`, and its size and parity where the game has them. */
type View = (sum: number) => { size: string | null; parity: string | null };
const parity = (sum: number) => (sum % 2 ? "odd" : "even");

const KINDS: Record<string, { dice: number; times: Times; view: View }> = {
  "dice-sum": { dice: 3, times: sumGame, view: (sum) => ({ size: sum > 10 ? "big" : "small", parity: parity(sum) }) },
  "dice-faces": { dice: 3, times: facesGame, view: () => ({ size: null, parity: null }) },
  "dice-pair": {
    dice: 2,
    times: pairGame,
    view: (sum) => ({ size: sum === 7 ? null : sum > 7 ? "big" : "small", parity: parity(sum) }),
  },
};

/** The kinds of game known here. */
export const KNOWN_KINDS = Object.keys(KINDS);

export const diceOfKind = (kind: string): number => KINDS[kind]!.dice;

/** How often an option of getLotteryPeilv wins with these dice; 0 loses. */
export const timesOf = (kind: string, type: string, dice: readonly number[]): number => KINDS[kind]!.times(type, dice);

/** A draw as the wire shows it. */
export const viewOf = (kind: string, dice: readonly number[]) => ({
  sum: total(dice),
  ...KINDS[kind]!.view(total(dice)),
});

/** Every possible draw of a kind. */
export function rollsOf(kind: string): number[][] {
  const { dice } = KINDS[kind]!;
  return Array.from({ length: 6 ** dice }, (_, roll) =>
    Array.from({ length: dice }, (_, die) => (Math.floor(roll / 6 ** die) % 6) + 1),
  );
}
