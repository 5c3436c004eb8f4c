import { cloud, noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, hue, mix, rgb, times, type Rgb } from "./colour.ts";
import { createStars } from "./northern-sky.ts";
import { ridge } from "./ridge.ts";
import { end, glow, polygon, rect, rod, streak } from "./shapes.ts";
import { gradient, keep, mirror, type Surface } from "./surface.ts";
import { build, drive } from "./towers.ts";

const LEVEL = 258;
const DECK = 214;
const SKY = [rgb("03061a"), rgb("0a1238"), rgb("1c2860"), rgb("44407c")];
const PIERS = [196, 444];

/** How high the great cable hangs over a place. */
function cableAt(x: number): number {
  const [left, right] = PIERS as [number, number];
  if (x > left && x < right) return DECK - 8 - 92 * (Math.abs(x - 320) / 124) ** 2;
  const off = x <= left ? (left - x) / 170 : (x - right) / 170;
  return DECK - 4 - 96 * Math.max(0, 1 - off) ** 1.6;
}

function drawCoast(s: Surface): void {
  gradient(s, (y) => along(SKY, y / LEVEL));
  ridge(s, (x) => 226 - 44 * cloud(x / 120 + 2), rgb("10183c"), rgb("16204c"), 40);
  const tallAt = (x: number) => (x < 150 || x > 500 ? 50 + 70 * noise(x / 28) : 10);
  build(s, { seed: 41, base: 250, tallAt, wall: rgb("0f1638"), lit: 0.4, wide: 20 });
  rect(s, 0, 249, 640, 10, rgb("0a1030"));
  for (const x of PIERS) {
    for (const side of [-6, 6]) rod(s, end(x + side, LEVEL, 3), end(x + side * 0.7, 112, 2.2), rgb("7c86b4"));
    for (const y of [122, 160, DECK - 4]) rect(s, x - 6, y, 12, 4, rgb("7c86b4"));
  }
  for (const y of [DECK, DECK + 9]) rect(s, 0, y, 640, 3.4, rgb("707aa8"));
  for (let x = 0; x < 640; x += 10) {
    rod(s, end(x, DECK + 2, 0.6), end(x + 5, DECK + 10, 0.6), rgb("5a6490"));
    rod(s, end(x + 5, DECK + 10, 0.6), end(x + 10, DECK + 2, 0.6), rgb("5a6490"));
  }
}

function lightBridge(s: Surface, t: number): void {
  for (let x = 26; x < 618; x += 6) {
    const colour = mix(hue(x / 700 - t * 0.09, 0.6, 0.4), [1, 1, 1], 0.2);
    const y = cableAt(x);
    streak(s, end(x, y, 1.3), end(x + 6, cableAt(x + 6), 1.3), colour, 0.85);
    if (x % 12 === 2) {
      const wave = 0.25 + 0.6 * Math.max(0, Math.sin(x / 40 - t * 2.4)) ** 2;
      streak(s, end(x, y, 0.6), end(x, DECK, 0.6), colour, wave);
      glow(s, x, y, 11, colour, 0.3);
    }
  }
  for (const x of PIERS) glow(s, x, 120, 60, hue(x / 700 - t * 0.09), 0.3);
}

interface Rocket {
  start: number;
  x: number;
  y: number;
  size: number;
  colour: Rgb;
  second: Rgb;
  kind: number;
}

function burst(s: Surface, t: number, { start, x, y, size, colour, second, kind }: Rocket): void {
  const age = t - start;
  if (age < -1.1 || age > 2.8) return;
  if (age < 0) {
    const share = 1 + age / 1.1;
    const at = { x: x + 12 * (1 - share), y: LEVEL - (LEVEL - y) * (1 - (1 - share) ** 1.7) };
    streak(s, end(at.x, at.y, 1.4), end(at.x + 1, at.y + 22 * (1 - share) + 4, 0.2), rgb("ffd890"), 0.8);
    return;
  }
  glow(s, x, y, size * 2.4, colour, 0.5 * Math.exp(-age * 3));
  const count = 44 + kind * 8;
  for (let i = 0; i < count; i++) {
    const turn = i * 2.39996;
    const far =
      size * (kind === 1 ? 1 : 0.45 + 0.55 * noise(i * 7.7, start)) * (kind === 2 ? 0.8 + 0.3 * Math.cos(turn * 5) : 1);
    const flown = (when: number) => far * (1 - Math.exp(-when * 2.1));
    const at = (when: number) => ({
      x: x + Math.cos(turn) * flown(when),
      y: y + Math.sin(turn) * flown(when) + 9 * when * when,
    });
    const [head, tail] = [at(age), at(Math.max(0, age - 0.2))];
    const light =
      Math.max(0, 1 - age / (2 + 0.7 * noise(i, 3))) ** 1.2 * (age > 1.2 ? 0.6 + 0.4 * Math.sin(t * 30 + i) : 1);
    const tint = i % 3 ? colour : second;
    streak(s, end(head.x, head.y, 1.25), end(tail.x, tail.y, 0.2), tint, light);
    glow(s, head.x, head.y, 5.5, tint, light * 0.55);
  }
}

function begin(s: Surface): Painter {
  const coast = keep(s, () => drawCoast(s));
  const stars = createStars(60, 130, 3);
  const random = seeded(66);
  const rockets = Array.from({ length: 30 }, (_, i): Rocket => {
    const start = 1.6 + i * 0.8 + random() * 0.5;
    const place = { x: 90 + random() * 460, y: 40 + random() * 70, size: 46 + random() * 50 };
    const tone = random();
    return { start, ...place, colour: hue(tone, 0.65, 0.42), second: hue(tone + 0.2, 0.75, 0.3), kind: i % 3 };
  });
  return (t) => {
    coast();
    stars(s, t, 0.6);
    lightBridge(s, t);
    drive(s, t, {
      from: { x: -20, y: DECK - 2 },
      to: { x: 660, y: DECK - 2 },
      cars: 16,
      speed: 0.06,
      colour: rgb("ffedc0"),
      size: 1.4,
    });
    drive(s, t, {
      from: { x: 660, y: DECK + 8 },
      to: { x: -20, y: DECK + 8 },
      cars: 14,
      speed: 0.07,
      colour: rgb("ff5548"),
      size: 1.3,
    });
    for (const rocket of rockets) burst(s, t, rocket);
    mirror(s, LEVEL, t, [0.008, 0.01, 0.03], { stretch: 0.45, ripple: 1.2, dark: 0.66 });
    polygon(s, [0, 360, 0, 352, 640, 356, 640, 360], times(rgb("0a1030"), 0.6));
  };
}

export const busan: Clip = {
  code: "busan-fireworks",
  category: "city",
  seconds: 26,
  poster: 12,
  music: { seed: 126, root: 48, scale: "bright", bpm: 92, lead: "pluck", busy: 4.6, beat: true, weather: "sea" },
  begin,
};
