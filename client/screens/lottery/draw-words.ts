import type { TextKey } from "#client/text/i18n.ts";
import type { Draw, Rules } from "#shared/lottery/rules.ts";

/** One label of a draw and its colour. */
export interface DrawMark {
  key: TextKey;
  values?: Record<string, string | number>;
  tone: "warm" | "cool" | "plain";
}

/** The labels beside the dice of a draw. */
export interface DrawWords {
  /** Null where no bet depends on the sum. */
  sum: number | null;
  marks: readonly DrawMark[];
}

type View = ReturnType<Rules["view"]>;

const SIZE_AND_PARITY = {
  big: { key: "option.big", tone: "warm" },
  small: { key: "option.small", tone: "cool" },
  odd: { key: "option.odd", tone: "warm" },
  even: { key: "option.even", tone: "cool" },
} as const;

const DISTINCT: DrawMark = { key: "option.distinct", tone: "plain" };
/** Three dice by how many faces they show. */
const ALIKE: readonly DrawMark[] = [
  { key: "option.anyTriple", tone: "warm" },
  { key: "option.anyDouble", tone: "cool" },
];

/** The sum, with its size and parity. */
export function sumWords(_: Draw, { sum, size, parity }: View): DrawWords {
  return { sum, marks: [size, parity].flatMap((name) => (name ? [SIZE_AND_PARITY[name]] : [])) };
}

/** A draw's outcome on a road: what its even chances are about, without the face. */
export type Road = (draw: Draw, view: View) => DrawMark;

const neither = (sum: number): DrawMark => ({ key: "option.sum", values: { sum }, tone: "plain" });
export const sizeRoad: Road = (_, { sum, size }) => (size ? SIZE_AND_PARITY[size] : neither(sum));
export const parityRoad: Road = (_, { sum, parity }) => (parity ? SIZE_AND_PARITY[parity] : neither(sum));
export const alikeRoad: Road = (draw) => ALIKE[new Set(draw).size - 1] ?? DISTINCT;

/** Like `sumWords`, plus a double if all dice match. */
export function doubleWords(draw: Draw, view: View): DrawWords {
  const { sum, marks } = sumWords(draw, view);
  const isDouble = new Set(draw).size === 1;
  return { sum, marks: isDouble ? [...marks, alike("option.double", draw[0]!, "plain")] : marks };
}

/** A triple, a double, or three distinct dice. */
export function faceWords(draw: Draw): DrawWords {
  const face = draw.find((one, place) => draw.indexOf(one) !== place);
  if (face === undefined) return { sum: null, marks: [DISTINCT] };
  const isTriple = new Set(draw).size === 1;
  return { sum: null, marks: [isTriple ? alike("option.triple", face, "warm") : alike("option.double", face, "cool")] };
}

const alike = (key: TextKey, face: number, tone: DrawMark["tone"]): DrawMark => ({ key, values: { face }, tone });
