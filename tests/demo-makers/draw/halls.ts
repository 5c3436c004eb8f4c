import type { Palette } from "./palette.ts";
import type { DrawScene } from "./scene.ts";
import { drawAudience, drawBeam, drawCurtain, drawFloor, drawGlow, drawSky, WIDTH, drawWall } from "./scenery.ts";
import { drawSkyline } from "./skylines.ts";
import { at, box, group, line, lit, mix, oval, shape, shaded } from "./svg.ts";

/** A stage with a screen behind and the audience before it. */
export const stage: DrawScene = (city, palette) => {
  const screen = group(
    drawSky(palette, 760, at(760, 520)) + drawSkyline(city, palette, 540, 760, 0.86),
    'clip-path="url(#screen)"',
  );
  return {
    behind:
      drawWall("wall", mix(palette.deep, "#1c1014", 0.35), mix(palette.deep, "#1c1014", 0.7)) +
      `<clipPath id="screen"><rect x="180" y="250" width="720" height="510" rx="12"/></clipPath>` +
      box(166, 236, 748, 538, "#1c1014", 18) +
      screen +
      drawCurtain(0, 150, palette.accent === "#0f7b6c" ? "#8f2f2f" : shaded(palette.accent, 0.28)) +
      drawCurtain(930, 1080, palette.accent === "#0f7b6c" ? "#8f2f2f" : shaded(palette.accent, 0.4)) +
      drawFloor(1040, mix(palette.floor, palette.deep, 0.35), "boards") +
      oval(at(540, 1232), 400, 74, palette.light, 'opacity=".22"') +
      drawBeam("beam", 300, 520, 330, palette.light, 0.5) +
      drawBeam("beam2", 860, 600, 240, palette.light, 0.32) +
      box(0, 0, WIDTH, 64, "#1c1014") +
      [140, 300, 540, 700, 860]
        .map((x) => box(x - 28, 44, 56, 44, "#2b2227", 8) + oval(at(x, 90), 22, 8, palette.light))
        .join(""),
    before: drawAudience("#1c1014", mix(palette.deep, "#1c1014", 0.6)),
  };
};

const banquet = (x: number, y: number, scale: number, { accent, light }: Palette) =>
  group(
    shape("M-170-130L170-130L196 60L-196 60Z", "#fbf3e4") +
      shape("M60-130L170-130L196 60L90 60Z", "#e2d2b8", 'opacity=".7"') +
      oval(at(0, -130), 172, 34, "#fffaf0") +
      shape("M-20-140L20-140L12-200L-12-200Z", shaded(light, 0.1)) +
      [
        [-26, -226, 26],
        [22, -230, 28],
        [0, -256, 26],
      ]
        .map(([a, b, r], i) => oval(at(a!, b!), r!, r!, i === 1 ? light : accent))
        .join(""),
    `transform="translate(${x} ${y}) scale(${scale})"`,
  );

/** A ballroom, the city in its windows. */
export const gala: DrawScene = (city, palette) => ({
  behind:
    drawWall("wall", shaded(palette.wall, 0.12), shaded(palette.wall, 0.4)) +
    [60, 400, 740]
      .map(
        (x, i) =>
          `<clipPath id="pane${i}"><path d="M${x} 980V420A140 140 0 0 1 ${x + 280} 420V980Z"/></clipPath>` +
          shape(`M${x - 16} 996V420A156 156 0 0 1 ${x + 296} 420V996Z`, lit(palette.wall, 0.5)),
      )
      .join("") +
    [0, 1, 2]
      .map((i) =>
        group(
          drawSky(palette, 900, at(820, 560)) + drawSkyline(city, palette, 540, 980, 1.05),
          `clip-path="url(#pane${i})"`,
        ),
      )
      .join("") +
    [60, 400, 740].map((x) => line(`M${x + 140} 280V980M${x} 640H${x + 280}`, lit(palette.wall, 0.5), 8)).join("") +
    drawFloor(1060, palette.floor, "boards") +
    [250, 830]
      .map(
        (x, i) =>
          line(`M${x} 0V120`, "#4a3530", 6) +
          drawGlow(`lamp${i}`, at(x, 190), 240, palette.light, 0.8) +
          shape(`M${x - 110} 190Q${x} 90 ${x + 110} 190Z`, "#d9a441") +
          [-84, -42, 0, 42, 84].map((d) => oval(at(x + d, 204), 15, 20, "#fff8e6")).join(""),
      )
      .join("") +
    banquet(120, 1190, 0.8, palette) +
    banquet(980, 1180, 0.76, palette),
  before: banquet(960, 1480, 1.35, palette),
});
