import { noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, hue, mix, rgb, times, type Rgb } from "./colour.ts";
import { disc, end, glow, oval, rect, ring, rod, streak } from "./shapes.ts";
import { gradient, keep, mirror, type Surface } from "./surface.ts";
import { build, lightRooms } from "./towers.ts";

const LEVEL = 264;
const SKY = [rgb("0c0a2c"), rgb("241a54"), rgb("5a2f78"), rgb("b04a80")];
const WHEEL = { x: 152, y: 118, r: 84 };

interface Sign {
  x: number;
  y: number;
  width: number;
  tall: number;
  tone: number;
  kind: number;
}

/** A neon sign that shows no words: stripes, a ring, waves or a chequered board, always moving. */
function glowSign(s: Surface, t: number, { x, y, width, tall, tone, kind }: Sign): void {
  const colour = hue(tone, 0.6, 0.45);
  const other = hue(tone + 0.45, 0.65, 0.4);
  rect(s, x, y, width, tall, times(colour, 0.24));
  glow(s, x + width / 2, y + tall / 2, Math.max(width, tall) * 1.25, colour, 0.22 + 0.05 * Math.sin(t * 3 + tone * 20));
  for (const [ax, ay, bx, by] of [
    [0, 0, 1, 0],
    [1, 0, 1, 1],
    [1, 1, 0, 1],
    [0, 1, 0, 0],
  ] as const) {
    streak(s, end(x + ax * width, y + ay * tall, 1), end(x + bx * width, y + by * tall, 1), colour, 0.8);
  }
  const middle = { x: x + width / 2, y: y + tall / 2 };
  if (kind === 3) return chequer(s, t, { x, y, width, tall }, other);
  if (kind === 1) {
    const reach = Math.min(width, tall) / 2.2;
    for (let i = 0; i < 3; i++) ring(s, middle.x, middle.y, ((t * 0.5 + i / 3) % 1) * reach, 2, other, 0.9);
  }
  for (let i = 0; kind === 0 && i < tall / 9 - 1; i++) {
    const on = 0.25 + 0.75 * Math.max(0, Math.sin(t * 3 - i * 0.8));
    rect(s, x + 4, y + 4 + i * 9, width - 8, 4.5, times(other, 1.1), on);
  }
  for (let i = 0; kind === 2 && i < width - 8; i += 3) {
    glow(s, x + 4 + i, middle.y + tall * 0.28 * Math.sin(i / 7 - t * 4), 4.5, other, 0.8);
  }
}

function chequer(s: Surface, t: number, { x, y, width, tall }: Omit<Sign, "tone" | "kind">, colour: Rgb): void {
  const [across, down] = [(width - 8) / 4, (tall - 8) / 6];
  for (let i = 0; i < 24; i++) {
    const [column, row] = [i % 4, Math.floor(i / 4)];
    if ((column + row + Math.floor(t * 2)) % 2 === 0) continue;
    rect(s, x + 4 + column * across, y + 4 + row * down, across - 0.5, down - 0.7, colour, 0.8);
  }
}

function drawStreet(s: Surface): void {
  gradient(s, (y) => along(SKY, y / 240));
  build(s, {
    seed: 61,
    base: 236,
    tallAt: (x) => 40 + 66 * noise(x / 60, 9),
    wall: rgb("2a1c50"),
    lit: 0.26,
    wide: 24,
  });
  const random = seeded(17);
  for (const [x, width, top] of [
    [262, 74, 120],
    [338, 60, 84],
    [400, 84, 132],
    [486, 66, 98],
    [554, 96, 140],
  ] as const) {
    const wall = mix(rgb("1a1236"), rgb("2c1c48"), random());
    rect(s, x, top, width, 250 - top, wall);
    lightRooms(s, random, { x, y: top, width, tall: 120 }, 0.22);
  }
  rect(s, 0, 232, 640, 14, rgb("3a2c50"));
  rect(s, 0, 246, 640, 20, rgb("171028"));
  for (let x = 20; x < 640; x += 60) rect(s, x, 246, 8, 19, rgb("241a3c"));
}

function turnWheel(s: Surface, t: number): void {
  const { x, y, r } = WHEEL;
  for (const side of [-34, 34]) rod(s, end(x, y, 2.4), end(x + side, 234, 3.4), rgb("6a5c98"));
  for (let i = 0; i < 24; i++) {
    const turn = t * 0.22 + (i / 24) * 2 * Math.PI;
    const rim = { x: x + Math.cos(turn) * r, y: y + Math.sin(turn) * r };
    const colour = hue(i / 24 + t * 0.1, 0.6, 0.42);
    const wave = 0.25 + 0.5 * Math.max(0, Math.sin(i * 0.52 * 2 - t * 2.4));
    streak(s, end(x, y, 0.8), end(rim.x, rim.y, 0.9), colour, wave);
    glow(s, rim.x, rim.y, 12, colour, 0.5);
    if (i % 2 === 0) {
      rod(s, end(rim.x - 3, rim.y + 8, 4), end(rim.x + 3, rim.y + 8, 4), times(colour, 0.85));
      rect(s, rim.x - 4, rim.y + 5, 8, 3.4, rgb("fff2d0"), 0.9);
    }
  }
  ring(s, x, y, r, 2.2, rgb("ffd8f0"), 0.9);
  ring(s, x, y, r * 0.62, 1.4, hue(t * 0.1), 0.6);
  disc(s, x, y, 6, rgb("fff0d8"));
}

function driveTram(s: Surface, t: number): void {
  const x = ((t * 62) % 1050) - 230;
  for (let car = 0; car < 2; car++) {
    const left = x + car * 92;
    rect(s, left, 208, 88, 22, rgb("e8e0d0"));
    rect(s, left, 221, 88, 9, rgb("c83a4a"));
    for (let i = 0; i < 6; i++) rect(s, left + 5 + i * 13.6, 211, 10, 9, times(rgb("fff0b0"), 1.05));
    for (const wheel of [16, 72]) disc(s, left + wheel, 231, 3.4, rgb("1a1420"));
  }
  glow(s, x + 182, 224, 46, rgb("fff2c0"), 0.6);
  rod(s, end(x + 88, 208, 0.7), end(x + 100, 196, 0.7), rgb("8a80a8"));
  rod(s, end(-5, 196, 0.5), end(645, 196, 0.5), rgb("4a3e68"));
}

function drawBoat(s: Surface, t: number, start: number, speed: number, y: number): void {
  const x = ((start + t * speed + 9000) % 900) - 130;
  oval(s, x, y, 52, 9, rgb("120c1e"));
  rect(s, x - 52, y - 9, 104, 9, rgb("3a1c2c"));
  rod(s, end(x - 42, y - 27, 1.8), end(x + 42, y - 27, 1.8), rgb("5a2a38"));
  const lanterns: Rgb[] = [rgb("ff5a3c"), rgb("ffb04a")];
  for (let i = -3; i <= 3; i++) {
    const colour = lanterns[Math.abs(i) % 2]!;
    const lx = x + i * 13 + Math.sin(t * 2 + i) * 0.8;
    glow(s, lx, y - 19, 15, colour, 0.6);
    oval(s, lx, y - 19, 3.7, 5, times(colour, 1.15));
    streak(s, end(lx, y + 10, 1.6), end(lx + 3 * Math.sin(t * 3 + i), y + 34, 0.4), colour, 0.3);
  }
}

function begin(s: Surface): Painter {
  const street = keep(s, () => drawStreet(s));
  const signs: Sign[] = [
    { x: 274, y: 132, width: 22, tall: 86, tone: 0.95, kind: 0 },
    { x: 302, y: 150, width: 30, tall: 30, tone: 0.5, kind: 1 },
    { x: 344, y: 96, width: 48, tall: 40, tone: 0.1, kind: 3 },
    { x: 350, y: 150, width: 38, tall: 24, tone: 0.6, kind: 2 },
    { x: 412, y: 142, width: 58, tall: 50, tone: 0.8, kind: 1 },
    { x: 494, y: 108, width: 20, tall: 92, tone: 0.42, kind: 0 },
    { x: 520, y: 124, width: 26, tall: 44, tone: 0.02, kind: 3 },
    { x: 566, y: 150, width: 66, tall: 36, tone: 0.7, kind: 2 },
  ];
  return (t) => {
    street();
    turnWheel(s, t);
    for (const sign of signs) glowSign(s, t, sign);
    driveTram(s, t);
    mirror(s, LEVEL, t, [0.012, 0.008, 0.03], { stretch: 0.55, ripple: 1.2, dark: 0.66 });
    drawBoat(s, t, 260, 24, 304);
    drawBoat(s, t, 700, -17, 334);
  };
}

export const osaka: Clip = {
  code: "osaka-canal",
  category: "city",
  seconds: 26,
  poster: 6,
  music: { seed: 137, root: 52, scale: "east", bpm: 100, lead: "pluck", busy: 4.4, beat: true, weather: "street" },
  begin,
};
