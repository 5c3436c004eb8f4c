import { noise } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, clamp, hue, mix, rgb, smooth, times } from "./colour.ts";
import { createStars } from "./northern-sky.ts";
import { ridge } from "./ridge.ts";
import { disc, end, glow, oval, polygon, rod, streak } from "./shapes.ts";
import { gradient, keep, mirror, type Surface } from "./surface.ts";
import { build, createTwinkles, drive } from "./towers.ts";

const LEVEL = 262;
const DECK = 226;
const SKY = [rgb("040a20"), rgb("0b1c48"), rgb("1e3a72"), rgb("5a5a94")];

/** The dragon's back along the bridge: it dives below the deck and rises again, up to its head at 1. */
const backAt = (at: number) => {
  const x = 24 + at * 470;
  const lift = at > 0.88 ? smooth(0.88, 1, at) * 44 : 0;
  return {
    x,
    y: DECK - 6 - 40 * Math.sin(at * Math.PI * 5 - 0.5) * (0.45 + 0.55 * Math.sin(Math.PI * clamp(at))) - lift,
  };
};

function drawDragon(s: Surface, t: number): void {
  const count = 150;
  const shift = smooth(9, 11, t) - smooth(21, 23, t);
  for (let i = 0; i < count; i++) {
    const at = i / count;
    const [a, b] = [backAt(at), backAt((i + 1) / count)];
    const gold = mix(rgb("ffb01e"), rgb("ffe37a"), 0.5 + 0.5 * Math.sin(i * 0.9 - t * 5));
    const colour = mix(gold, hue(at * 1.2 - t * 0.16), shift * 0.9);
    const r = 4.6 + 3.2 * Math.sin(Math.PI * clamp(at * 1.02)) ** 0.6;
    rod(s, end(a.x, a.y, r), end(b.x, b.y, r), times(colour, 0.9));
    if (i % 3 === 0) disc(s, a.x, a.y - 1, r * 0.55, times(colour, 1.3), 0.6);
    if (i % 4 === 0)
      polygon(s, [a.x - 3, a.y - r + 1, a.x - 2, a.y - r - 6, a.x + 4, a.y - r + 1], times(colour, 1.05));
    if (i % 6 === 0) glow(s, a.x, a.y, 34, colour, 0.16);
  }
}

function drawHead(s: Surface, t: number): void {
  const { x, y } = backAt(1);
  const gold = rgb("ffc23a");
  const jaw = 3 + 3 * fireAt(t);
  rod(s, end(x - 2, y, 9), end(x + 16, y - 3, 7), gold);
  polygon(s, [x + 8, y - 8, x + 40, y - 7, x + 38, y - 1, x + 10, y + 2], gold);
  polygon(s, [x + 6, y + 1, x + 33, y + jaw, x + 30, y + jaw + 4, x + 4, y + 8], times(gold, 0.85));
  for (const [dx, dy] of [
    [-22, -20],
    [-14, -25],
    [-28, -8],
  ] as const) {
    rod(s, end(x + 4, y - 6, 3), end(x + dx, y + dy, 0.6), times(gold, 1.1));
  }
  disc(s, x + 17, y - 5, 2.6, rgb("a01818"));
  rod(s, end(x + 38, y - 5, 0.9), end(x + 52, y - 16 + 3 * Math.sin(t * 2), 0.3), gold);
}

/** It breathes fire twice. */
const fireAt = (t: number) =>
  smooth(4, 4.6, t) * (1 - smooth(7.6, 8.4, t)) + smooth(15, 15.6, t) * (1 - smooth(19, 20, t));

function breathe(s: Surface, t: number): void {
  const { x, y } = backAt(1);
  const power = fireAt(t);
  if (power <= 0) return;
  for (let i = 0; i < 70; i++) {
    const age = (i / 70 + t * 1.5) % 1;
    const side = (noise(i * 3.3, Math.floor(i / 70 + t * 1.5)) - 0.5) * 46 * age;
    const colour = along([rgb("fff6c0"), rgb("ffb43a"), rgb("ff5a1e"), rgb("802010")], age);
    glow(s, x + 38 + age * 84 * power, y - 2 + side - age * age * 18, 5 + age * 17, colour, power * (1 - age) * 0.5);
  }
  glow(s, x + 60, y, 150, rgb("ff8a3a"), 0.2 * power);
}

function drawShore(s: Surface): void {
  gradient(s, (y) => along(SKY, y / LEVEL));
  ridge(s, (x) => 214 - 50 * noise(x / 130 + 8), rgb("12204a"), rgb("182a58"), 40);
  build(s, { seed: 9, base: 254, tallAt: (x) => 40 + 80 * noise(x / 60, 2), wall: rgb("14204a"), lit: 0.34, wide: 24 });
  ridge(s, () => LEVEL - 9, rgb("0a1230"));
  for (let x = 60; x < 600; x += 120)
    polygon(s, [x - 9, DECK, x + 9, DECK, x + 6, LEVEL + 2, x - 6, LEVEL + 2], rgb("26304c"));
  polygon(s, [0, DECK - 3, 640, DECK - 3, 640, DECK + 6, 0, DECK + 6], rgb("3a4668"));
}

function drawBoat(s: Surface, t: number): void {
  const x = 690 - t * 27;
  polygon(s, [x - 30, 284, x + 32, 284, x + 24, 294, x - 24, 294], rgb("1a1420"));
  polygon(s, [x - 22, 272, x + 20, 272, x + 24, 278, x - 26, 278], rgb("7a2430"));
  for (let i = -2; i <= 2; i++) {
    glow(s, x + i * 10, 281, 12, rgb("ffb04a"), 0.6);
    oval(s, x + i * 10, 281, 2, 2.6, [1.3, 0.7, 0.3]);
    streak(s, end(x + i * 10, 296, 1), end(x + i * 10 + 2 * Math.sin(t * 3 + i), 316, 0.3), rgb("ffa040"), 0.35);
  }
}

function begin(s: Surface): Painter {
  const shore = keep(s, () => drawShore(s));
  const stars = createStars(80, 150, 14);
  const twinkles = createTwinkles(40, 190, 250, 4);
  return (t) => {
    shore();
    stars(s, t, 0.8);
    twinkles(s, t);
    const y = DECK - 1;
    drive(s, t, { from: { x: -20, y }, to: { x: 660, y }, cars: 15, speed: 0.07, colour: rgb("ffe8b8"), size: 1.7 });
    drive(s, t, {
      from: { x: 660, y: y + 3 },
      to: { x: -20, y: y + 3 },
      cars: 13,
      speed: 0.06,
      colour: rgb("ff4a3a"),
      size: 1.5,
    });
    drawDragon(s, t);
    drawHead(s, t);
    breathe(s, t);
    mirror(s, LEVEL, t, [0.008, 0.014, 0.04], { stretch: 0.62, ripple: 1, dark: 0.7 });
    drawBoat(s, t);
  };
}

export const daNang: Clip = {
  code: "da-nang-bridge",
  category: "city",
  seconds: 26,
  poster: 6,
  music: { seed: 93, root: 45, scale: "deep", bpm: 88, lead: "pluck", busy: 4, beat: true, weather: "street" },
  begin,
};
