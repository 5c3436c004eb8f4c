import { type Rgb } from "./colour.ts";
import type { Surface } from "./surface.ts";

type Coverage = (x: number, y: number) => number;
/** Left, top, right and bottom, in units. */
type Frame = readonly [number, number, number, number];

/** Paints over what is there, as far as `coverage` says at each point, from 0 to 1. */
export function cover(s: Surface, frame: Frame, colour: Rgb, coverage: Coverage): void {
  const { px, scale, columns } = s;
  const [red, green, blue] = colour;
  const { left, top, right, bottom } = pixelsOf(s, frame);
  for (let row = top; row <= bottom; row++) {
    const y = (row + 0.5) / scale;
    for (let column = left, i = (row * columns + left) * 3; column <= right; column++, i += 3) {
      const share = coverage((column + 0.5) / scale, y);
      if (share <= 0) continue;
      px[i]! += (red - px[i]!) * share;
      px[i + 1]! += (green - px[i + 1]!) * share;
      px[i + 2]! += (blue - px[i + 2]!) * share;
    }
  }
}

/** Adds light to what is there. */
export function shine(s: Surface, frame: Frame, colour: Rgb, strength: Coverage): void {
  const { px, scale, columns } = s;
  const [red, green, blue] = colour;
  const { left, top, right, bottom } = pixelsOf(s, frame);
  for (let row = top; row <= bottom; row++) {
    const y = (row + 0.5) / scale;
    for (let column = left, i = (row * columns + left) * 3; column <= right; column++, i += 3) {
      const share = strength((column + 0.5) / scale, y);
      if (share <= 0) continue;
      px[i]! += red * share;
      px[i + 1]! += green * share;
      px[i + 2]! += blue * share;
    }
  }
}

/** The columns and rows of pixels that a frame touches. */
function pixelsOf({ scale, columns, rows }: Surface, [left, top, right, bottom]: Frame) {
  return {
    left: Math.max(0, Math.floor(left * scale)),
    top: Math.max(0, Math.floor(top * scale)),
    right: Math.min(columns - 1, Math.ceil(right * scale)),
    bottom: Math.min(rows - 1, Math.ceil(bottom * scale)),
  };
}

const around = (x: number, y: number, r: number): Frame => [x - r, y - r, x + r, y + r];
/** How much of a pixel a shape covers whose edge is `distance` units away (inside it is negative). */
const edge = (s: Surface, distance: number) => Math.min(1, Math.max(0, 0.5 - distance * s.scale));

/** A soft light, strongest in the middle; written out, as most of what shines is this. */
export function glow(s: Surface, x: number, y: number, r: number, colour: Rgb, strength = 1): void {
  if (strength < 0.004) return;
  const { px, scale, columns } = s;
  const [red, green, blue] = colour;
  const { left, top, right, bottom } = pixelsOf(s, around(x, y, r));
  for (let row = top; row <= bottom; row++) {
    const high = 1 - (((row + 0.5) / scale - y) / r) ** 2;
    for (let column = left, i = (row * columns + left) * 3; column <= right; column++, i += 3) {
      const across = ((column + 0.5) / scale - x) / r;
      const near = high - across * across;
      if (near <= 0) continue;
      const share = near * near * near * strength;
      px[i]! += red * share;
      px[i + 1]! += green * share;
      px[i + 2]! += blue * share;
    }
  }
}

export function disc(s: Surface, x: number, y: number, r: number, colour: Rgb, alpha = 1): void {
  cover(s, around(x, y, r + 1), colour, (px, py) => alpha * edge(s, Math.hypot(px - x, py - y) - r));
}

export function ring(s: Surface, x: number, y: number, r: number, width: number, colour: Rgb, strength = 1): void {
  const far = r + width + 1;
  shine(s, around(x, y, far), colour, (px, py) => {
    const off = Math.abs(Math.hypot(px - x, py - y) - r) / width;
    return off < 1 ? (1 - off) * (1 - off) * strength : 0;
  });
}

export function oval(s: Surface, x: number, y: number, rx: number, ry: number, colour: Rgb, alpha = 1, turn = 0): void {
  const cos = Math.cos(turn);
  const sin = Math.sin(turn);
  const small = Math.min(rx, ry);
  cover(s, around(x, y, Math.max(rx, ry) + 1), colour, (px, py) => {
    const across = ((px - x) * cos + (py - y) * sin) / rx;
    const down = ((py - y) * cos - (px - x) * sin) / ry;
    return alpha * edge(s, (Math.hypot(across, down) - 1) * small);
  });
}

export interface End {
  x: number;
  y: number;
  r: number;
}
export const end = (x: number, y: number, r: number): End => ({ x, y, r });

/** The distance from a point to a rounded rod that may be thicker at one end, less than 0 inside. */
function offRod(a: End, b: End, x: number, y: number): number {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const along = Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / (dx * dx + dy * dy || 1)));
  return Math.hypot(x - a.x - dx * along, y - a.y - dy * along) - (a.r + (b.r - a.r) * along);
}

function frameOf(a: End, b: End, more: number): Frame {
  return [
    Math.min(a.x - a.r, b.x - b.r) - more,
    Math.min(a.y - a.r, b.y - b.r) - more,
    Math.max(a.x + a.r, b.x + b.r) + more,
    Math.max(a.y + a.r, b.y + b.r) + more,
  ];
}

export function rod(s: Surface, a: End, b: End, colour: Rgb, alpha = 1): void {
  cover(s, frameOf(a, b, 1), colour, (x, y) => alpha * edge(s, offRod(a, b, x, y)));
}

/** A line of light. */
export function streak(s: Surface, a: End, b: End, colour: Rgb, strength = 1): void {
  shine(s, frameOf(a, b, 1), colour, (x, y) => strength * edge(s, offRod(a, b, x, y)));
}

/** A cone of light from `a`, `a.r` half as wide there, to `b`, where nothing is left of it. */
export function beam(s: Surface, a: End, b: End, colour: Rgb, strength = 1): void {
  const dx = b.x - a.x;
  const dy = b.y - a.y;
  const length = Math.hypot(dx, dy);
  shine(s, frameOf(a, b, 1), colour, (x, y) => {
    const along = ((x - a.x) * dx + (y - a.y) * dy) / (length * length);
    if (along < 0 || along > 1) return 0;
    const off = Math.abs((x - a.x) * dy - (y - a.y) * dx) / length / (a.r + (b.r - a.r) * along);
    return off < 1 ? (1 - off * off) ** 2 * (1 - along) * strength : 0;
  });
}

export function rect(s: Surface, x: number, y: number, width: number, height: number, colour: Rgb, alpha = 1): void {
  polygon(s, [x, y, x + width, y, x + width, y + height, x, y + height], colour, alpha);
}

const SLICES = 4;

/** Fills what the corners (x, y, x, y …) go round. */
export function polygon(s: Surface, corners: readonly number[], colour: Rgb, alpha = 1): void {
  const ys = corners.filter((_, i) => i % 2 === 1);
  const last = Math.min(s.rows - 1, Math.ceil(Math.max(...ys) * s.scale));
  const share = new Float32Array(s.columns);
  for (let row = Math.max(0, Math.floor(Math.min(...ys) * s.scale)); row <= last; row++) {
    share.fill(0);
    for (let slice = 0; slice < SLICES; slice++) {
      const xs = crossings(corners, (row + (slice + 0.5) / SLICES) / s.scale);
      for (let i = 0; i + 1 < xs.length; i += 2) spread(share, xs[i]! * s.scale, xs[i + 1]! * s.scale);
    }
    for (let column = 0, i = row * s.columns * 3; column < s.columns; column++, i += 3) {
      const part = share[column]! * alpha;
      if (part > 0) for (let c = 0; c < 3; c++) s.px[i + c]! += (colour[c]! - s.px[i + c]!) * part;
    }
  }
}

function crossings(corners: readonly number[], y: number): number[] {
  const xs: number[] = [];
  for (let i = 0, before = corners.length - 2; i < corners.length; before = i, i += 2) {
    const y0 = corners[before + 1]!;
    const y1 = corners[i + 1]!;
    if (y0 > y !== y1 > y) xs.push(corners[before]! + ((y - y0) / (y1 - y0)) * (corners[i]! - corners[before]!));
  }
  return xs.sort((a, b) => a - b);
}

function spread(share: Float32Array, from: number, to: number): void {
  const last = Math.min(share.length - 1, Math.floor(to));
  for (let column = Math.max(0, Math.floor(from)); column <= last; column++) {
    share[column]! += Math.max(0, Math.min(to, column + 1) - Math.max(from, column)) / SLICES;
  }
}
