import { cloud, noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, mix, rgb, smooth, times } from "./colour.ts";
import { createStars } from "./northern-sky.ts";
import { ridge } from "./ridge.ts";
import { disc, glow, oval, shine } from "./shapes.ts";
import { gradient, HEIGHT, type Surface, WIDTH } from "./surface.ts";

const HORIZON = 176;
const MOON = { x: 410, y: 84, r: 30 };
const SKY = [rgb("0a1230"), rgb("1c2a5a"), rgb("4a4f88"), rgb("9a86a8")];
const GLEAM = rgb("ffe9c4");

function drawMoon(s: Surface): void {
  glow(s, MOON.x, MOON.y, 230, rgb("c9b8e8"), 0.32);
  glow(s, MOON.x, MOON.y, 80, GLEAM, 0.4);
  disc(s, MOON.x, MOON.y, MOON.r, rgb("fff3d8"));
  for (const [x, y, r] of [
    [-9, -6, 8],
    [8, 4, 10],
    [-3, 13, 6],
    [12, -13, 5],
  ] as const) {
    oval(s, MOON.x + x, MOON.y + y, r, r * 0.8, rgb("e6d3b8"), 0.45);
  }
}

/** Thin clouds that pass before the moon and are lit by it. */
function drawClouds(s: Surface, t: number): void {
  shine(s, [0, 20, WIDTH, HORIZON], [0.62, 0.55, 0.72], (x, y) => {
    const thick = smooth(0.52, 0.8, cloud(x / 150 + t * 0.035, y / 26 + 4 + t * 0.01));
    return thick * 0.34 * smooth(20, 70, y);
  });
}

function drawSwell(s: Surface, t: number, i: number): void {
  const near = (i / 10) ** 1.7;
  const level = HORIZON + 4 + near * (HEIGHT - HORIZON - 20);
  const tall = 1 + near * 15;
  const long = 16 + near * 130;
  const heightAt = (x: number) => {
    const run = x / long - t * (0.9 - near * 0.25) + i * 2.1;
    const crest = (0.5 + 0.5 * Math.sin(run + 0.5 * Math.sin(run * 0.37 + i))) ** 2.2;
    return level - tall * (crest + 0.5 * noise(x / long + i * 9, t * 0.3)) + tall * 0.3 * Math.sin(t * 0.8 + i);
  };
  const top = mix(rgb("5b6a9c"), rgb("1d4a6e"), near ** 0.6);
  ridge(s, heightAt, top, mix(rgb("343f74"), rgb("07162c"), near ** 0.5), 4 + near * 40);
}

function begin(s: Surface): Painter {
  const stars = createStars(70, 130, 8);
  const random = seeded(4);
  const glints = Array.from({ length: 320 }, () => ({
    deep: random() ** 1.4,
    side: random() - 0.5,
    beat: random() * 40,
  }));
  return (t) => {
    gradient(s, (y) => along(SKY, y / HORIZON));
    stars(s, t, 0.7);
    drawMoon(s);
    drawClouds(s, t);
    ridge(s, () => HORIZON, rgb("7d7aa4"), rgb("3a4478"), 30);
    for (let i = 0; i <= 10; i++) {
      drawSwell(s, t, i);
      for (const { deep, side, beat } of glints) {
        if (Math.floor(deep * 10.99) !== i) continue;
        const y = HORIZON + 3 + deep ** 1.5 * 165 + Math.sin(t + beat) * 4 * deep;
        const x = MOON.x + side * (26 + deep * 170) + Math.sin(t * 0.7 + beat) * 10 * deep;
        const light = Math.max(0, Math.sin(t * 2.3 + beat)) ** 2 * (1 - Math.abs(side) * 1.4);
        oval(s, x, y, 2 + deep * 11, 0.6 + deep * 1.5, times(GLEAM, 0.95), light * 0.85);
      }
    }
  };
}

export const moonlitSea: Clip = {
  code: "moonlit-sea",
  category: "nature",
  seconds: 24,
  poster: 12,
  music: { seed: 34, root: 48, scale: "warm", bpm: 66, lead: "flute", busy: 2.2, weather: "sea" },
  begin,
};
