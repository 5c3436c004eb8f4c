import { noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, mix, rgb, times, type Rgb } from "./colour.ts";
import { ridge } from "./ridge.ts";
import { beam, end, glow, oval, polygon, rod, streak } from "./shapes.ts";
import { gradient, HEIGHT, keep, type Surface } from "./surface.ts";
import { build, createTwinkles, lightRooms } from "./towers.ts";

const VANISH = { x: 320, y: 206 };
const SKY = [rgb("1a1444"), rgb("4a2a70"), rgb("b8507a"), rgb("ff9a62")];

/** A tall tower that narrows upwards, with lit floors. */
function raise(s: Surface, x: number, top: number, half: number, wall: Rgb): void {
  polygon(
    s,
    [
      x - half,
      214,
      x - half * 0.85,
      top + 40,
      x - half * 0.3,
      top,
      x + half * 0.4,
      top + 8,
      x + half * 0.9,
      top + 50,
      x + half,
      214,
    ],
    wall,
  );
  lightRooms(s, seeded(top), { x: x - half * 0.8, y: top + 46, width: half * 1.6, tall: 166 - top }, 0.5);
}

function drawCity(s: Surface): void {
  gradient(s, (y) => along(SKY, y / 215));
  build(s, { seed: 3, base: 214, tallAt: (x) => 40 + 50 * noise(x / 50), wall: rgb("553064"), lit: 0.2, wide: 20 });
  raise(s, 214, 44, 19, rgb("3a2a5c"));
  raise(s, 436, 22, 16, rgb("34285a"));
  raise(s, 474, 70, 14, rgb("3a2c60"));
  polygon(s, [226, 92, 254, 90, 252, 95, 228, 97], rgb("5a4a7c"));
  const tallAt = (x: number) => 26 + 0.44 * Math.abs(x - 320) + 20 * noise(x / 30);
  build(s, { seed: 12, base: 216, tallAt, wall: rgb("221a40"), lit: 0.4, wide: 34 });
  ridge(s, () => 214, rgb("2a2036"), rgb("0e0c18"), 150);
  polygon(s, [306, 212, 334, 212, 700, HEIGHT + 10, -60, HEIGHT + 10], rgb("1a1826"));
}

/** Where something `far` down the road (0 here, 1 at the end) and `side` across it is. */
const onRoad = (far: number, side: number) => {
  const near = 1 / (1 + far * 22) - 1 / 23;
  return { x: VANISH.x + side * 400 * near, y: VANISH.y + 5 + 172 * near, near };
};

function drawTrees(s: Surface, t: number): void {
  for (let i = 11; i >= 0; i--) {
    const far = (i - ((t * 0.5) % 1) + 0.6) / 12;
    for (const side of [-1.26, 1.26]) {
      const { x, y, near } = onRoad(far * 0.55, side);
      const tall = 190 * near;
      rod(s, end(x, y, 5 * near), end(x, y - tall, 3.4 * near), rgb("100e1c"));
      for (let leaf = 0; leaf < 5; leaf++) {
        const turn = leaf * 1.9 + i;
        oval(
          s,
          x + Math.cos(turn) * 40 * near,
          y - tall - Math.sin(turn) * 22 * near,
          46 * near,
          30 * near,
          rgb("141c26"),
        );
      }
      const lamp = { x: x - Math.sign(side) * 40 * near, y: y - tall * 0.72 };
      rod(s, end(x, y - tall * 0.7, 1.6 * near), end(lamp.x, lamp.y, 1.2 * near), rgb("2a2434"));
      glow(s, lamp.x, lamp.y, 60 * near + 4, rgb("ffc870"), 0.7);
      beam(s, end(lamp.x, lamp.y, 4 * near), end(lamp.x, y + 10 * near, 60 * near), rgb("ffb860"), 0.22);
    }
  }
}

interface Rider {
  lane: number;
  speed: number;
  start: number;
}

function ride(s: Surface, t: number, { lane, speed, start }: Rider): void {
  const coming = lane > 0;
  const far = (((start - t * speed * (coming ? 1 : -1)) % 1) + 1) % 1;
  const deep = far ** 2;
  const { x, y, near } = onRoad(deep, lane);
  const tail = onRoad(Math.max(0, deep + (coming ? 0.028 : -0.012) * (0.2 + deep * 4)), lane);
  const colour = coming ? rgb("fff0c8") : rgb("ff3c34");
  const light = Math.min(1, (1 - far) * 6, 0.35 + near * 3);
  streak(
    s,
    end(x, y - 15 * near, 0.5 + 3.4 * near),
    end(tail.x, tail.y - 15 * tail.near, 0.3 + 2 * tail.near),
    colour,
    0.75 * light,
  );
  glow(s, x, y - 15 * near, 3 + 42 * near, colour, 0.42 * light);
  oval(s, x, y + 4 * near, 26 * near, 3.4 * near, times(colour, 0.8), 0.3 * light);
}

function begin(s: Surface): Painter {
  const city = keep(s, () => drawCity(s));
  const twinkles = createTwinkles(70, 110, 205, 21);
  const random = seeded(19);
  const riders = Array.from({ length: 110 }, (_, i): Rider => {
    const lane = (0.12 + random() * 0.95) * (i % 2 ? 1 : -1);
    return { lane, speed: 0.055 + random() * 0.05, start: random() };
  });
  return (t) => {
    city();
    twinkles(s, t);
    const blink = Math.max(0, Math.sin(t * 3)) ** 4;
    for (const [x, y] of [
      [212, 42],
      [434, 21],
      [472, 69],
    ] as const)
      glow(s, x, y, 12, rgb("ff4a4a"), blink);
    glow(s, VANISH.x, VANISH.y, 120, rgb("ffb070"), 0.4);
    for (let i = 0; i < 8; i++) {
      const a = onRoad(((i + 1 - ((t * 0.8) % 1)) / 8) ** 2, 0);
      const b = onRoad(((i + 1.4 - ((t * 0.8) % 1)) / 8) ** 2, 0);
      rod(s, end(a.x, a.y, 4 * a.near), end(b.x, b.y, 4 * b.near), mix(rgb("1a1826"), rgb("e8d8a0"), 0.5), 0.7);
    }
    for (const rider of riders) ride(s, t, rider);
    drawTrees(s, t);
  };
}

export const saigon: Clip = {
  code: "saigon-avenue",
  category: "city",
  seconds: 24,
  poster: 8,
  music: { seed: 104, root: 48, scale: "warm", bpm: 96, lead: "bell", busy: 4, beat: true, weather: "street" },
  begin,
};
