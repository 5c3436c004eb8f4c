import { drawArms, type Pose } from "./arms.ts";
import { drawClothes } from "./clothes.ts";
import { drawHead } from "./head.ts";
import { drawLegs } from "./legs.ts";
import type { Look } from "./look.ts";
import { at, group, oval } from "./svg.ts";

interface Place {
  /** Where the middle of the head is, in the picture's pixels. */
  x: number;
  y: number;
  /** Pixels for one unit of the figure; a head is about 100 units high. */
  scale: number;
  mirrored?: boolean;
}

/** Somebody from head to foot: the light comes from the left, unless mirrored. */
export function drawFigure(look: Look, pose: Pose, { x, y, scale, mirrored = false }: Place): string {
  const { behind, neck, head } = drawHead(look);
  const arms = drawArms(look, pose);
  const floor = oval(at(8, 770), 120, 13, "#1c1014", 'opacity=".28"');
  const inner = floor + behind + arms.under + drawLegs(look) + neck + drawClothes(look) + head + arms.over;
  return group(inner, `transform="translate(${x} ${y}) scale(${mirrored ? -scale : scale} ${scale})"`);
}
