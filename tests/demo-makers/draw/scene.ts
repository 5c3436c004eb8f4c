import type { Palette } from "./palette.ts";

/** What stands behind somebody at work, and what stands before them. */
export interface Scene {
  behind: string;
  before: string;
}
/** A place where people work, in a city and in its colours. */
export type DrawScene = (city: number, palette: Palette) => Scene;
