import type { Palette } from "./palette.ts";
import type { DrawScene } from "./scene.ts";
import { drawClouds, drawFloor, drawGarland, drawGlow, drawPlant, drawSky, WIDTH } from "./scenery.ts";
import { drawSkyline } from "./skylines.ts";
import { at, box, gradient, group, line, lit, mix, oval, shape, shaded, type Colour } from "./svg.ts";

const palm = (x: number, y: number, scale: number, leaf: Colour) =>
  group(
    line("M0 0Q24-260-10-480", "#6b4a34", 22) +
      [
        [-210, -420],
        [-170, -580],
        [150, -590],
        [200, -430],
        [-100, -360],
        [110, -350],
      ]
        .map(([dx, dy], i) =>
          shape(
            `M-10-480Q${dx! * 0.6} ${dy! - 60} ${dx} ${dy}Q${dx! * 0.4} ${dy! + 10}-10-480Z`,
            i % 2 ? leaf : shaded(leaf, 0.2),
          ),
        )
        .join(""),
    `transform="translate(${x} ${y}) scale(${scale})"`,
  );

/** A promenade by the water. */
export const promenade: DrawScene = (city, palette) => ({
  behind:
    drawSky(palette, 800, at(770, 430)) +
    drawClouds(palette.light) +
    drawSkyline(city, palette, 540, 802, 1.08) +
    `<defs>${gradient("sea", [[lit(palette.far, 0.3)], [palette.near]])}</defs>` +
    box(0, 800, WIDTH, 320, "url(#sea)") +
    line(
      "M620 830L900 830M660 866L860 866M690 904L830 904M80 880L260 880M150 950L330 950M760 980L960 980",
      palette.light,
      7,
      'opacity=".55"',
    ) +
    drawFloor(1090, mix(palette.floor, "#fbf3e4", 0.25), "boards") +
    line("M0 960L1080 960M0 1030L1080 1030", "#fbf3e4", 12) +
    [40, 240, 440, 640, 840, 1040].map((x) => box(x - 9, 940, 18, 156, "#fbf3e4", 6)).join("") +
    palm(96, 1150, 1.15, city === 3 ? "#4f8f6b" : "#0f7b6c"),
  before: drawPlant(980, 1420, 1, "#14634f", palette.accent),
});

/** A terrace above the city at dusk. */
export const rooftop: DrawScene = (city, palette) => {
  const evening = {
    ...palette,
    sky: [
      mix(palette.deep, "#1c1430", 0.35),
      mix(palette.sky[0], palette.accent, 0.35),
      palette.sky[2],
    ] as Palette["sky"],
    far: mix(palette.far, palette.deep, 0.35),
    near: mix(palette.near, palette.deep, 0.6),
  };
  return {
    behind:
      drawSky(evening, 960, at(250, 640)) +
      drawSkyline(city, evening, 560, 964, 1.25) +
      box(0, 960, WIDTH, 140, mix(evening.near, "#1c1014", 0.2)) +
      drawFloor(1090, mix(palette.floor, palette.deep, 0.3), "boards") +
      box(0, 980, WIDTH, 120, lit(evening.near, 0.35), 0, 'opacity=".35"') +
      box(0, 968, WIDTH, 14, palette.light, 0, 'opacity=".8"') +
      drawGarland(-40, 640, 120, 110, palette.light) +
      drawGarland(520, 1140, 70, 120, palette.light) +
      drawGlow("warm", at(540, 700), 560, palette.light, 0.32) +
      box(820, 1060, 200, 16, "#fbf3e4", 6) +
      box(912, 1070, 14, 200, "#fbf3e4") +
      oval(at(919, 1272), 66, 12, "#fbf3e4") +
      oval(at(880, 1030), 20, 32, palette.accent) +
      oval(at(950, 1040), 14, 22, palette.light),
    before: drawPlant(90, 1430, 1.15, "#14634f", mix(palette.deep, "#1c1014", 0.3)),
  };
};
