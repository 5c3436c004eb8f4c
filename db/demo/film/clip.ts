import type { Piece } from "./compose.ts";
import type { Surface } from "./surface.ts";

/** Pictures a second. */
export const FPS = 24;

export type Category = "nature" | "city" | "stage" | "abstract";

/** Draws the picture at `t` seconds; asked for every one in turn, as some grow out of the one before. */
export type Painter = (t: number) => void;

export interface Clip {
  code: string;
  category: Category;
  seconds: number;
  /** When its finest picture is, in seconds. */
  poster: number;
  /** It has more to tell than most and may take more bytes. */
  rich?: true;
  music: Piece;
  begin(s: Surface): Painter;
}
