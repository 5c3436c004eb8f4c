import type { Colour } from "./svg.ts";

export type HairStyle =
  | "bob"
  | "straight"
  | "waves"
  | "lowBun"
  | "topBun"
  | "ponytail"
  | "pixie"
  | "curls"
  | "sidePart"
  | "quiff"
  | "crop"
  | "scarf";

export type Garment =
  | "blazer"
  | "suit"
  | "tuxedo"
  | "gown"
  | "dress"
  | "aodai"
  | "hanbok"
  | "kimono"
  | "turtleneck"
  | "shirt";

export type Gaze = "open" | "smiling" | "lowered";

/** How somebody is drawn. */
export interface Look {
  build: "slim" | "broad";
  skin: Colour;
  hair: Colour;
  hairStyle: HairStyle;
  garment: Garment;
  /** Of the garment, and of what is under or beside it. */
  cloth: Colour;
  inner: Colour;
  gaze: Gaze;
  glasses: boolean;
  earrings: boolean;
  beard: boolean;
}

/** Half widths of a body, in the figure's units: a head is about 100 high. */
export interface Build {
  shoulder: number;
  waist: number;
  hip: number;
}

export const BUILDS: Record<Look["build"], Build> = {
  slim: { shoulder: 78, waist: 48, hip: 62 },
  broad: { shoulder: 95, waist: 64, hip: 66 },
};
