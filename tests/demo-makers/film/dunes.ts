import { cloud, noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, mix, rgb, smooth, type Rgb } from "./colour.ts";
import { createStars } from "./northern-sky.ts";
import { ridge } from "./ridge.ts";
import { disc, end, glow, rod, streak } from "./shapes.ts";
import { gradient, type Surface, WIDTH } from "./surface.ts";

const DAY = [rgb("4a8fc0"), rgb("9cc4cc"), rgb("f4d9a0"), rgb("ffc070")];
const EVENING = [rgb("2a3a78"), rgb("86508c"), rgb("f07a5a"), rgb("ffb45a")];
const NIGHT = [rgb("050a24"), rgb("0d1a48"), rgb("24346c"), rgb("54507c")];
const SECONDS = 28;

/** A colour at the hour `h` of this evening, 0 to 1. */
const hourly = (day: Rgb, evening: Rgb, night: Rgb, h: number) => along([day, evening, night], h);

function drawSky(s: Surface, t: number, h: number, stars: (s: Surface, t: number, light?: number) => void): void {
  const stops = DAY.map((day, i) => hourly(day, EVENING[i]!, NIGHT[i]!, h));
  gradient(s, (y) => along(stops, y / 220));
  stars(s, t, smooth(0.6, 0.95, h));
  const sun = 60 + h * 260;
  const warm = 1 - smooth(0.62, 0.85, h);
  glow(s, 220, sun, 240, rgb("ffb060"), 0.34 * warm);
  if (sun < 300) disc(s, 220, sun, 27, mix([1.9, 1.85, 1.6], [2, 1.15, 0.6], smooth(0.1, 0.5, h)));
  const moon = 250 - smooth(0.55, 1.05, h) * 185;
  disc(s, 470, moon, 15, rgb("f2f0e4"), smooth(0.5, 0.7, h));
  disc(s, 476, moon - 4, 13.5, along(stops, moon / 220), smooth(0.5, 0.7, h));
  glow(s, 470, moon, 90, rgb("b8c8ff"), 0.35 * smooth(0.6, 0.9, h));
}

function drawDune(s: Surface, t: number, h: number, i: number): void {
  const near = i / 5;
  const pan = t * (1.5 + near * near * 13) + i * 300;
  const long = 120 + near * 170;
  const crest = (x: number) => {
    const at = (x + pan) / long;
    const turn = at - Math.floor(at);
    const back = turn < 0.62 ? smooth(0, 0.62, turn) : 1 - ((turn - 0.62) / 0.38) ** 0.85;
    const size = 0.55 + 0.6 * noise(Math.floor(at) * 3.7 + i, 2);
    return 196 + near * 106 - back * size * (16 + near * 46) - 3 * noise((x + pan) / 60);
  };
  const lit = hourly(rgb("f2c27c"), rgb("e8874e"), rgb("3f4a80"), h);
  const shade = hourly(rgb("a8703e"), rgb("6a3050"), rgb("121a40"), h);
  const haze = hourly(rgb("f0cf98"), rgb("e08868"), rgb("4a4a7c"), h);
  const top = mix(haze, lit, 0.3 + near * 0.7);
  ridge(s, crest, top, mix(haze, shade, 0.2 + near * 0.8), 30 + near * 70);
  const lee = (x: number) => {
    const turn = ((x + pan) / long) % 1;
    const left = turn > 0.62 ? 0 : ((0.62 - turn) / 0.22) ** 0.75;
    const right = turn > 0.62 ? 0 : (turn / 0.3) ** 0.8;
    return crest(x) + 0.5 + Math.min(left, right) * (70 + near * 90);
  };
  ridge(s, lee, mix(haze, shade, 0.35 + near * 0.6), mix(haze, shade, 0.4 + near * 0.6), 60);
}

function drawBird(s: Surface, x: number, y: number, size: number, flap: number, colour: Rgb): void {
  for (const side of [-1, 1]) {
    const wing = { x: x + side * size, y: y - size * (0.25 + 0.55 * flap) };
    rod(s, end(x, y, 1), end(wing.x, wing.y, 0.9), colour);
    rod(s, end(wing.x, wing.y, 0.9), end(x + side * size * 2, y - size * 0.5 * flap + 2, 0.3), colour);
  }
}

function begin(s: Surface): Painter {
  const stars = createStars(130, 200, 9);
  const random = seeded(3);
  const grains = Array.from({ length: 60 }, () => ({ x: random(), y: random() ** 0.6, fast: 0.5 + random() }));
  return (t) => {
    const h = smooth(0, SECONDS - 3, t) * 0.98;
    drawSky(s, t, h, stars);
    for (let i = 0; i < 9; i++) {
      const x = 700 - t * 22 - Math.abs(i - 3) * 17 + 4 * Math.sin(t + i);
      const y = 74 + (i - 3) * 9 * Math.sign(i - 3) * 0.9 + t * 0.8;
      drawBird(s, x, y, 4.4, Math.sin(t * 6 + i * 1.3), hourly(rgb("4a4a5a"), rgb("3a2038"), rgb("0a1030"), h));
    }
    for (let i = 0; i <= 5; i++) drawDune(s, t, h, i);
    const sand = hourly(rgb("ffe8b8"), rgb("ffb488"), rgb("8088b8"), h);
    for (const { x, y, fast } of grains) {
      const px = ((x * 900 + t * 150 * fast) % 900) - 120;
      const py = 215 + y * 140 + 5 * cloud(px / 60, t);
      streak(s, end(px, py, 0.7), end(px + 16 * fast, py - 1.5, 0.2), sand, 0.28 * (1 - px / WIDTH / 1.5));
    }
  };
}

export const dunes: Clip = {
  code: "dunes",
  category: "nature",
  seconds: SECONDS,
  poster: 13,
  music: { seed: 63, root: 50, scale: "deep", bpm: 70, lead: "flute", busy: 2.8, weather: "wind" },
  begin,
};
