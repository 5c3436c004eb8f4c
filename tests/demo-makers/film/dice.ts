import { noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, mix, rgb, smooth, times, type Rgb } from "./colour.ts";
import { glow, oval, polygon } from "./shapes.ts";
import { gradient, HEIGHT, keep, type Surface } from "./surface.ts";

type Vector = readonly [number, number, number];

/** Where the spots of one to six lie on a face, from -1 to 1. */
const SPOTS: readonly (readonly [number, number])[][] = [
  [[0, 0]],
  [
    [-1, -1],
    [1, 1],
  ],
  [
    [-1, -1],
    [0, 0],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [0, 0],
    [-1, 1],
    [1, 1],
  ],
  [
    [-1, -1],
    [1, -1],
    [-1, 0],
    [1, 0],
    [-1, 1],
    [1, 1],
  ],
];
/** Each face: which way it looks and which way its spots run; opposite faces make seven. */
const FACES: { out: Vector; across: Vector; down: Vector; spots: number }[] = [
  { out: [0, 0, 1], across: [1, 0, 0], down: [0, 1, 0], spots: 1 },
  { out: [0, 0, -1], across: [-1, 0, 0], down: [0, 1, 0], spots: 6 },
  { out: [1, 0, 0], across: [0, 0, -1], down: [0, 1, 0], spots: 2 },
  { out: [-1, 0, 0], across: [0, 0, 1], down: [0, 1, 0], spots: 5 },
  { out: [0, 1, 0], across: [1, 0, 0], down: [0, 0, -1], spots: 3 },
  { out: [0, -1, 0], across: [1, 0, 0], down: [0, 0, 1], spots: 4 },
];
const LAMP: Vector = [-0.45, -0.72, -0.53];
const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Turns a point round all three axes. */
function turned([x, y, z]: Vector, [ax, ay, az]: Vector): Vector {
  const [sx, cx, sy, cy, sz, cz] = [Math.sin(ax), Math.cos(ax), Math.sin(ay), Math.cos(ay), Math.sin(az), Math.cos(az)];
  const [y1, z1] = [y * cx - z * sx, y * sx + z * cx];
  const [x2, z2] = [x * cy + z1 * sy, z1 * cy - x * sy];
  return [x2 * cz - y1 * sz, x2 * sz + y1 * cz, z2];
}

interface Die {
  x: number;
  y: number;
  size: number;
  turn: Vector;
  colour: Rgb;
  spot: Rgb;
  haze: number;
}

/** A point of a die on the picture; what is nearer looks a little larger. */
function place({ x, y, size }: Die, [px, py, pz]: Vector): [number, number] {
  const near = 1 / (1 + pz * 0.16);
  return [x + px * size * near, y + py * size * near];
}

function drawFace(s: Surface, die: Die, face: (typeof FACES)[number]): void {
  const out = turned(face.out, die.turn);
  const across = turned(face.across, die.turn);
  const down = turned(face.down, die.turn);
  const centre = place(die, out);
  const toward = -out[2] - (out[0] * (centre[0] - 320) + out[1] * (centre[1] - 180)) / 1400;
  if (toward <= 0.02) return;
  const light = 0.34 + 0.72 * Math.max(0, dot(out, LAMP)) + 0.35 * Math.max(0, dot(out, LAMP)) ** 8;
  const colour = mix(times(die.colour, light), rgb("160a2c"), die.haze);
  const at = (u: number, v: number): [number, number] =>
    place(die, [
      out[0] + across[0] * u + down[0] * v,
      out[1] + across[1] * u + down[1] * v,
      out[2] + across[2] * u + down[2] * v,
    ]);
  const round = (reach: number) =>
    Array.from({ length: 32 }, (_, i) => {
      const angle = ((i + 0.5) / 32) * 2 * Math.PI;
      const [c, n] = [Math.cos(angle), Math.sin(angle)];
      return at(Math.sign(c) * Math.abs(c) ** 0.32 * reach, Math.sign(n) * Math.abs(n) ** 0.32 * reach);
    }).flat();
  polygon(s, [at(-1, -1), at(1, -1), at(1, 1), at(-1, 1)].flat(), times(colour, 0.84));
  polygon(s, round(0.97), colour);
  for (const [u, v] of SPOTS[face.spots - 1]!) {
    const r = face.spots === 1 ? 0.27 : 0.185;
    const spot = Array.from({ length: 14 }, (_, i) => {
      const angle = (i / 14) * 2 * Math.PI;
      return at(u * 0.5 + Math.cos(angle) * r, v * 0.5 + Math.sin(angle) * r);
    });
    polygon(
      s,
      spot.flat(),
      mix(times(face.spots === 1 ? rgb("e8283a") : die.spot, 0.5 + light * 0.5), rgb("160a2c"), die.haze),
    );
  }
}

function drawDie(s: Surface, die: Die): void {
  oval(s, die.x + die.size * 0.25, die.y + die.size * 0.35, die.size * 1.35, die.size * 1.35, [0, 0, 0], 0.16);
  for (const face of FACES) drawFace(s, die, face);
  const [gx, gy] = [die.x - die.size * 0.5, die.y - die.size * 0.75];
  glow(s, gx, gy, die.size * 0.9, [1, 0.92, 0.8], 0.3 * (1 - die.haze));
}

/** Dice that fall far behind, and three that hover and turn in front. */
function placeDice(t: number): Die[] {
  const random = seeded(91);
  const dice: Die[] = [];
  for (let i = 0; i < 15; i++) {
    const near = 0.15 + (i / 15) * 0.5;
    const [x, start, spin] = [random() * 640, random(), random() * 2 + 0.6];
    const fall = (start + t * (0.035 + near * 0.12)) % 1;
    const turn: Vector = [t * spin * 0.5 + i, t * spin * 0.4 + i * 2, t * 0.3 + i];
    const colour = i % 2 ? rgb("f8efe0") : rgb("d83048");
    dice.push({
      x: x + 20 * noise(t * 0.3, i),
      y: fall * 460 - 50,
      size: 7 + near * 26,
      turn,
      colour,
      spot: i % 2 ? rgb("241a38") : rgb("fff4e4"),
      haze: 0.72 - near,
    });
  }
  for (let i = 0; i < 3; i++) {
    const circle = t * 0.32 + (i / 3) * 2 * Math.PI;
    const rush = 1.6 * smooth(0.2, 1, Math.sin(t * 0.55 + i * 0.4)) * Math.sin(t * 0.55);
    const turn: Vector = [t * 0.6 + i * 2 + rush, t * 0.5 + i * 1.3, 0.4 * Math.sin(t * 0.6 + i)];
    const [x, y] = [320 + 165 * Math.cos(circle), 180 + 40 * Math.sin(circle) + 12 * Math.sin(t * 1.3 + i * 2)];
    const colour = [rgb("e62e48"), rgb("fff6ea"), rgb("3a4fd8")][i]!;
    dice.push({
      x,
      y,
      size: 44 + 12 * Math.sin(circle),
      turn,
      colour,
      spot: i === 1 ? rgb("221834") : rgb("fff6ea"),
      haze: 0,
    });
  }
  return dice.sort((a, b) => a.size - b.size);
}

function begin(s: Surface): Painter {
  const room = keep(s, () => {
    gradient(s, (y) => along([rgb("12082a"), rgb("2c1450"), rgb("4a1a58"), rgb("1a0a30")], y / HEIGHT));
    glow(s, 320, 180, 360, rgb("b0406a"), 0.45);
  });
  return (t) => {
    room();
    for (let i = 0; i < 30; i++) {
      const y = (((i * 83 - t * (6 + (i % 9) * 2)) % 380) + 380) % 380;
      const x = ((i * 149) % 640) + 14 * Math.sin(t * 0.6 + i);
      glow(s, x, y, 2.5 + (i % 5), rgb("ffcf80"), 0.5 + 0.5 * Math.sin(t * 1.5 + i * 2.1));
    }
    for (const die of placeDice(t)) drawDie(s, die);
  };
}

export const dice: Clip = {
  code: "tumbling-dice",
  category: "stage",
  seconds: 24,
  poster: 5,
  kbps: 34,
  music: { seed: 171, root: 47, scale: "quiet", bpm: 90, lead: "pluck", busy: 4.6, beat: true },
  begin,
};
