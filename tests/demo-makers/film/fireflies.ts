import { cloud, noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, mix, rgb, times, type Rgb } from "./colour.ts";
import { createStars } from "./northern-sky.ts";
import { ridge } from "./ridge.ts";
import { disc, end, glow, rod } from "./shapes.ts";
import { gradient, HEIGHT, keep, type Surface, WIDTH } from "./surface.ts";

const DUSK = [rgb("0b1a3a"), rgb("17406a"), rgb("3f7f86"), rgb("d8b678")];
const LAMP = rgb("f6ff7a");

/** A tree that forks until its twigs are thin, with leaves at the ends. */
function growTree(s: Surface, random: () => number, x: number, y: number, angle: number, length: number): void {
  const toX = x + Math.cos(angle) * length;
  const toY = y + Math.sin(angle) * length;
  const dark = rgb("071820");
  rod(s, end(x, y, length / 9), end(toX, toY, length / 13), dark);
  if (length < 13) {
    for (let leaf = 0; leaf < 3; leaf++) {
      disc(s, toX + (random() - 0.5) * 16, toY + (random() - 0.5) * 14, 3 + random() * 5, dark, 0.8);
    }
    return;
  }
  for (const turn of [-0.45, 0.1, 0.5]) {
    growTree(s, random, toX, toY, angle + turn + (random() - 0.5) * 0.4, length * (0.62 + random() * 0.14));
  }
}

function drawLand(s: Surface): void {
  gradient(s, (y) => along(DUSK, y / 255));
  ridge(s, (x) => 232 - 40 * cloud(x / 120), rgb("2a5f6c"), rgb("1b4a55"), 40);
  ridge(s, (x) => 250 - 30 * cloud(x / 60 + 20), rgb("15414a"), rgb("0f3238"), 40);
  ridge(s, (x) => 268 - 10 * cloud(x / 40 + 40), rgb("0e3230"), rgb("061a1a"), 90);
  const random = seeded(6);
  growTree(s, random, 500, 290, -1.6, 72);
  growTree(s, random, 92, 284, -1.5, 44);
}

interface Blade {
  x: number;
  tall: number;
  lean: number;
  colour: Rgb;
}

function sway(s: Surface, { x, tall, lean, colour }: Blade, t: number): void {
  const wind = 0.5 * (noise(x / 90 - t * 0.9, 1) - 0.5) + 0.08 * Math.sin(t * 2 + x) + lean;
  const knee = { x: x + wind * tall * 0.3, y: HEIGHT - tall * 0.55 };
  rod(s, end(x, HEIGHT + 4, 1.8), end(knee.x, knee.y, 1.3), colour);
  rod(s, end(knee.x, knee.y, 1.3), end(x + wind * tall, HEIGHT - tall, 0.3), colour);
}

function begin(s: Surface): Painter {
  const land = keep(s, () => drawLand(s));
  const stars = createStars(50, 140, 5);
  const random = seeded(15);
  const blades = Array.from({ length: 150 }, (_, i): Blade => {
    const colour = times(mix(rgb("0a2a22"), rgb("1b5a3c"), random()), 0.4 + i / 320);
    return { x: random() * WIDTH, tall: 26 + random() * 52, lean: (random() - 0.5) * 0.5, colour };
  });
  const flies = Array.from({ length: 46 }, () => ({ x: random(), y: random(), near: random(), beat: random() * 20 }));
  return (t) => {
    land();
    stars(s, t, 0.6);
    for (const blade of blades) sway(s, blade, t);
    for (const { x, y, near, beat } of flies) {
      const fx = (x * 1.3 - 0.15 + 0.16 * (noise(t * 0.22 + beat, 3) - 0.5) * 2) * WIDTH;
      const fy = 190 + y * 140 + 70 * (noise(t * 0.28 + beat, 8) - 0.5) * 2;
      const light = Math.max(0, Math.sin(t * 1.3 + beat)) ** 1.5;
      glow(s, fx, fy, 10 + near * 22, LAMP, light * 0.42);
      glow(s, fx, fy, 2 + near * 2.2, [1, 1, 0.8], light * 1.6);
    }
  };
}

export const fireflies: Clip = {
  code: "fireflies",
  category: "nature",
  seconds: 25,
  poster: 14,
  music: { seed: 40, root: 53, scale: "bright", bpm: 72, lead: "bell", busy: 3, weather: "crickets" },
  begin,
};
