import { noise } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, mix, rgb, smooth, type Rgb } from "./colour.ts";
import { shade, type Surface } from "./surface.ts";

/** Colours that flow into one another, one family after the other. */
const FAMILIES: readonly (readonly Rgb[])[] = [
  [rgb("04102e"), rgb("0e4a8a"), rgb("28b8c8"), rgb("f4e4c0"), rgb("f08a5a")],
  [rgb("1a0632"), rgb("6a1a7a"), rgb("e04a7a"), rgb("ffc08a"), rgb("fff2d0")],
  [rgb("02201e"), rgb("0a5a4a"), rgb("4ab86a"), rgb("e8e48a"), rgb("e8a03a")],
];
const SECONDS = 25;

/** Smooth noise that runs on in slow swells. */
const swell = (x: number, y: number, t: number) =>
  0.68 * noise(x * 0.8 + y * 0.6, y * 0.8 - x * 0.6, t) +
  0.32 * noise(x * 0.9 - y * 1.9 + 7, x * 1.9 + y * 0.9, t * 1.3);

function begin(s: Surface): Painter {
  const steps = 256;
  return (t) => {
    const hour = (t / SECONDS) * FAMILIES.length;
    const [now, next] = [FAMILIES[Math.floor(hour) % 3]!, FAMILIES[(Math.floor(hour) + 1) % 3]!];
    const inks = now.map((colour, i) => mix(colour, next[i]!, smooth(0.65, 1, hour % 1)));
    const palette = Array.from({ length: steps }, (_, i) => along(inks, i / (steps - 1)));
    shade(s, 3, (px, py, out) => {
      const [x, y] = [px / 230, py / 230];
      const a = swell(x + t * 0.05, y, t * 0.11);
      const b = swell(x + 5.2, y + 1.3 - t * 0.04, t * 0.13);
      const c = swell(x + 4.2 * a, y + 4.2 * b, t * 0.09 + 8);
      const silk = 0.5 + 0.5 * Math.sin(c * 34 + a * 9 - t * 0.6);
      const tone = smooth(0.16, 0.84, c * 0.8 + (a - b) * 0.35 + 0.1);
      const colour = palette[Math.floor(tone * (steps - 1))]!;
      const light = 0.7 + 0.5 * silk ** 3 * (0.35 + b);
      for (let i = 0; i < 3; i++) out[i] = colour[i]! * light;
    });
  };
}

export const ink: Clip = {
  code: "flowing-ink",
  category: "abstract",
  seconds: SECONDS,
  poster: 5,
  music: { seed: 259, root: 45, scale: "quiet", bpm: 60, lead: "flute", busy: 2.4, weather: "sea" },
  begin,
};
