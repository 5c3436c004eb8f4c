import { lazy, type ComponentType } from "react";
import type { TextKey } from "#client/text/i18n.ts";
import { fetchChunk } from "#client/app/missing-chunk.ts";
import { sumOf } from "#shared/lottery/dice.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import type { Draw, Rules } from "#shared/lottery/rules.ts";
import { doubleWords, faceWords, sumWords, type DrawWords } from "./draw-words.ts";
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
    }),
  ],
  [
    "dice-faces",
    board(() => import("./boards/FacesBoard.tsx"), {
      words: faceWords,
      about: "rules.faces",
      groups: ["faces", "pairs", "doubles", "triples", "different"],
    }),
  ],
  [
    "dice-pair",
    board(() => import("./boards/PairBoard.tsx"), {
      words: doubleWords,
      about: "rules.pair",
      groups: ["evens", "sums", "doubles"],
    }),
  ],
]);

/** For a kind that is newer than this page or has no board: options listed by name. */
const PLAIN = board(() => import("./boards/PlainBoard.tsx"), { words: sumWords, about: null, groups: [] });

export const boardOf = (kind: string): Board => BOARDS.get(kind) ?? PLAIN;

/** The labels for a draw of this kind. */
export function wordsOf(kind: string, draw: Draw): DrawWords {
  const view = GAME_KINDS.get(kind)?.view(draw) ?? { sum: sumOf(draw), size: null, parity: null };
  return boardOf(kind).words(draw, view);
}

/** The number of dice in a kind, known before its first draw. */
export const diceIn = (kind: string): number => GAME_KINDS.get(kind)?.dice ?? 1;
