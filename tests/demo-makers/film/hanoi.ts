import { cloud, noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, clamp, mix, rgb, times } from "./colour.ts";
import { createStars } from "./northern-sky.ts";
import { ridge } from "./ridge.ts";
import { disc, end, glow, oval, polygon, rect, rod, shine } from "./shapes.ts";
import { gradient, keep, mirror, type Surface, WIDTH } from "./surface.ts";
import { build } from "./towers.ts";

const LEVEL = 236;
const SKY = [rgb("101a44"), rgb("3a3470"), rgb("a0587c"), rgb("f0a070")];
const RED = rgb("c8342c");
const STONE = rgb("6a5c58");

/** The tower on its islet in the lake: three storeys with arches, lit from below. */
function drawTower(s: Surface): void {
  ridge(s, (x) => LEVEL + 2 - 9 * Math.max(0, 1 - ((x - 420) / 62) ** 2) ** 0.5, rgb("1c2a20"), rgb("10160f"), 10);
  for (const [i, { y, half, tall }] of [
    { y: 228, half: 30, tall: 25 },
    { y: 201, half: 23, tall: 20 },
    { y: 179, half: 15, tall: 16 },
  ].entries()) {
    rect(s, 420 - half, y - tall, half * 2, tall, mix(STONE, rgb("e8b878"), 0.45));
    for (let arch = -(2 - i); arch <= 2 - i; arch++) {
      const x = 420 + arch * half * (i === 0 ? 0.4 : 0.55);
      rect(s, x - 3.4, y - tall * 0.55, 6.8, tall * 0.55, times(rgb("ffb44a"), 0.95));
      disc(s, x, y - tall * 0.55, 3.4, times(rgb("ffb44a"), 0.95));
    }
    const eave = y - tall;
    polygon(
      s,
      [420 - half - 6, eave + 1, 420 - half + 3, eave - 6, 420 + half - 3, eave - 6, 420 + half + 6, eave + 1],
      rgb("4a3a3a"),
    );
  }
  polygon(s, [400, 158, 408, 146, 432, 146, 440, 158], rgb("4a3a3a"));
  glow(s, 420, 215, 90, rgb("ffb860"), 0.35);
}

const deckAt = (x: number) => 214 - 20 * Math.sin(Math.PI * clamp(x / 270)) + 8;

function drawBridge(s: Surface): void {
  for (let x = 8; x < 262; x += 18) {
    rod(s, end(x, deckAt(x), 2), end(x, LEVEL, 2), times(RED, 0.55));
    rod(s, end(x + 7, deckAt(x), 1.6), end(x + 7, LEVEL, 1.6), times(RED, 0.4));
  }
  for (let x = -6; x < 268; x += 6) {
    rod(s, end(x, deckAt(x), 3.4), end(x + 6, deckAt(x + 6), 3.4), RED);
    rod(s, end(x, deckAt(x) - 14, 1.3), end(x + 6, deckAt(x + 6) - 14, 1.3), times(RED, 1.1));
    rod(s, end(x, deckAt(x), 0.8), end(x, deckAt(x) - 14, 0.8), RED);
  }
}

function drawShore(s: Surface): void {
  gradient(s, (y) => along(SKY, y / LEVEL));
  shine(s, [0, 40, WIDTH, 190], rgb("ff9a80"), (x, y) => Math.max(0, cloud(x / 160, y / 22) - 0.52) * 0.9);
  build(s, { seed: 5, base: 226, tallAt: (x) => 34 + 44 * noise(x / 80), wall: rgb("3a2a58"), lit: 0.22, wide: 22 });
  ridge(s, (x) => 216 - 22 * cloud(x / 22, 4), rgb("241c38"), rgb("140f22"), 30);
  drawTower(s);
  drawBridge(s);
}

function drawWillow(s: Surface, t: number): void {
  for (let i = 0; i < 26; i++) {
    const x = 452 + i * 8 + 5 * Math.sin(i * 2.3);
    const long = 40 + 120 * noise(i * 0.7, 3) * (0.5 + i / 40);
    let from = end(x, -6, 0.9);
    for (let part = 1; part <= 12; part++) {
      const swing = 9 * (noise(t * 0.35 + x / 80, part / 9) - 0.5) * part * 0.4;
      const to = end(x + swing, (long * part) / 12, 0.5);
      rod(s, from, to, rgb("0b1119"));
      const side = part % 2 ? 1 : -1;
      oval(s, to.x + side * 2.4, to.y + 3, 6, 1.3, rgb("0f1a20"), 0.95, 1.57 - side * 0.42);
      from = to;
    }
  }
}

function begin(s: Surface): Painter {
  const shore = keep(s, () => drawShore(s));
  const stars = createStars(50, 110, 2);
  const random = seeded(8);
  const lanterns = Array.from({ length: 26 }, () => ({ x: random(), near: random(), hue: random() })).sort(
    (a, b) => a.near - b.near,
  );
  return (t) => {
    shore();
    stars(s, t, 0.7);
    for (let x = 26; x < 262; x += 36) {
      const y = deckAt(x) - 6;
      glow(s, x, y, 22, rgb("ff9a3a"), 0.5 + 0.1 * Math.sin(t * 2 + x));
      oval(s, x + Math.sin(t + x), y, 3.6, 4.6, [1.3, 0.8, 0.35]);
    }
    mirror(s, LEVEL, t, [0.01, 0.012, 0.03], { stretch: 0.6, ripple: 0.8, dark: 0.6 });
    for (const { x, near, hue } of lanterns) {
      const px = ((x * 760 + t * (5 + near * 11)) % 760) - 60;
      const py = 246 + near * 100 + 1.6 * Math.sin(t * 1.2 + x * 40);
      const size = 2.5 + near * 5.5;
      const colour = along([rgb("ff7a5a"), rgb("ffc04a"), rgb("ff8fb4")], hue);
      glow(s, px, py, size * 6, colour, 0.34);
      oval(s, px, py + size * 1.9, size * 0.9, size * 1.3, colour, 0.22);
      for (let petal = -2; petal <= 2; petal++)
        oval(s, px + petal * size * 0.5, py, size * 0.8, size * 0.42, times(colour, 0.9), 0.9, -1.57 + petal * 0.45);
      glow(s, px, py - size * 0.2, size * 1.2, [1, 0.95, 0.7], 0.9);
    }
    drawWillow(s, t);
  };
}

export const hanoi: Clip = {
  code: "hanoi-lake",
  category: "city",
  seconds: 25,
  poster: 10,
  music: { seed: 82, root: 50, scale: "east", bpm: 72, lead: "pluck", busy: 3.6, weather: "crickets" },
  begin,
};
