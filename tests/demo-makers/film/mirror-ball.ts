import { noise } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, hue, mix, rgb, times, type Rgb } from "./colour.ts";
import { beam, disc, end, glow, oval, polygon, rod } from "./shapes.ts";
import { gradient, HEIGHT, type Surface } from "./surface.ts";

const BALL = { x: 320, y: 128, r: 78 };
const ROWS = 15;

/** The colours of the lamps of this moment, left and right. */
const lampsAt = (t: number): [Rgb, Rgb] => [hue(t * 0.045, 0.6, 0.42), hue(t * 0.045 + 0.42, 0.6, 0.42)];

function drawHall(s: Surface, t: number): void {
  const [left, right] = lampsAt(t);
  gradient(s, (y) => along([rgb("0a0720"), rgb("1c0f40"), rgb("2e1658"), rgb("140a2a")], y / HEIGHT));
  glow(s, 60, 120, 320, left, 0.26);
  glow(s, 580, 120, 320, right, 0.26);
  for (let i = 0; i < 9; i++) {
    const near = i / 9;
    for (let k = -9; k <= 9; k++) {
      if ((i + k) % 2) continue;
      const [top, low] = [268 + near ** 1.6 * 100, 268 + ((i + 1) / 9) ** 1.6 * 100];
      const [wide, wider] = [40 + near ** 1.6 * 75, 40 + ((i + 1) / 9) ** 1.6 * 75];
      const tone = hue(noise(i * 3.7, k * 2.3, t * 0.35) * 1.6, 0.4, 0.34);
      const lit = noise(i * 1.7 + 9, k * 1.9, t * 0.9);
      polygon(
        s,
        [320 + k * wide, top, 320 + (k + 1) * wide, top, 320 + (k + 1) * wider, low, 320 + k * wider, low],
        times(tone, 0.15 + lit * 0.8),
        0.8,
      );
    }
  }
}

/** Spots of light that each mirror throws on the walls. */
function throwSpots(s: Surface, t: number): void {
  const lamps = lampsAt(t);
  for (let row = 1; row < 9; row++) {
    for (let i = 0; i < 20; i++) {
      const angle = (i / 20) * 2 * Math.PI + t * 0.35 + row * 0.3;
      if (Math.cos(angle) < 0.05) continue;
      const x = 320 + Math.tan(Math.asin(Math.sin(angle) * 0.93)) * 190;
      const y = 10 + row * 31 + ((x - 320) ** 2 / 1700) * (row - 4) * 0.32;
      if (y > 275 || x < -20 || x > 660) continue;
      const turn = Math.atan2(y - BALL.y, x - BALL.x);
      const colour = mix(lamps[(i + row) % 2]!, [1, 1, 1], 0.3);
      const beat = 0.45 + 0.35 * Math.sin(t * 2 + i * 1.7 + row);
      oval(s, x, y, 8 + Math.abs(x - 320) / 40, 5, colour, beat * 0.75, turn);
      glow(s, x, y, 17, colour, beat * 0.35);
    }
  }
}

function drawTiles(s: Surface, t: number): void {
  const [left, right] = lampsAt(t);
  disc(s, BALL.x, BALL.y, BALL.r + 0.5, rgb("15122a"));
  for (let row = 0; row < ROWS; row++) {
    const [a, b] = [((row + 0.06) / ROWS) * Math.PI, ((row + 0.94) / ROWS) * Math.PI];
    const count = Math.max(4, Math.round(Math.sin((a + b) / 2) * 30));
    for (let i = 0; i < count; i++) {
      const from = ((i + 0.05) / count) * 2 * Math.PI + t * 0.35;
      const to = ((i + 0.95) / count) * 2 * Math.PI + t * 0.35;
      if (Math.cos((from + to) / 2) < 0.02) continue;
      const point = (down: number, angle: number) => [
        BALL.x + BALL.r * Math.sin(down) * Math.sin(angle),
        BALL.y - BALL.r * Math.cos(down),
      ];
      const face = Math.sin((from + to) / 2) * Math.sin((a + b) / 2);
      const up = Math.cos((a + b) / 2);
      const flash = Math.max(0, noise(i * 7.3, row * 5.1, t * 1.6) - 0.62) * 4.5;
      const colour = mix(mix(left, right, 0.5 + face * 0.5), [0.8, 0.85, 1], 0.25);
      const light = 0.16 + 0.4 * Math.max(0, up * 0.8 + 0.2) + 0.4 * noise(i * 3.1, row * 2.7, t * 0.7) ** 2 + flash;
      polygon(s, [...point(a, from), ...point(a, to), ...point(b, to), ...point(b, from)], times(colour, light));
      if (flash > 1) glow(s, point(a, from)[0]!, point(a, from)[1]!, 16, colour, flash * 0.35);
    }
  }
}

function begin(s: Surface): Painter {
  return (t) => {
    drawHall(s, t);
    throwSpots(s, t);
    const lamps = lampsAt(t);
    for (const [i, colour] of lamps.entries()) {
      const x = i ? 660 : -20;
      beam(s, end(x, 10, 5), end(BALL.x * 2 - x, 260, 120), colour, 0.3);
    }
    for (let i = 0; i < 14; i++) {
      const angle = (i / 14) * 2 * Math.PI + t * 0.35;
      const far = { x: BALL.x + Math.cos(angle) * 420, y: BALL.y + Math.sin(angle) * 330 };
      beam(s, end(BALL.x, BALL.y, 5), end(far.x, far.y, 26), lamps[i % 2]!, 0.2 + 0.12 * Math.sin(t * 2 + i * 2));
    }
    rod(s, end(BALL.x, -5, 1.2), end(BALL.x, BALL.y - BALL.r, 1.2), rgb("8a86a8"));
    rod(s, end(BALL.x, BALL.y - BALL.r - 4, 5), end(BALL.x, BALL.y - BALL.r, 7), rgb("5a5674"));
    glow(s, BALL.x, BALL.y, 150, [0.9, 0.85, 1], 0.28);
    drawTiles(s, t);
    for (let i = 0; i < 3; i++) {
      const turn = t * 0.7 + i * 2.1;
      const [x, y] = [BALL.x - 30 + 34 * Math.sin(turn), BALL.y - 34 + 22 * Math.cos(turn * 1.3)];
      const light = Math.max(0, Math.sin(t * 1.9 + i * 2)) ** 6;
      for (const angle of [0, 1.57]) {
        const [dx, dy] = [Math.cos(angle) * 26 * light, Math.sin(angle) * 26 * light];
        rod(s, end(x - dx, y - dy, 0.2), end(x, y, 1.2), [1, 1, 1], light);
        rod(s, end(x + dx, y + dy, 0.2), end(x, y, 1.2), [1, 1, 1], light);
      }
      glow(s, x, y, 24, [1, 1, 1], light * 0.9);
    }
  };
}

export const mirrorBall: Clip = {
  code: "mirror-ball",
  category: "stage",
  seconds: 24,
  poster: 7,
  kbps: 34,
  music: { seed: 193, root: 47, scale: "deep", bpm: 108, lead: "bell", busy: 4.6, beat: true },
  begin,
};
