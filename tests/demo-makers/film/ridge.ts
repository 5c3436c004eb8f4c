import { clamp, mix, type Rgb } from "./colour.ts";
import type { Surface } from "./surface.ts";

/** Fills everything below a line, from `top`'s colour at the line to `bottom`'s `depth` units below it. */
export function ridge(s: Surface, heightAt: (x: number) => number, top: Rgb, bottom = top, depth = 100): void {
  const steps = Array.from({ length: 65 }, (_, i) => mix(top, bottom, i / 64));
  for (let column = 0; column < s.columns; column++) {
    const line = heightAt((column + 0.5) / s.scale) * s.scale;
    for (let row = Math.max(0, Math.floor(line)); row < s.rows; row++) {
      const share = clamp(row + 1 - line);
      const colour = steps[Math.floor(clamp((row - line) / s.scale / depth) * 64)]!;
      const i = (row * s.columns + column) * 3;
      for (let c = 0; c < 3; c++) s.px[i + c]! += (colour[c]! - s.px[i + c]!) * share;
    }
  }
}
