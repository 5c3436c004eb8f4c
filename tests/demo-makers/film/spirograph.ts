import type { Clip, Painter } from "./clip.ts";
import { along, hue, mix, rgb, smooth, type Rgb } from "./colour.ts";
import { end, glow, ring, streak } from "./shapes.ts";
import { createSurface, gradient, HEIGHT, type Surface } from "./surface.ts";

/** The wheels of each figure: the small one runs inside the great one, the pen sits `pen` from its middle. */
const FIGURES = [
  { great: 100, small: 36, pen: 62, turns: 9, tone: 0.55 },
  { great: 105, small: 66, pen: 84, turns: 22, tone: 0.88 },
  { great: 100, small: 42, pen: 70, turns: 21, tone: 0.1 },
];
const EACH_S = 8;
const NESTED = 3;

/** Where the pen is after a share of a figure; more pens run beside it, each a little nearer to the middle. */
function penAt(figure: (typeof FIGURES)[number], share: number, nest: number, t: number) {
  const { great, small, pen, turns } = figure;
  const angle = share * turns * 2 * Math.PI;
  const [far, size] = [great - small, 1.18 - nest * 0.2];
  const x = far * Math.cos(angle) + pen * (1 - nest * 0.14) * Math.cos((far / small) * angle);
  const y = far * Math.sin(angle) - pen * (1 - nest * 0.14) * Math.sin((far / small) * angle);
  const tilt = t * 0.05 + nest * 0.3;
  const [cos, sin] = [Math.cos(tilt) * size, Math.sin(tilt) * size];
  return { x: 320 + x * cos - y * sin, y: 180 + x * sin + y * cos };
}

function draw(s: Surface, t: number): { x: number; y: number; colour: Rgb }[] {
  const turn = Math.min(FIGURES.length - 1, Math.floor(t / EACH_S));
  const figure = FIGURES[turn]!;
  const within = t - turn * EACH_S;
  const step = 1 / 24 / (EACH_S - 1.4);
  const strokes = 8 + figure.turns * 2;
  const tips: { x: number; y: number; colour: Rgb }[] = [];
  for (let nest = 0; nest < NESTED; nest++) {
    const share = within / (EACH_S - 1.4);
    if (share > 1) break;
    const colour = mix(hue(figure.tone + nest * 0.07 + share * 0.22, 0.58, 0.42), [1, 1, 1], 0.08);
    for (let i = 0; i < strokes; i++) {
      const from = penAt(figure, share - step + (step * i) / strokes, nest, turn * EACH_S);
      const to = penAt(figure, share - step + (step * (i + 1)) / strokes, nest, turn * EACH_S);
      streak(s, end(from.x, from.y, 0.62), end(to.x, to.y, 0.62), colour, 0.34);
    }
    tips.push({ ...penAt(figure, share, nest, turn * EACH_S), colour });
  }
  return tips;
}

function begin(s: Surface): Painter {
  const paper = createSurface(s.scale);
  return (t) => {
    const within = t % EACH_S;
    const leaving = within < 0.9 && t > 1 ? 0.12 : 0;
    for (let i = 0; i < paper.px.length; i++) paper.px[i]! *= 1 - leaving;
    const tips = draw(paper, t);
    gradient(s, (y) => along([rgb("060818"), rgb("0e1434"), rgb("0a0e26")], y / HEIGHT));
    glow(s, 320, 180, 330, hue(t * 0.03 + 0.5, 0.3, 0.2), 0.4);
    for (let i = 0; i < s.px.length; i++) s.px[i]! += paper.px[i]!;
    for (const { x, y, colour } of tips) {
      glow(s, x, y, 26, colour, 0.7);
      glow(s, x, y, 6, [1, 1, 1], 1);
    }
    const done = smooth(EACH_S - 1.5, EACH_S - 1.2, within) * (1 - smooth(EACH_S - 0.8, EACH_S, within));
    ring(s, 320, 180, 60 + (within - EACH_S + 1.5) * 150, 14, hue(t * 0.1), done * 0.4);
  };
}

export const spirograph: Clip = {
  code: "spirograph",
  category: "abstract",
  seconds: 24,
  poster: 15,
  scene: { from: 8, seconds: 8 },
  music: { seed: 215, root: 50, scale: "bright", bpm: 80, lead: "bell", busy: 5 },
  begin,
};
