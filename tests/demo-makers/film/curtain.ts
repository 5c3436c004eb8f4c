import { noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, hue, mix, rgb, smooth, times } from "./colour.ts";
import { beam, cover, disc, end, glow, oval, polygon, rect, ring, rod } from "./shapes.ts";
import { gradient, HEIGHT, type Surface, WIDTH } from "./surface.ts";

const VELVET = Array.from({ length: 64 }, (_, i) =>
  along([rgb("2a0410"), rgb("8a1024"), rgb("d8303a"), rgb("ff7060")], (i / 63) ** 1.15),
);
const GOLD = rgb("ffcf6a");

/** How far the curtain is open, 0 to 1: it opens, and closes at the end. */
const openAt = (t: number) => smooth(3.5, 9, t) * (1 - smooth(19.5, 24, t));

function drawVelvet(s: Surface, t: number, open: number): void {
  const { columns, rows, scale, px } = s;
  for (let row = 0; row < rows; row++) {
    const y = row / scale;
    const gather = open * (0.84 + 0.12 * Math.sin((y / HEIGHT) * Math.PI) - 0.05 * Math.cos(y / 60));
    const edge = 320 * (1 - gather) + 4 * Math.sin(t * 1.3 + y / 60) * (0.3 + open);
    const fold = 1 / (1 - gather * 0.78);
    for (let column = 0; column < columns; column++) {
      const x = column / scale;
      const fromSide = Math.min(x, WIDTH - x);
      if (fromSide > edge) continue;
      const at = fromSide * fold;
      const sway =
        7 * noise(at / 80 + (x > 320 ? 40 : 0), y / 240, t * 0.5) + 1.5 * Math.sin(t * 0.9 + at / 70 + y / 130);
      const wave = 0.5 + 0.34 * Math.sin(at / 8.2 + sway) + 0.16 * Math.sin(at / 3.7 - sway * 1.3);
      const spot = 0.5 + 0.62 * Math.exp(-(((x - 320) / 190) ** 2) - ((y - 190) / 170) ** 2);
      const colour = VELVET[Math.min(63, Math.floor(wave * 63 * spot * (1 - 0.25 * (y / HEIGHT))))]!;
      const i = (row * columns + column) * 3;
      const hem = y > 334 && y < 346 ? 0.75 : 0;
      for (let c = 0; c < 3; c++) px[i + c] = colour[c]! * (1 - hem) + GOLD[c]! * hem * (0.35 + wave * 0.6);
    }
  }
}

/** What is behind it: a star that turns in a shower of gold. */
function drawStage(s: Surface, t: number): void {
  gradient(s, (y) => along([rgb("08091e"), rgb("141a4c"), rgb("3a2a7c"), rgb("1a1238")], y / HEIGHT));
  for (let i = 0; i < 5; i++) {
    beam(
      s,
      end(90 + i * 115, -10, 5),
      end(320 + (i - 2) * 40 + 60 * Math.sin(t * 0.7 + i), 320, 60),
      hue(0.08 + i * 0.03, 0.6, 0.4),
      0.55,
    );
  }
  oval(s, 320, 314, 250, 34, rgb("2c2460"));
  oval(s, 320, 308, 200, 24, rgb("5a4a9c"));
  const turn = t * 0.5;
  const points: number[] = [];
  for (let i = 0; i < 10; i++) {
    const r = i % 2 ? 31 : 76;
    const angle = (i / 10) * 2 * Math.PI - Math.PI / 2;
    points.push(320 + Math.cos(angle) * r * Math.cos(turn), 180 + Math.sin(angle) * r);
  }
  glow(s, 320, 180, 190, rgb("ffc860"), 0.55);
  polygon(s, points, mix(GOLD, [1, 1, 0.9], 0.5 + 0.5 * Math.cos(turn * 2)));
  for (let i = 0; i < 3; i++)
    ring(s, 320, 180, 70 + ((t * 0.35 + i / 3) % 1) * 150, 3, GOLD, 0.4 * (1 - ((t * 0.35 + i / 3) % 1)));
  for (let i = 0; i < 40; i++) {
    const angle = i * 2.4 + t * 0.25;
    const far = 95 + 50 * noise(i * 3.1, t * 0.3);
    glow(
      s,
      320 + Math.cos(angle) * far * 1.5,
      180 + Math.sin(angle) * far * 0.8,
      5,
      [1, 0.95, 0.8],
      Math.max(0, Math.sin(t * 2 + i * 1.7)),
    );
  }
}

function drawFrame(s: Surface, t: number): void {
  for (let i = 0; i < 9; i++) {
    const x = i * 80;
    cover(s, [x - 44, 0, x + 44, 62], times(rgb("a8182c"), 0.75), (px, py) => {
      const drop = 26 + 24 * Math.cos(((px - x) / 80) * Math.PI);
      return py < drop ? 1 : 0;
    });
    for (let k = -3; k <= 3; k++) {
      const y = 24 + 24 * Math.cos((k * 12 * Math.PI) / 80);
      disc(s, x + k * 12, y + 2, 3, times(GOLD, 0.7 + 0.25 * Math.sin(t + k + i)));
    }
    rod(s, end(x + 40, 22, 3), end(x + 40, 46 + Math.sin(t + i), 2), GOLD);
  }
  rect(s, 0, 0, 640, 9, times(GOLD, 0.55));
  rect(s, 0, 346, 640, 14, rgb("1c0c0e"));
  for (let i = 0; i < 16; i++) {
    const on = 0.5 + 0.5 * Math.sin(i * 1.2 - t * 4);
    glow(s, 20 + i * 40, 352, 15, rgb("ffd890"), 0.5 + 0.5 * on);
    disc(s, 20 + i * 40, 352, 3, [1.2, 1.1, 0.8]);
  }
}

function begin(s: Surface): Painter {
  const random = seeded(27);
  const flakes = Array.from({ length: 80 }, () => ({
    x: random() * 640,
    beat: random() * 20,
    fast: 40 + random() * 45,
  }));
  return (t) => {
    const open = openAt(t);
    if (open > 0.01) drawStage(s, t);
    drawVelvet(s, t, open);
    const gold = smooth(8, 10, t) * (1 - smooth(20, 23, t));
    for (const { x, beat, fast } of gold > 0 ? flakes : []) {
      const y = ((t * fast + beat * 40) % 400) - 20;
      const flip = Math.cos(t * 4 + beat * 3);
      const px = x + 16 * Math.sin(t * 1.1 + beat);
      oval(s, px, y, 3.2, 0.6 + 2 * Math.abs(flip), mix(GOLD, [1.3, 1.2, 1], Math.max(0, flip) ** 4), gold, beat + t);
    }
    drawFrame(s, t);
  };
}

export const curtain: Clip = {
  code: "curtain-rises",
  category: "stage",
  seconds: 25,
  poster: 13,
  scene: { from: 4, seconds: 12 },
  kbps: 28,
  music: { seed: 160, root: 53, scale: "bright", bpm: 80, lead: "bell", busy: 4.4 },
  begin,
};
