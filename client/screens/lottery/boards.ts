import { lazy, type ComponentType } from "react";
import type { TextKey } from "#client/text/i18n.ts";
import { fetchChunk } from "#client/app/missing-chunk.ts";
import { sumOf } from "#shared/lottery/dice.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import type { Draw, Rules } from "#shared/lottery/rules.ts";
import {
  alikeRoad,
  doubleWords,
  faceWords,
  parityRoad,
  sizeRoad,
  sumWords,
  type DrawMark,
  type DrawWords,
  type Road,
} from "./draw-words.ts";
import type { BoardProps } from "./odds-item.ts";

type Module = () => Promise<{ default: ComponentType<BoardProps> }>;

/** The look of a game kind and the labels of its draws. */
interface Board {
  load: Module;
  /** The options; loaded when first shown. */
  Options: ComponentType<BoardProps>;
  words: (draw: Draw, view: ReturnType<Rules["view"]>) => DrawWords;
  /** The rules: how it is drawn and what wins. */
  about: TextKey | null;
  /** Option groups from top to bottom. */
  groups: readonly string[];
  /** What its past draws are sorted into, and the group of options whose counts are compared with what is expected. */
  roads: readonly Road[];
  counted: string | null;
}

const board = (load: Module, rest: Omit<Board, "load" | "Options">): Board => ({
  load,
  Options: lazy(() => fetchChunk(load)),
  ...rest,
});

/** The board of each game kind whose rules are in `shared/lottery/games.ts`. */
const BOARDS: ReadonlyMap<string, Board> = new Map([
  [
    "dice-sum",
    board(() => import("./boards/SumBoard.tsx"), {
      words: sumWords,
      about: "rules.sum",
      groups: ["evens", "sums"],
      roads: [sizeRoad, parityRoad],
      counted: "sums",
    }),
  ],
  [
    "dice-faces",
    board(() => import("./boards/FacesBoard.tsx"), {
      words: faceWords,
      about: "rules.faces",
      groups: ["faces", "pairs", "doubles", "triples", "different"],
      roads: [alikeRoad],
      counted: "faces",
    }),
  ],
  [
    "dice-pair",
    board(() => import("./boards/PairBoard.tsx"), {
      words: doubleWords,
      about: "rules.pair",
      groups: ["evens", "sums", "doubles"],
      roads: [sizeRoad, parityRoad],
      counted: "sums",
    }),
  ],
]);

/** For a kind that is newer than this page or has no board: options listed by name. */
const PLAIN = board(() => import("./boards/PlainBoard.tsx"), {
  words: sumWords,
  about: null,
  groups: [],
  roads: [],
  counted: null,
});

export const boardOf = (kind: string): Board => BOARDS.get(kind) ?? PLAIN;

const viewOf = (kind: string, draw: Draw) =>
  GAME_KINDS.get(kind)?.view(draw) ?? { sum: sumOf(draw), size: null, parity: null };

/** The labels for a draw of this kind. */
export const wordsOf = (kind: string, draw: Draw): DrawWords => boardOf(kind).words(draw, viewOf(kind, draw));

/** The outcomes of these draws on each road of their kind. */
export const roadsOf = (kind: string, draws: readonly Draw[]): DrawMark[][] =>
  boardOf(kind).roads.map((road) => draws.map((draw) => road(draw, viewOf(kind, draw))));

/** The number of dice in a kind, known before its first draw. */
export const diceIn = (kind: string): number => GAME_KINDS.get(kind)?.dice ?? 1;
