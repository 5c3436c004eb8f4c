import { seeded } from "./chance.ts";
import { mix, rgb, times, type Rgb } from "./colour.ts";
import { end, glow, rect, rod, streak } from "./shapes.ts";
import { type Surface, WIDTH } from "./surface.ts";

/** What shines out of windows. */
const ROOMS = [rgb("ffd48a"), rgb("ffe9c0"), rgb("ffbf6a"), rgb("bfe0ff")];

export interface Quarter {
  seed: number;
  /** Where the houses stand. */
  base: number;
  tallAt(x: number): number;
  wall: Rgb;
  /** How many of the windows are lit, 0 to 1. */
  lit: number;
  wide: number;
}

/** A row of houses from one side to the other. */
export function build(s: Surface, { seed, base, tallAt, wall, lit, wide }: Quarter): void {
  const random = seeded(seed);
  for (let x = -20; x < WIDTH;) {
    const width = wide * (0.6 + random() * 0.9);
    const tall = tallAt(x + width / 2) * (0.65 + random() * 0.5);
    const shade = mix(wall, times(wall, 1.5), random());
    rect(s, x, base - tall, width, tall + 2, shade);
    rect(s, x, base - tall, width * 0.3, tall + 2, times(shade, 0.7), 0.6);
    if (random() < 0.3) rod(s, end(x + width / 2, base - tall - 12, 0.4), end(x + width / 2, base - tall, 0.8), shade);
    lightRooms(s, random, { x, y: base - tall, width, tall }, lit);
    x += width + (random() < 0.25 ? 4 : 0);
  }
}

interface Front {
  x: number;
  y: number;
  width: number;
  tall: number;
}

export function lightRooms(s: Surface, random: () => number, { x, y, width, tall }: Front, lit: number): void {
  const across = Math.floor((width - 4) / 5);
  const warm = random();
  for (let row = 0; row < Math.floor((tall - 6) / 6); row++) {
    for (let column = 0; column < across; column++) {
      if (random() > lit * (row % 7 === 3 ? 0.3 : 1)) continue;
      const colour = ROOMS[Math.floor((warm * 0.6 + random() * 0.4) * ROOMS.length)]!;
      const left = x + (width - across * 5) / 2 + column * 5 + 1.2;
      rect(s, left, y + 4 + row * 6, 2.6, 3.2, times(colour, 0.55 + random() * 0.5), 0.85);
    }
  }
}

/** Lamps that twinkle where some of the windows are. */
export function createTwinkles(count: number, top: number, base: number, seed: number) {
  const random = seeded(seed);
  const lamps = Array.from({ length: count }, () => ({
    x: random() * WIDTH,
    y: top + random() * (base - top),
    beat: random() * 30,
  }));
  return (s: Surface, t: number) => {
    for (const { x, y, beat } of lamps) {
      glow(s, x, y, 4, rgb("ffe0a0"), Math.max(0, Math.sin(t * 0.8 + beat)) ** 3 * 0.9);
    }
  };
}

export interface Road {
  from: { x: number; y: number };
  to: { x: number; y: number };
  cars: number;
  /** Lengths of the road a second. */
  speed: number;
  colour: Rgb;
  size: number;
}

/** Lights that drive along a road, each at its own distance. */
export function drive(s: Surface, t: number, { from, to, cars, speed, colour, size }: Road): void {
  for (let i = 0; i < cars; i++) {
    const uneven = Math.sin(i * 12.9) * 0.4;
    const share = ((((i + uneven) / cars + t * speed) % 1) + 1) % 1;
    const x = from.x + (to.x - from.x) * share;
    const y = from.y + (to.y - from.y) * share;
    const back = Math.sign(speed) * size * 4;
    streak(s, end(x, y, size * 0.55), end(x - Math.sign(to.x - from.x) * back, y, 0.2), colour, 0.8);
    glow(s, x, y, size * 4, colour, 0.55);
  }
}
