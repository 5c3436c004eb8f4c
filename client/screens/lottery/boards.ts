import { lazy, type ComponentType } from "react";
import type { TextKey } from "#client/text/i18n.ts";
import { fetchChunk } from "#client/app/missing-chunk.ts";
import { sumOf } from "#shared/lottery/dice.ts";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import type { Draw, Rules } from "#shared/lottery/rules.ts";
import { doubleWords, faceWords, sumWords, type DrawWords } from "./draw-words.ts";
import type { BoardProps } from "./odds-item.ts";

type Module = () => Promise<{ default: ComponentType<BoardProps> }>;

/** How a kind of game looks and what is said of it. */
interface Board {
  load: Module;
  /** What can be chosen; comes when it is first shown. */
  Options: ComponentType<BoardProps>;
  words: (draw: Draw, view: ReturnType<Rules["view"]>) => DrawWords;
  /** How it is drawn and what wins. */
  about: TextKey | null;
  /** Its parts from top to bottom. */
  groups: readonly string[];
}

const board = (load: Module, rest: Omit<Board, "load" | "Options">): Board => ({
  load,
  Options: lazy(() => fetchChunk(load)),
  ...rest,
});

/** The board of each kind of game, as its rules are in `shared/lottery/games.ts`. */
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

/** For a kind that is newer than this page, or has no board of its own: its options by their names. */
const PLAIN = board(() => import("./boards/PlainBoard.tsx"), { words: sumWords, about: null, groups: [] });

export const boardOf = (kind: string): Board => BOARDS.get(kind) ?? PLAIN;

/** What is said of a draw of a kind. */
export function wordsOf(kind: string, draw: Draw): DrawWords {
  const view = GAME_KINDS.get(kind)?.view(draw) ?? { sum: sumOf(draw), size: null, parity: null };
  return boardOf(kind).words(draw, view);
}

/** How many dice a kind is drawn with, before the first have fallen. */
export const diceIn = (kind: string): number => GAME_KINDS.get(kind)?.dice ?? 1;
