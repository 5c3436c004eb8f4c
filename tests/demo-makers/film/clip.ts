import type { Piece } from "./compose.ts";
import type { Surface } from "./surface.ts";

/** Pictures a second. */
export const FPS = 24;

export type Category = "nature" | "city" | "stage" | "abstract";

/** Segments are this long, and clips are watched for a multiple of it. */
export const SEGMENT_S = 4;
/** So long the end of a scene takes to turn into its beginning. */
export const BLEND_S = 1;
/** How long a scene is where a clip says nothing else. */
const SCENE_S = 8;

/** Draws the picture at `t` seconds; asked for every one in turn, as some grow out of the one before. */
export type Painter = (t: number) => void;

/** The part of a clip that is kept. It comes round without a seam until the clip is over. */
export interface Scene {
  /** Where it begins, in seconds: late enough for what it blends into to be painted before. */
  from: number;
  seconds: number;
}

export interface Clip {
  code: string;
  category: Category;
  seconds: number;
  /** When its finest picture is, in seconds. */
  poster: number;
  /** What is kept of it, where that is not the eight seconds around its finest picture. */
  scene?: Scene;
  /** How much its pictures may take, where it has more to tell than most. */
  kbps?: number;
  music: Piece;
  begin(s: Surface): Painter;
}

export function sceneOf({ scene, poster, seconds }: Clip): Scene {
  const from = Math.max(BLEND_S, Math.min(poster - SCENE_S / 2, seconds - SCENE_S));
  return scene ?? { from, seconds: SCENE_S };
}

/** How long a clip is watched, in seconds: never shorter than it was painted. */
export const watchedS = ({ seconds }: Clip): number => Math.ceil(seconds / SEGMENT_S) * SEGMENT_S;
