import { BACKDROPS } from "./backdrops.ts";
import type { Person } from "./cast.ts";
import { drawFigure } from "./figure.ts";
import { PALETTES } from "./palette.ts";
import { HEIGHT, WIDTH } from "./scenery.ts";
import { SCENES, type SceneName } from "./scenes.ts";

const whole = (inner: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${inner}</svg>`;

/** Head and shoulders, before a backdrop in the colours of the city. */
export function composePortrait({ city, backdrop, portrait, portraitPose, mirrored }: Person): string {
  const figure = drawFigure(portrait, portraitPose, { x: 540, y: 570, scale: 3.9, mirrored });
  return whole(BACKDROPS[backdrop]!(city, PALETTES[city]!) + figure);
}

/** A place where people work, as it is before they come. */
export function composePlace(city: number, scene: SceneName): string {
  const { behind, before } = SCENES[scene](city, PALETTES[city]!);
  return whole(behind + before);
}

/** From head to foot, where they work. */
export function composeWork({ city, scene, atWork, workPose, mirrored }: Person): string {
  const { behind, before } = SCENES[scene](city, PALETTES[city]!);
  const figure = drawFigure(atWork, workPose, { x: scene === "gallery" ? 610 : 520, y: 345, scale: 1.28, mirrored });
  return whole(behind + figure + before);
}
