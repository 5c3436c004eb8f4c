import { noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, hue, mix, rgb, smooth, times } from "./colour.ts";
import { disc, glow, rect } from "./shapes.ts";
import { keep, type Surface, gradient, HEIGHT } from "./surface.ts";

/** How often the plate swings across and down, and how the two are added (after Chladni). */
const TONES = [
  { m: 1, n: 3, sign: 1 },
  { m: 2, n: 5, sign: -1 },
  { m: 3, n: 4, sign: 1 },
  { m: 1, n: 6, sign: -1 },
  { m: 3, n: 7, sign: 1 },
];
const EACH_S = 5;
const PLATE = { left: 160, top: 20, side: 320 };

interface Grain {
  u: number;
  v: number;
  shade: number;
}

const swingAt = (u: number, v: number, { m, n, sign }: (typeof TONES)[number]) =>
  Math.cos(n * Math.PI * u) * Math.cos(m * Math.PI * v) + sign * Math.cos(m * Math.PI * u) * Math.cos(n * Math.PI * v);

/** Grains hop where the plate swings, and slide to where it is still. */
function shake(grain: Grain, tone: (typeof TONES)[number], strength: number, random: () => number): void {
  const here = swingAt(grain.u, grain.v, tone);
  const reach = 0.004;
  const across =
    (Math.abs(swingAt(grain.u + reach, grain.v, tone)) - Math.abs(swingAt(grain.u - reach, grain.v, tone))) / reach;
  const down =
    (Math.abs(swingAt(grain.u, grain.v + reach, tone)) - Math.abs(swingAt(grain.u, grain.v - reach, tone))) / reach;
  const hop = (0.03 * Math.min(1, Math.abs(here)) + 0.007) * strength;
  const slide = 0.00013 * strength;
  grain.u = Math.min(
    1,
    Math.max(0, grain.u - across * slide * Math.min(1, Math.abs(here) * 3) + (random() - 0.5) * hop),
  );
  grain.v = Math.min(1, Math.max(0, grain.v - down * slide * Math.min(1, Math.abs(here) * 3) + (random() - 0.5) * hop));
}

function drawPlate(s: Surface): void {
  gradient(s, (y) => along([rgb("140c1c"), rgb("2a1a34"), rgb("1a1022")], y / HEIGHT));
  glow(s, 320, 180, 380, rgb("8a5a3a"), 0.35);
  const { left, top, side } = PLATE;
  rect(s, left - 4, top + 4, side + 14, side + 10, [0, 0, 0], 0.4);
  rect(s, left - 6, top - 6, side + 12, side + 12, rgb("c8924a"));
  rect(s, left - 4, top - 4, side + 8, side + 8, rgb("141a2c"));
  glow(s, left + 90, top + 70, 190, rgb("38507c"), 0.35);
}

/** Beside the plate the tone is seen swinging. */
function drawTone(s: Surface, t: number, strength: number, index: number): void {
  for (const side of [70, 570]) {
    for (let i = 0; i <= 40; i++) {
      const y = 40 + i * 7;
      const swing = Math.sin((i / 40) * Math.PI) * Math.sin(i * (0.3 + index * 0.12) + t * 7) * 26 * strength;
      const colour = hue(index * 0.19 + i / 90 + 0.05, 0.6, 0.38);
      glow(s, side + swing, y, 7, colour, 0.8);
    }
  }
}

function begin(s: Surface): Painter {
  const plate = keep(s, () => drawPlate(s));
  const random = seeded(58);
  const grains = Array.from({ length: 3200 }, (): Grain => ({ u: random(), v: random(), shade: random() }));
  return (t) => {
    const index = Math.floor(t / EACH_S) % TONES.length;
    const within = t % EACH_S;
    const strength = smooth(0, 0.4, within) * (1 - 0.92 * smooth(2.6, 3.8, within));
    plate();
    drawTone(s, t, 0.25 + strength, index);
    const burst = within < 0.5 && t > 1 ? 0.02 : 0;
    const tint = mix(rgb("ffe2b0"), hue(index * 0.19 + 0.05, 0.75, 0.25), 0.45);
    for (const [i, grain] of grains.entries()) {
      grain.u += (noise(i * 1.7, t * 9) - 0.5) * burst * 2;
      grain.v += (noise(i * 2.3, t * 9, 4) - 0.5) * burst * 2;
      shake(grain, TONES[index]!, strength, random);
      disc(
        s,
        PLATE.left + grain.u * PLATE.side,
        PLATE.top + grain.v * PLATE.side,
        1.1,
        times(tint, 0.7 + grain.shade * 0.4),
      );
    }
  };
}

export const sandFigures: Clip = {
  code: "sand-figures",
  category: "abstract",
  seconds: 25,
  poster: 14,
  kbps: 40,
  music: { seed: 237, root: 48, scale: "deep", bpm: 96, lead: "flute", busy: 2.6 },
  begin,
};
