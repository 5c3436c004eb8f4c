import { noise } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, mix, rgb, smooth, times, type Rgb } from "./colour.ts";
import { beam, end, glow, polygon } from "./shapes.ts";
import { gradient, HEIGHT, keep, type Surface } from "./surface.ts";

const RED = rgb("d8283c");
const BLACK = rgb("1c1a2c");
const PAPER = rgb("fffaf0");
const BACK = rgb("2a4fb0");

/** The four signs, round their middle and 1 high and wide. */
const SIGNS: { colour: Rgb; parts: number[][] }[] = [
  { colour: RED, parts: [[0, -0.55, 0.42, 0, 0, 0.55, -0.42, 0]] },
  { colour: RED, parts: [heart(1)] },
  { colour: BLACK, parts: [heart(-1), [-0.16, 0.58, 0, 0.1, 0.16, 0.58]] },
  {
    colour: BLACK,
    parts: [round(0, -0.26, 0.24), round(-0.25, 0.1, 0.24), round(0.25, 0.1, 0.24), [-0.16, 0.58, 0, -0.1, 0.16, 0.58]],
  },
];

function round(x: number, y: number, r: number): number[] {
  return Array.from({ length: 14 }, (_, i) => [
    x + r * Math.cos((i * Math.PI) / 7),
    y + r * Math.sin((i * Math.PI) / 7),
  ]).flat();
}

/** A heart, or with -1 the same upside down. */
function heart(way: number): number[] {
  return Array.from({ length: 28 }, (_, i) => {
    const a = (i / 28) * 2 * Math.PI;
    const high = 13 * Math.cos(a) - 5 * Math.cos(2 * a) - 2 * Math.cos(3 * a) - Math.cos(4 * a);
    return [(16 * Math.sin(a) ** 3) / 34, (-way * high) / 32 - 0.02];
  }).flat();
}

interface Card {
  x: number;
  y: number;
  size: number;
  /** In the picture. */
  turn: number;
  /** Round its own long axis: half a turn shows its back. */
  flip: number;
  sign: number;
  count: number;
}

/** Draws what lies at `u`, `v` of a card (2 wide, 2.8 high) where it is in the picture. */
function onto({ x, y, size, turn, flip }: Card): (corners: readonly number[]) => number[] {
  const [cos, sin, thin] = [Math.cos(turn), Math.sin(turn), Math.cos(flip)];
  const tilt = Math.sin(flip);
  return (corners) => {
    const out: number[] = [];
    for (let i = 0; i < corners.length; i += 2) {
      const near = 1 + corners[i]! * tilt * 0.13;
      const [u, v] = [corners[i]! * thin * size * near, corners[i + 1]! * size * near];
      out.push(x + u * cos - v * sin, y + u * sin + v * cos);
    }
    return out;
  };
}

const outline = (inset: number) =>
  [0, 1, 2, 3].flatMap((corner) =>
    Array.from({ length: 5 }, (_, i) => {
      const angle = (corner + i / 4) * (Math.PI / 2);
      const [right, low] = [corner === 0 || corner === 3 ? 1 : -1, corner < 2 ? 1 : -1];
      return [right * (0.84 - inset) + Math.cos(angle) * 0.16, low * (1.24 - inset) + Math.sin(angle) * 0.16];
    }).flat(),
  );
const [WHOLE, INNER, FIELD] = [outline(0), outline(0.1), outline(0.2)];

const signAt = (part: readonly number[], x: number, y: number, size: number) =>
  part.map((value, i) => value * size + (i % 2 ? y : x));

function drawCard(s: Surface, card: Card): void {
  const place = onto(card);
  const light = 0.68 + 0.32 * Math.abs(Math.cos(card.flip)) + 0.22 * Math.max(0, Math.sin(card.flip * 2 + card.turn));
  const shadow = onto({ ...card, x: card.x + card.size * 0.16, y: card.y + card.size * 0.24 });
  polygon(s, shadow(WHOLE), [0, 0.02, 0.02], 0.3);
  polygon(s, place(WHOLE), times(PAPER, light * 0.96));
  if (Math.cos(card.flip) < 0) {
    polygon(s, place(INNER), times(BACK, light));
    polygon(s, place(FIELD), times(mix(BACK, PAPER, 0.16), light));
    for (let row = -2; row <= 2; row++) {
      for (let column = -1; column <= 1; column++) {
        polygon(
          s,
          place(signAt(SIGNS[0]!.parts[0]!, column * 0.46, row * 0.44, 0.36)),
          times(mix(BACK, PAPER, 0.6), light),
        );
      }
    }
    return;
  }
  const { colour, parts } = SIGNS[card.sign]!;
  const ink = times(colour, light);
  const draw = (x: number, y: number, size: number) => {
    for (const part of parts) polygon(s, place(signAt(part, x, y, size)), ink);
  };
  for (const side of [-1, 1]) draw(side * 0.74, side * 1.06, 0.27);
  if (card.count === 1) draw(0, 0, 1.15);
  for (let i = 0; card.count > 1 && i < card.count; i++) {
    draw(
      card.count < 4 ? 0 : i % 2 ? 0.4 : -0.4,
      card.count < 4 ? (i - (card.count - 1) / 2) * 0.8 : (Math.floor(i / 2) - (card.count / 2 - 1) / 2) * 0.72,
      0.5,
    );
  }
}

/** In turn a fan, a wheel and a shower of cards, each flowing into the next. */
function placeCard(i: number, t: number): Card {
  const part = ((t % 24) / 8) % 3;
  const spread = i - 6;
  const open = 0.75 + 0.25 * Math.sin(t * 0.8);
  const fan = {
    x: 320 + Math.sin(spread * 0.15 * open) * 190,
    y: 380 - Math.cos(spread * 0.15 * open) * 190,
    turn: spread * 0.15 * open,
    flip: 0,
  };
  const angle = (i / 13) * 2 * Math.PI + t * 0.45;
  const wheel = {
    x: 320 + Math.cos(angle) * 205,
    y: 180 + Math.sin(angle) * 108,
    turn: Math.sin(angle) * 0.4,
    flip: t * 0.8 + i * 0.48,
  };
  const fall = (i * 0.381 + t * 0.13) % 1;
  const shower = {
    x: 40 + ((i * 197) % 560) + 30 * Math.sin(t + i),
    y: fall * 500 - 70,
    turn: t * 0.4 * (i % 2 ? 1 : -1) + i,
    flip: t * 0.9 + i,
  };
  const places = [fan, wheel, shower, fan];
  const [from, to] = [places[Math.floor(part)]!, places[Math.floor(part) + 1]!];
  const share = smooth(0.7 + 0.08 * Math.sin(i), 0.98, part % 1);
  const blend = (key: "x" | "y" | "turn" | "flip") => from[key] + (to[key] - from[key]) * share;
  const size = 32 + 5 * noise(i * 3.3);
  const whirl = Math.sin(share * Math.PI) * 2;
  return {
    x: blend("x"),
    y: blend("y") - Math.sin(share * Math.PI) * 40,
    turn: blend("turn") + whirl * 0.3,
    flip: blend("flip") + whirl,
    size,
    sign: i % 4,
    count: [1, 2, 3, 4, 6][i % 5]!,
  };
}

function begin(s: Surface): Painter {
  const table = keep(s, () => {
    gradient(s, (y) => along([rgb("04201c"), rgb("0c4a3c"), rgb("147058"), rgb("07302a")], y / HEIGHT));
    glow(s, 320, 190, 330, rgb("5ad8a0"), 0.3);
    for (const side of [-1, 1])
      beam(s, end(320 + side * 250, -20, 10), end(320 + side * 70, 360, 130), rgb("e8ffc8"), 0.32);
  });
  return (t) => {
    table();
    for (let i = 0; i < 18; i++) {
      const x = (i * 163 + 10 * Math.sin(t * 0.5 + i)) % 640;
      glow(
        s,
        x,
        (((i * 97 - t * (5 + (i % 7) * 2)) % 380) + 380) % 380,
        2 + (i % 4),
        rgb("fff0a8"),
        0.4 + 0.4 * Math.sin(t * 1.3 + i * 2),
      );
    }
    for (let i = 0; i < 13; i++) drawCard(s, placeCard(i, t));
  };
}

export const cards: Clip = {
  code: "flying-cards",
  category: "stage",
  seconds: 24,
  poster: 11,
  kbps: 58,
  music: { seed: 182, root: 50, scale: "quiet", bpm: 96, lead: "pluck", busy: 5, beat: true },
  begin,
};
