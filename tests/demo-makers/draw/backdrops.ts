import type { Palette } from "./palette.ts";
import {
  drawClouds,
  drawCurtain,
  drawGarland,
  drawGlow,
  drawPlant,
  drawSky,
  drawWall,
  HEIGHT,
  WIDTH,
} from "./scenery.ts";
import { drawSkyline } from "./skylines.ts";
import { at, box, group, line, lit, mix, oval, shape, shaded, type Colour } from "./svg.ts";

type Draw = (city: number, palette: Palette) => string;

/** Light falling in from a window beside the picture. */
const daylight = (light: Colour, opacity = 0.3) =>
  shape("M-60 120L700-60L1000-60L-60 640ZM-60 800L1140 60L1140 240L-60 1080Z", light, `opacity="${opacity}"`);

const arch: Draw = (city, palette) =>
  drawWall("wall", lit(palette.wall, 0.35), palette.wall) +
  `<clipPath id="arch"><path d="M180 1440V500A360 360 0 0 1 900 500V1440Z"/></clipPath>` +
  shape("M150 1440V500A390 390 0 0 1 930 500V1440Z", lit(palette.wall, 0.7)) +
  group(
    drawSky(palette, 1050, at(330, 440)) +
      drawSkyline(city, palette, 540, 1000, 0.95) +
      box(0, 998, WIDTH, 442, palette.near),
    'clip-path="url(#arch)"',
  ) +
  drawPlant(70, 1440, 1.5, "#14634f", palette.accent);

const disc: Draw = (_, palette) =>
  drawWall("wall", mix(palette.deep, palette.near, 0.35), palette.deep) +
  oval(at(540, 620), 430, 430, palette.accent) +
  oval(at(540, 620), 430, 430, palette.light, 'opacity=".12"') +
  daylight(palette.light, 0.08) +
  drawPlant(960, 1460, 1.7, mix(palette.near, "#0f7b6c", 0.5), palette.deep) +
  drawPlant(60, 1500, 1.5, mix(palette.near, "#0f7b6c", 0.3), palette.deep);

const paperRoll: Draw = (_, palette) =>
  drawWall("wall", shaded(palette.wall, 0.1), shaded(palette.wall, 0.3)) +
  box(120, 60, 840, 1380, mix(palette.far, "#fbf3e4", 0.35)) +
  box(120, 60, 840, 34, shaded(palette.far, 0.2), 12) +
  box(90, 56, 900, 42, "#4a3b38", 20) +
  drawGlow("soft", at(420, 520), 560, "#fff8ea", 0.85) +
  line("M1010 1440V420M70 1440V560", "#3a2f2c", 12) +
  shape("M900 250L1110 190L1110 500L930 470Z", "#2b2227") +
  shape("M896 254L932 466L912 470L876 262Z", "#fffaf0") +
  oval(at(60, 520), 70, 92, "#fffaf0", 'opacity=".92"');

const panelled: Draw = (_, palette) => {
  const frame = (x: number, y: number, w: number, h: number) =>
    box(x, y, w, h, "none", 4, `stroke="${lit(palette.near, 0.22)}" stroke-width="7"`) +
    box(x + 22, y + 22, w - 44, h - 44, "none", 3, `stroke="${shaded(palette.near, 0.3)}" stroke-width="4"`);
  return (
    drawWall("wall", palette.near, shaded(palette.near, 0.35)) +
    frame(-120, 130, 330, 900) +
    frame(270, 130, 540, 900) +
    frame(870, 130, 330, 900) +
    box(0, 1110, WIDTH, 20, lit(palette.near, 0.2)) +
    drawGlow("lamp", at(190, 300), 460, palette.light, 0.75) +
    line("M190 0V190", "#2b1f22", 6) +
    shape("M100 290Q110 190 190 184Q270 190 280 290Z", palette.accent) +
    oval(at(190, 290), 90, 16, palette.light)
  );
};

const curtain: Draw = (_, palette) =>
  drawCurtain(0, WIDTH, mix(palette.accent, palette.deep, 0.45)) +
  drawGlow("spot", at(500, 560), 640, palette.light, 0.5) +
  box(0, 0, WIDTH, 40, shaded(palette.deep, 0.5));

const evening: Draw = (city, palette) => {
  const dusk: Palette = {
    ...palette,
    sky: [palette.deep, mix(palette.sky[0], palette.accent, 0.4), palette.sky[2]],
    far: mix(palette.far, palette.deep, 0.3),
    near: mix(palette.near, palette.deep, 0.55),
  };
  const lights = [
    [120, 900, 40],
    [230, 980, 26],
    [330, 880, 20],
    [760, 930, 34],
    [880, 860, 46],
    [980, 980, 30],
    [60, 1040, 30],
    [680, 1010, 22],
  ];
  return (
    drawSky(dusk, HEIGHT, at(800, 520)) +
    drawClouds(dusk.sky[2]) +
    drawSkyline(city, dusk, 540, 1130, 1.2) +
    box(0, 1128, WIDTH, 320, dusk.near) +
    lights.map(([x, y, r]) => oval(at(x!, y!), r!, r!, palette.light, 'opacity=".35"')).join("") +
    drawGarland(-60, 1140, 120, 120, palette.light)
  );
};

/** What may stand behind a portrait. */
export const BACKDROPS: readonly Draw[] = [arch, disc, paperRoll, panelled, curtain, evening];
