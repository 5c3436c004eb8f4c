import { noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { mix, rgb, times, type Rgb } from "./colour.ts";
import { cover, end, glow, oval, polygon, ring, rod } from "./shapes.ts";
import { shade, type Surface } from "./surface.ts";

const DEEP = rgb("06303a");
const CLEAR = rgb("1f8a86");

interface Koi {
  size: number;
  speed: number;
  phase: number;
  wide: number;
  high: number;
  skin: Rgb;
  patch: Rgb;
}

const KOI: Koi[] = [
  { size: 1.25, speed: 0.3, phase: 0, wide: 235, high: 110, skin: rgb("fff4ea"), patch: rgb("f0532a") },
  { size: 1.05, speed: -0.26, phase: 2.2, wide: 190, high: 120, skin: rgb("ff8a2e"), patch: rgb("ffb85a") },
  { size: 1.15, speed: 0.22, phase: 4, wide: 260, high: 90, skin: rgb("fdf6f0"), patch: rgb("2a2a34") },
  { size: 0.85, speed: -0.34, phase: 5.3, wide: 150, high: 80, skin: rgb("ffd24e"), patch: rgb("ffe694") },
  { size: 0.95, speed: 0.28, phase: 1.2, wide: 130, high: 130, skin: rgb("f4f0f0"), patch: rgb("e8402e") },
  { size: 0.75, speed: 0.36, phase: 3.2, wide: 280, high: 140, skin: rgb("ff6a3a"), patch: rgb("fff0e6") },
];

const courseAt = ({ phase, wide, high, speed }: Koi, t: number) => ({
  x: 320 + wide * Math.sin(t * speed + phase) + 40 * Math.sin(t * speed * 2.3 + phase * 3),
  y: 180 + high * Math.cos(t * speed * 1.31 + phase * 1.7),
});

/** How wide a koi is from nose (0) to tail (1). */
const girth = (at: number) => 10.5 * Math.sin(Math.PI * Math.min(1, at * 0.82 + 0.16)) ** 0.8 * (1 - at * 0.45);

/** The middle line of its body, which bends as the fish swims. */
function bendSpine(koi: Koi, t: number) {
  const head = courseAt(koi, t);
  const ahead = courseAt(koi, t + 0.1);
  const angle = Math.atan2(ahead.y - head.y, ahead.x - head.x);
  const before = courseAt(koi, t - 0.9);
  const turned = Math.atan2(head.y - before.y, head.x - before.x) - angle;
  const curl = Math.atan2(Math.sin(turned), Math.cos(turned)) * 0.7;
  const spine = [{ ...head, angle }];
  for (let i = 1; i <= 14; i++) {
    const wag = 0.5 * (i / 14) ** 1.5 * Math.sin(t * 4.6 * (0.7 + Math.abs(koi.speed)) - i * 0.42 + koi.phase);
    const bend = angle + (curl * i) / 14 + wag;
    const last = spine[i - 1]!;
    const step = 4.8 * koi.size;
    spine.push({ x: last.x - Math.cos(bend) * step, y: last.y - Math.sin(bend) * step, angle: bend });
  }
  return spine;
}

function drawFin(s: Surface, x: number, y: number, angle: number, long: number, wide: number, colour: Rgb): void {
  const tip = { x: x + Math.cos(angle) * long, y: y + Math.sin(angle) * long };
  const [sin, cos] = [Math.sin(angle) * wide, Math.cos(angle) * wide];
  polygon(
    s,
    [x, y, tip.x - sin, tip.y + cos, tip.x - cos * 0.4, tip.y - sin * 0.4, tip.x + sin, tip.y - cos],
    colour,
    0.55,
  );
}

function drawKoi(s: Surface, koi: Koi, t: number): void {
  const spine = bendSpine(koi, t);
  const { size, skin, patch } = koi;
  for (const [i, { x, y }] of spine.entries())
    oval(s, x + 9, y + 15, girth(i / 14) * size, girth(i / 14) * size, DEEP, 0.3);
  const tail = spine[14]!;
  for (const side of [-0.35, 0.35]) drawFin(s, tail.x, tail.y, tail.angle + Math.PI + side, 19 * size, 6 * size, skin);
  const chest = spine[3]!;
  const paddle = 0.25 * Math.sin(t * 2.4 + koi.phase);
  for (const side of [-1, 1]) {
    const from = {
      x: chest.x - Math.sin(chest.angle) * side * 7 * size,
      y: chest.y + Math.cos(chest.angle) * side * 7 * size,
    };
    drawFin(s, from.x, from.y, chest.angle + side * (1.9 + paddle), 15 * size, 5 * size, mix(skin, patch, 0.3));
  }
  for (let i = 13; i >= 0; i--) {
    const [a, b] = [spine[i]!, spine[i + 1]!];
    const spotted = noise(i / 2.6 + koi.phase * 9, 1) > 0.52;
    const colour = times(spotted ? patch : skin, 0.93);
    rod(s, end(a.x, a.y, girth(i / 14) * size), end(b.x, b.y, girth((i + 1) / 14) * size), colour);
  }
  for (let i = 1; i < 12; i++) glow(s, spine[i]!.x - 1, spine[i]!.y - 2, girth(i / 14) * size * 0.7, [1, 1, 1], 0.14);
  const eyes = spine[1]!;
  for (const side of [-1, 1]) {
    const off = 5.6 * size * side;
    oval(s, eyes.x - Math.sin(eyes.angle) * off, eyes.y + Math.cos(eyes.angle) * off, 1.4, 1.4, rgb("141420"));
  }
}

function drawPad(s: Surface, x: number, y: number, r: number, turn: number, t: number): void {
  const px = x + 3 * Math.sin(t * 0.5 + turn);
  const py = y + 2 * Math.cos(t * 0.4 + turn * 2);
  const leaf = (dx: number, dy: number, colour: Rgb, alpha: number) =>
    cover(s, [px - r + dx - 1, py - r + dy - 1, px + r + dx + 1, py + r + dy + 1], colour, (cx, cy) => {
      const angle = Math.atan2(cy - py - dy, cx - px - dx) - turn;
      const notch = Math.abs(Math.atan2(Math.sin(angle), Math.cos(angle))) < 0.22 ? 0 : 1;
      const vein = 1 - 0.18 * Math.max(0, Math.cos(angle * 11)) ** 8;
      return alpha * vein * notch * Math.min(1, Math.max(0, r - Math.hypot(cx - px - dx, cy - py - dy)));
    });
  leaf(8, 12, DEEP, 0.4);
  leaf(0, 0, rgb("2f7d3e"), 1);
  oval(s, px - r * 0.2, py - r * 0.2, r * 0.7, r * 0.6, rgb("6cb85a"), 0.25);
}

function drawLotus(s: Surface, x: number, y: number, t: number): void {
  const open = 1 + 0.05 * Math.sin(t * 0.8);
  for (const [count, far, long, colour] of [
    [9, 10, 11, rgb("f08ab0")],
    [7, 6, 9, rgb("f9b4cc")],
    [5, 3, 6, rgb("ffe0ea")],
  ] as const) {
    for (let i = 0; i < count; i++) {
      const angle = (i / count) * 2 * Math.PI + count;
      oval(s, x + Math.cos(angle) * far * open, y + Math.sin(angle) * far * open, long, 4, colour, 0.95, angle);
    }
  }
  oval(s, x, y, 3.4, 3.4, rgb("ffd65a"));
}

function begin(s: Surface): Painter {
  const random = seeded(77);
  const rings = Array.from({ length: 9 }, () => ({ x: random() * 640, y: random() * 360, beat: random() * 5 }));
  return (t) => {
    shade(s, 5, (x, y, out) => {
      const bend = noise(x / 60, y / 60, t * 0.25) * 3;
      const web = 1 - Math.abs(2 * noise(x / 52 + bend, y / 52 - bend, t * 0.4) - 1);
      out.set(mix(DEEP, CLEAR, 0.18 + 0.3 * noise(x / 200, y / 200 + 5) + web ** 5 * 0.4));
    });
    for (const koi of [...KOI].reverse()) drawKoi(s, koi, t + 30);
    for (const { x, y, beat } of rings) {
      const turn = ((t + beat) % 5) / 5;
      for (const late of [0, 0.12])
        ring(s, x, y, Math.max(0, turn - late) * 62, 2.4, rgb("c8fff4"), (1 - turn) ** 2 * 0.35);
    }
    for (const [x, y, r, turn] of [
      [62, 64, 44, 1],
      [128, 34, 30, 3],
      [570, 300, 52, 4],
      [490, 336, 33, 0.4],
      [598, 222, 24, 2],
      [40, 330, 36, 5.6],
    ] as const) {
      drawPad(s, x, y, r, turn, t);
    }
    drawLotus(s, 92, 92, t);
    drawLotus(s, 536, 262, t);
  };
}

export const koiPond: Clip = {
  code: "koi-pond",
  category: "nature",
  seconds: 26,
  poster: 7,
  kbps: 34,
  music: { seed: 71, root: 52, scale: "east", bpm: 68, lead: "pluck", busy: 3.2, weather: "brook" },
  begin,
};
