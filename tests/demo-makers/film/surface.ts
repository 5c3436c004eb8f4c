import { clamp, type Rgb } from "./colour.ts";

/** What everything is measured in: a picture is 640 units wide and 360 high, however many pixels it has. */
export const WIDTH = 640;
export const HEIGHT = 360;

/** A picture of light: three numbers per pixel, 0 dark and 1 bright. */
export interface Surface {
  /** Pixels per unit. */
  scale: number;
  columns: number;
  rows: number;
  px: Float32Array;
}

export function createSurface(scale: number): Surface {
  const columns = WIDTH * scale;
  const rows = HEIGHT * scale;
  return { scale, columns, rows, px: new Float32Array(columns * rows * 3) };
}

/** Takes light away everywhere; 1 leaves nothing. */
export function fade({ px }: Surface, share: number): void {
  for (let i = 0; i < px.length; i++) px[i]! *= 1 - share;
}

/** Draws once and puts the same back whenever asked. */
export function keep(s: Surface, draw: () => void): () => void {
  draw();
  const kept = s.px.slice();
  return () => s.px.set(kept);
}

/** Fills the picture from what `colourAt` puts into its third argument, asked every `step` units and smooth between. */
export function shade(s: Surface, step: number, colourAt: (x: number, y: number, out: Float32Array) => void): void {
  const across = Math.ceil(WIDTH / step) + 2;
  const down = Math.ceil(HEIGHT / step) + 2;
  const grid = new Float32Array(across * down * 3);
  const out = new Float32Array(3);
  for (let row = 0, i = 0; row < down; row++) {
    for (let column = 0; column < across; column++, i += 3) {
      colourAt(column * step, row * step, out);
      grid.set(out, i);
    }
  }
  enlarge(s, grid, across, step * s.scale);
}

function enlarge({ columns, rows, px }: Surface, grid: Float32Array, across: number, step: number): void {
  for (let y = 0, i = 0; y < rows; y++) {
    const gy = (y + 0.5) / step;
    const row = Math.floor(gy);
    for (let x = 0; x < columns; x++) {
      const gx = (x + 0.5) / step;
      const column = Math.floor(gx);
      const at = (row * across + column) * 3;
      const below = at + across * 3;
      for (let c = 0; c < 3; c++, i++) {
        const first = grid[at + c]! + (grid[at + c + 3]! - grid[at + c]!) * (gx - column);
        const second = grid[below + c]! + (grid[below + c + 3]! - grid[below + c]!) * (gx - column);
        px[i] = first + (second - first) * (gy - row);
      }
    }
  }
}

/** What colour of light lies at a height: quick for a sky. */
export function gradient(s: Surface, colourAt: (y: number) => Rgb): void {
  for (let row = 0, i = 0; row < s.rows; row++) {
    const [red, green, blue] = colourAt((row + 0.5) / s.scale);
    for (let column = 0; column < s.columns; column++) {
      s.px[i++] = red;
      s.px[i++] = green;
      s.px[i++] = blue;
    }
  }
}

/** Below `level` water shows what is above it, drawn out `stretch` times and trembling. */
export function mirror(
  s: Surface,
  level: number,
  t: number,
  tint: Rgb,
  { stretch = 1, ripple = 1, dark = 0.62 } = {},
): void {
  const { columns, rows, px, scale } = s;
  const first = Math.ceil(level * scale);
  for (let row = first; row < rows; row++) {
    const depth = (row - first) / scale;
    const near = 0.4 + depth / 60;
    const sway = (Math.sin(depth * 1.3 - t * 2.2) + Math.sin(depth * 0.47 + t * 1.4)) * near * ripple * scale;
    const lift = Math.sin((depth * 0.9) / near - t * 2.6) * near * 1.6 * ripple;
    const from = Math.round(clamp(level - (depth + lift) / stretch - 1, 0, level - 1) * scale);
    const light = dark * (1 - depth / 400);
    for (let column = 0; column < columns; column++) {
      const bend = Math.sin(column / scale / 23 + t + depth * 0.3) * near * ripple * scale;
      const source = (from * columns + Math.min(columns - 1, Math.max(0, Math.round(column + sway + bend)))) * 3;
      const at = (row * columns + column) * 3;
      for (let c = 0; c < 3; c++) px[at + c] = px[source + c]! * light + tint[c]!;
    }
  }
}

/** What a brightness of `i` / 1024 becomes; bright light is rounded off instead of cut. */
const TONES = Uint8Array.from({ length: 4096 }, (_, i) => {
  const light = i / 1024;
  return 255 * (light < 0.7 ? light : 1 - 0.3 * Math.exp((0.7 - light) / 0.3)) + 0.5;
});

/** As bytes for the encoder. */
export function develop({ px }: Surface, bytes: Uint8Array): void {
  for (let i = 0; i < px.length; i++) bytes[i] = TONES[Math.min(4095, Math.max(0, px[i]! * 1024) | 0)]!;
}
