import { noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, clamp, mix, rgb, times, type Rgb } from "./colour.ts";
import { cover, glow, oval, shine } from "./shapes.ts";
import { gradient, HEIGHT, type Surface, WIDTH } from "./surface.ts";

const STREET = [rgb("0c1426"), rgb("1a2440"), rgb("33304e"), rgb("151a2c")];
const LIGHTS = [rgb("ffb45a"), rgb("ff7d5a"), rgb("ffd98a"), rgb("7fc8ff"), rgb("ff8fb0"), rgb("9affd0")];

interface Drop {
  x: number;
  y: number;
  r: number;
  beat: number;
}

function lightAt(s: Surface, x: number, y: number): Rgb {
  const column = Math.floor(clamp(x, 0, WIDTH - 1) * s.scale);
  const i = (Math.floor(clamp(y, 0, HEIGHT - 1) * s.scale) * s.columns + column) * 3;
  return [s.px[i]!, s.px[i + 1]!, s.px[i + 2]!];
}

/** A drop shows the world upside down: dark above, the lights of the street below. */
function drawDrop(s: Surface, { x, y, r }: Drop, long = 1.15): void {
  const under = mix(lightAt(s, x, y + 60), lightAt(s, x + 30, y - 60), 0.5);
  const reach = r * long + 1;
  cover(s, [x - r - 1, y - reach, x + r + 1, y + reach], times(under, 0.35), (px, py) => {
    return clamp((1 - Math.hypot((px - x) / r, (py - y) / (r * long))) * r * s.scale) * 0.75;
  });
  oval(s, x, y + r * long * 0.35, r * 0.62, r * 0.5, mix(under, [1, 1, 1], 0.3), 0.75);
  glow(s, x - r * 0.35, y - r * 0.5, r * 0.5, [1, 1, 1], 0.8);
}

/** Where a drop that waits, lets go and waits again is after `t` seconds, and how fast. */
function slide({ x, y, r, beat }: Drop, t: number): { drop: Drop; fast: number } {
  const long = 9 + beat;
  const run = (t + beat * 7) / long;
  const turn = run - Math.floor(run);
  const path = turn * turn * (0.6 + 0.4 * turn) + 0.04 * Math.sin(turn * 22);
  const side = x + Math.floor(run) * 97;
  const px = (side % WIDTH) + 12 * (noise(turn * 5, side) - 0.5);
  return { drop: { x: px, y: (y - 0.2 + path * 1.3) * HEIGHT, r, beat }, fast: turn };
}

function drawStreet(s: Surface, lamps: Drop[], t: number): void {
  gradient(s, (y) => along(STREET, y / HEIGHT));
  for (const [i, { x, y, r, beat }] of lamps.entries()) {
    const drives = i % 3 === 0;
    const px = drives ? ((x + t * (i % 2 ? 26 : -21) + 8000) % (WIDTH + 120)) - 60 : x;
    const py = drives ? 235 + (y % 60) : y;
    const colour = drives ? (i % 2 ? rgb("ffe2a8") : rgb("ff5a4a")) : LIGHTS[i % LIGHTS.length]!;
    const light = 0.24 + 0.05 * Math.sin(t * 1.4 + beat * 5);
    shine(s, [px - r, py - r, px + r, py + r], colour, (x, y) => {
      const off = Math.hypot(x - px, y - py) / r;
      return off < 1 ? light * (0.75 + 0.35 * off * off) * clamp((1 - off) * 5) : 0;
    });
    glow(s, px, py, r * 2.6, colour, 0.16);
  }
}

function begin(s: Surface): Painter {
  const random = seeded(31);
  const drop = (r: number): Drop => ({ x: random() * WIDTH, y: random(), r, beat: random() * 6 });
  const lamps = Array.from({ length: 44 }, () => ({ ...drop(13 + random() * 24), y: 70 + random() * 220 }));
  const still = Array.from({ length: 170 }, () => ({ ...drop(1.6 + random() ** 3 * 8), y: random() * HEIGHT }));
  const running = Array.from({ length: 17 }, () => drop(6.5 + random() * 4));
  return (t) => {
    drawStreet(s, lamps, t);
    for (const one of still) drawDrop(s, { ...one, y: one.y + Math.floor((t + one.beat * 9) / 14) * 3 });
    for (const one of running) {
      const { drop: now, fast } = slide(one, t);
      for (let bead = 1; bead < 9; bead++) {
        const behind = now.y - bead * 13 * fast - bead * 4;
        drawDrop(s, {
          ...now,
          x: now.x + 3 * Math.sin(bead * 2 + one.beat),
          y: behind,
          r: now.r * (0.42 - bead * 0.035),
        });
      }
      drawDrop(s, now, 1.35);
    }
  };
}

export const rainWindow: Clip = {
  code: "rain-window",
  category: "nature",
  seconds: 24,
  poster: 11,
  music: { seed: 52, root: 51, scale: "warm", bpm: 63, lead: "pluck", busy: 3.4, weather: "rain" },
  begin,
};
