import { noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, clamp, rgb, smooth } from "./colour.ts";
import { ridge } from "./ridge.ts";
import { glow, polygon } from "./shapes.ts";
import { gradient, mirror, type Surface, WIDTH } from "./surface.ts";

const SHORE = 268;
const NIGHT = [rgb("030616"), rgb("06102b"), rgb("0e2444"), rgb("1d4258")];
const CURTAIN = Array.from({ length: 64 }, (_, i) =>
  along([rgb("58ffb4"), rgb("2fe6a0"), rgb("2f9fc8"), rgb("7a4fe0"), rgb("b23fae")], i / 63),
);

/** Stars that stay where they are and twinkle. */
export function createStars(count: number, low: number, seed: number) {
  const random = seeded(seed);
  const stars = Array.from({ length: count }, () => {
    return { x: random() * WIDTH, y: random() ** 1.3 * low, r: 0.8 + random() ** 4 * 1.6, beat: random() * 9 };
  });
  return (s: Surface, t: number, light = 1) => {
    for (const { x, y, r, beat } of stars) {
      glow(s, x, y, r * 1.8, [0.9, 0.95, 1], light * (0.55 + 0.4 * Math.sin(t * (1 + beat / 4) + beat)));
    }
  };
}

/** A curtain of light: each column ends sharply below and fades upwards into other colours. */
function hangCurtain(s: Surface, t: number, layer: number): void {
  for (let column = 0; column < s.columns; column++) {
    const x = column / s.scale;
    const bend = noise(x / 130 + layer * 7, t * 0.11 + layer) + 0.35 * noise(x / 47 + 30, t * 0.2 + layer);
    const low = 60 + layer * 30 + bend * 100;
    const rays = 0.4 + 0.6 * noise(x / 9 + bend * 12, t * 0.8, layer) + 0.25 * noise(x / 3.4, t * 1.3);
    const light = rays * smooth(0.15, 0.7, noise(x / 170 - t * 0.09, layer * 3 + t * 0.07)) * 0.75;
    const tall = 70 + 60 * noise(x / 40, t * 0.3, layer + 5);
    for (let row = 0; row < Math.min(s.rows, (low + 14) * s.scale); row++) {
      const up = low - row / s.scale;
      const left = up < 0 ? clamp(1 + up / 13) ** 2 : Math.exp(-up / tall) * clamp(row / s.scale / 50);
      const [red, green, blue] = CURTAIN[Math.floor(clamp(up / 190) * 63)]!;
      const i = (row * s.columns + column) * 3;
      s.px[i]! += red * left * light;
      s.px[i + 1]! += green * left * light;
      s.px[i + 2]! += blue * left * light;
    }
  }
}

function plantFir(s: Surface, x: number, foot: number, tall: number): void {
  for (let tier = 0; tier < 5; tier++) {
    const top = foot - tall + (tier * tall) / 6;
    const half = (tall / 9) * (0.6 + tier * 0.55);
    polygon(s, [x, top, x + half, top + tall / 3, x - half, top + tall / 3], [0.008, 0.02, 0.03]);
  }
}

function begin(s: Surface): Painter {
  const stars = createStars(150, 230, 3);
  const random = seeded(12);
  const firs = Array.from({ length: 34 }, (_, i) => {
    const x = i < 20 ? random() * 210 : 430 + random() * 210;
    return { x, tall: 24 + random() * 44 * (Math.abs(x - 320) / 320) ** 0.7 };
  });
  return (t) => {
    gradient(s, (y) => along(NIGHT, y / SHORE));
    stars(s, t);
    for (let layer = 0; layer < 3; layer++) hangCurtain(s, t + 20, layer);
    const far = (x: number) => 250 - 62 * noise(x / 90 + 3) - 14 * noise(x / 17) - 4 * noise(x / 5);
    ridge(s, far, rgb("123040"), rgb("0a1a28"), 60);
    ridge(s, (x) => 268 - 26 * noise(x / 60 + 50) - 4 * noise(x / 9), rgb("06121b"), rgb("03090f"), 30);
    for (const { x, tall } of firs) plantFir(s, x, SHORE + 1, tall);
    mirror(s, SHORE, t, [0.004, 0.012, 0.022], { stretch: 0.46, ripple: 0.5, dark: 0.66 });
  };
}

export const northernLights: Clip = {
  code: "northern-lights",
  category: "nature",
  seconds: 26,
  poster: 9,
  music: { seed: 21, root: 50, scale: "dream", bpm: 60, lead: "bell", busy: 2.4, weather: "wind" },
  begin,
};
