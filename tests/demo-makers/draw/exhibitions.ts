import type { DrawScene } from "./scene.ts";
import { drawBeam, drawFloor, drawGuest, drawPlant, drawSky, WIDTH, drawWall } from "./scenery.ts";
import { drawSkyline } from "./skylines.ts";
import { at, box, group, line, lit, mix, oval, shape, shaded, type Colour } from "./svg.ts";

const frame = (x: number, y: number, w: number, h: number, art: string) =>
  box(x - 16, y - 16, w + 32, h + 32, "#6b4a34", 3) +
  box(x - 6, y - 6, w + 12, h + 12, "#fbf3e4", 2) +
  `<svg x="${x}" y="${y}" width="${w}" height="${h}" viewBox="0 0 ${w} ${h}">${art}</svg>`;

/** Pictures on a wall, and two visitors. */
export const gallery: DrawScene = (city, palette) => ({
  behind:
    drawWall("wall", lit(palette.wall, 0.55), palette.wall) +
    drawBeam("spot", 250, 250, 250, "#fffaf0", 0.7) +
    drawBeam("spot2", 830, 830, 220, "#fffaf0", 0.6) +
    frame(
      70,
      300,
      380,
      470,
      `<rect width="380" height="470" fill="${palette.sky[2]}"/><rect width="380" height="230" fill="${palette.sky[1]}"/><circle cx="270" cy="130" r="54" fill="${palette.accent}"/>` +
        drawSkyline(city, palette, 190, 350, 0.62) +
        `<rect y="350" width="380" height="120" fill="${palette.near}"/>`,
    ) +
    frame(
      800,
      330,
      220,
      300,
      `<rect width="220" height="300" fill="${palette.deep}"/><circle cx="110" cy="120" r="64" fill="${palette.light}"/><path d="M0 220Q110 130 220 230V300H0Z" fill="${palette.accent}"/>`,
    ) +
    box(0, 56, WIDTH, 10, shaded(palette.wall, 0.4)) +
    [250, 540, 830].map((x) => box(x - 16, 60, 32, 46, "#3a2f2c", 6)).join("") +
    drawFloor(1080, palette.floor, "boards") +
    box(0, 1064, WIDTH, 18, "#fbf3e4") +
    box(820, 900, 170, 260, lit(palette.wall, 0.5), 4) +
    box(940, 900, 50, 260, shaded(palette.wall, 0.15), 4, 'opacity=".6"') +
    shape("M870 900Q836 800 880 752Q862 716 905 708Q948 716 930 752Q974 800 940 900Z", palette.near) +
    shape("M915 708Q948 716 930 752Q974 800 940 900L918 900Q946 800 912 752Z", shaded(palette.near), 'opacity=".6"'),
  before:
    drawGuest(120, 1400, 1.5, mix(palette.deep, "#1c1014", 0.35)) +
    drawGuest(330, 1452, 1.35, mix(palette.deep, "#1c1014", 0.55)),
});

const stand = (x: number, w: number, colour: Colour, light: Colour) =>
  box(x, 300, w, 760, colour) +
  box(x, 300, w, 150, shaded(colour, 0.25)) +
  oval(at(x + w / 2, 375), 40, 40, light) +
  box(x + 26, 500, w - 52, 26, light, 13, 'opacity=".55"') +
  box(x + 26, 550, w - 110, 26, light, 13, 'opacity=".35"') +
  box(x + 26, 620, w - 52, 250, mix(colour, light, 0.25), 8);

/** The aisle of a trade fair. */
export const fair: DrawScene = (city, palette) => ({
  behind:
    drawWall("wall", lit(palette.far, 0.55), lit(palette.wall, 0.3)) +
    line(
      "M-40 230L1120 110M-40 110L1120 230M-40 170L1120 170",
      mix(palette.near, palette.wall, 0.5),
      8,
      'opacity=".6"',
    ) +
    [170, 450, 730, 1000].map((x) => oval(at(x, 215), 60, 20, "#fffaf0", 'opacity=".9"')).join("") +
    stand(-60, 300, palette.near, palette.light) +
    stand(850, 320, mix(palette.accent, palette.wall, 0.2), palette.light) +
    box(270, 250, 550, 810, lit(palette.wall, 0.55), 10) +
    `<clipPath id="poster"><rect x="300" y="280" width="490" height="330" rx="8"/></clipPath>` +
    group(
      drawSky(palette, 610, at(640, 420)) + drawSkyline(city, palette, 545, 612, 0.56),
      'clip-path="url(#poster)"',
    ) +
    drawFloor(1060, mix(palette.floor, "#fbf3e4", 0.3), "boards") +
    drawGuest(130, 1060, 1, mix(palette.near, palette.deep, 0.5)) +
    drawGuest(1000, 1050, 0.9, mix(palette.near, palette.deep, 0.7)),
  before:
    shape("M640 1180L1080 1150L1080 1440L660 1440Z", palette.deep) +
    shape("M610 1150L1080 1116L1080 1160L618 1192Z", lit(palette.wall, 0.5)) +
    box(760, 1260, 200, 20, palette.light, 10, 'opacity=".5"') +
    box(800, 1050, 110, 90, palette.accent, 8) +
    oval(at(855, 1050), 55, 14, lit(palette.accent, 0.3)) +
    drawPlant(1000, 1140, 0.62, "#0f7b6c", "#fbf3e4"),
});
