import { fair, gallery } from "./exhibitions.ts";
import { gala, stage } from "./halls.ts";
import { promenade, rooftop } from "./outdoors.ts";
import type { DrawScene } from "./scene.ts";

export type SceneName = "stage" | "gallery" | "fair" | "promenade" | "rooftop" | "gala";
export const SCENES: Record<SceneName, DrawScene> = { stage, gallery, fair, promenade, rooftop, gala };
