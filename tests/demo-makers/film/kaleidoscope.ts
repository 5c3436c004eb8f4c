import { noise } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, mix, rgb, smooth } from "./colour.ts";
import { shade, type Surface } from "./surface.ts";

const GLASS = ["1b0f4a", "6a1f8a", "e0347a", "ff8a3c", "ffe27a", "38d8b0", "1f7ad8", "241a6a"].map(rgb);
const MIRRORS = 10;

/** What lies in the tube before the mirrors: coloured glass that turns and slides. */
function glassAt(x: number, y: number, t: number, out: Float32Array): void {
  const bend = noise(x / 90 + t * 0.12, y / 90 - t * 0.08, t * 0.16);
  const tone = (noise(x / 74 + bend * 2.6, y / 74 + t * 0.14, t * 0.1) * 1.7 + bend * 0.6 + t * 0.025) % 1;
  const pane = tone * 7;
  const colour = mix(along(GLASS, Math.floor(pane) / 7), along(GLASS, Math.ceil(pane) / 7), smooth(0.3, 0.7, pane % 1));
  const lead = 1 - 0.55 * smooth(0.16, 0, Math.abs((pane % 1) - 0.5));
  const spark = Math.max(0, noise(x / 21, y / 21, t * 0.7) - 0.72) * 3.2;
  for (let c = 0; c < 3; c++) out[c] = colour[c]! * (lead > 0.99 ? 1 : 1 + spark) + spark * 0.3;
}

function begin(s: Surface): Painter {
  return (t) => {
    const turn = t * 0.12;
    const slide = { x: 60 * Math.cos(t * 0.21), y: 60 * Math.sin(t * 0.17) };
    const wedge = Math.PI / MIRRORS;
    shade(s, 2, (x, y, out) => {
      const far = Math.hypot(x - 320, y - 180);
      const angle = Math.atan2(y - 180, x - 320) + turn;
      const folded = Math.abs(angle - Math.round(angle / (2 * wedge)) * 2 * wedge);
      glassAt(far * Math.cos(folded) + slide.x + 40, far * Math.sin(folded) + slide.y, t, out);
      const seam = 1 - 0.16 * smooth(0.1, 0, wedge - folded);
      const dark = 1.05 - 0.75 * smooth(150, 370, far);
      for (let c = 0; c < 3; c++) out[c]! *= dark * seam;
      const heart = 0.5 * Math.exp(-far / 22);
      out[0]! += heart;
      out[1]! += heart * 0.9;
      out[2]! += heart * 0.7;
    });
  };
}

export const kaleidoscope: Clip = {
  code: "kaleidoscope",
  category: "abstract",
  seconds: 24,
  poster: 8,
  music: { seed: 226, root: 53, scale: "dream", bpm: 70, lead: "bell", busy: 4 },
  begin,
};
