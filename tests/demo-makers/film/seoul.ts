import { cloud, noise } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, hue, mix, rgb, times } from "./colour.ts";
import { createStars } from "./northern-sky.ts";
import { ridge } from "./ridge.ts";
import { disc, end, glow, polygon, rect, rod, streak } from "./shapes.ts";
import { gradient, keep, mirror, type Surface } from "./surface.ts";
import { build, createTwinkles, drive } from "./towers.ts";

const LEVEL = 268;
const DECK = 214;
const SKY = [rgb("060a2a"), rgb("16205a"), rgb("4a3f8a"), rgb("c07a9a")];

function drawHill(s: Surface): void {
  ridge(s, (x) => 190 - 66 * Math.exp(-(((x - 452) / 105) ** 2)) - 8 * noise(x / 24), rgb("1e2450"), rgb("2a2a5c"), 60);
  rod(s, end(452, 126, 3.4), end(452, 84, 2.4), rgb("c8ccec"));
  rod(s, end(452, 84, 7), end(452, 76, 8.5), rgb("dfe4ff"));
  rod(s, end(452, 74, 5), end(452, 70, 3), rgb("aab0d8"));
  rod(s, end(452, 70, 1.5), end(452, 38, 0.4), rgb("d85a5a"));
}

function drawCity(s: Surface): void {
  gradient(s, (y) => along(SKY, y / 220));
  ridge(s, (x) => 182 - 70 * cloud(x / 150 + 7), rgb("3a3a7c"), rgb("51488a"), 60);
  drawHill(s);
  build(s, { seed: 23, base: 214, tallAt: (x) => 22 + 46 * noise(x / 70), wall: rgb("1c2048"), lit: 0.34, wide: 22 });
  rect(s, 84, 62, 26, 152, rgb("2a3064"));
  polygon(s, [84, 62, 97, 34, 110, 62], rgb("2a3064"));
  for (let y = 66; y < 206; y += 7) rect(s, 87, y, 20, 3, times(rgb("bcd8ff"), 0.45 + 0.4 * noise(y)), 0.8);
  rect(s, 0, 213, 640, LEVEL - 213, rgb("0c1434"));
  for (let x = 40; x < 640; x += 112) rect(s, x - 7, DECK + 8, 14, LEVEL - DECK - 8, rgb("38406c"));
  rect(s, 0, DECK, 640, 9, rgb("59608c"));
  rect(s, 0, DECK + 7, 640, 3, rgb("2c3260"));
}

/** Water that springs from the bridge, falls in an arc and takes the colours of the rainbow. */
function drawFountain(s: Surface, t: number): void {
  for (let i = 0; i < 76; i++) {
    const x = 16 + i * 8.1;
    const wave = 0.5 + 0.5 * Math.sin(i * 0.2 - t * 1.7) * Math.sin(t * 0.43);
    const reach = 14 + 26 * wave + 3 * noise(i, t * 3);
    const colour = mix(hue(i / 76 + t * 0.07, 0.62, 0.4), [1, 1, 1], 0.16);
    let from = end(x, DECK + 6, 1.5);
    for (let part = 1; part <= 8; part++) {
      const share = part / 8;
      const lift = 14 * wave * Math.sin(Math.PI * Math.min(1, share * 1.3));
      const to = end(
        x + reach * share * Math.sin(t * 0.5) * 0.7,
        DECK + 6 - lift + (LEVEL - DECK - 8) * share ** 2,
        1.5 + share * 1.5,
      );
      streak(s, from, to, colour, 0.5 - share * 0.2);
      from = to;
    }
    glow(s, from.x, LEVEL - 2, 10, colour, 0.35);
  }
}

function drawBeacon(s: Surface, t: number): void {
  const colour = hue(t * 0.05 + 0.3);
  glow(s, 452, 78, 70, colour, 0.45);
  disc(s, 452, 80, 8, times(colour, 1.1), 0.6);
  glow(s, 452, 38, 9, rgb("ff4040"), 0.5 + 0.5 * Math.sin(t * 3.4));
  for (let i = 0; i < 3; i++) {
    const share = (t * 0.06 + i / 3) % 1;
    const x = 410 - 150 * share;
    glow(s, x, 128 + 62 * share, 5, rgb("ffe8a0"), 0.9);
  }
}

function begin(s: Surface): Painter {
  const city = keep(s, () => drawCity(s));
  const stars = createStars(60, 120, 33);
  const twinkles = createTwinkles(60, 170, 210, 5);
  return (t) => {
    city();
    stars(s, t, 0.7);
    twinkles(s, t);
    drawBeacon(s, t);
    const road = { cars: 17, size: 1.7 };
    drive(s, t, {
      ...road,
      from: { x: -20, y: DECK - 2 },
      to: { x: 660, y: DECK - 2 },
      speed: 0.06,
      colour: rgb("fff0c8"),
    });
    drive(s, t, {
      ...road,
      from: { x: 660, y: DECK + 2 },
      to: { x: -20, y: DECK + 2 },
      speed: 0.075,
      colour: rgb("ff4a44"),
    });
    drawFountain(s, t);
    mirror(s, LEVEL, t, [0.01, 0.012, 0.04], { stretch: 0.5, ripple: 1.1, dark: 0.68 });
  };
}

export const seoul: Clip = {
  code: "seoul-fountain",
  category: "city",
  seconds: 25,
  poster: 8,
  music: { seed: 115, root: 50, scale: "warm", bpm: 84, lead: "bell", busy: 3.6, beat: true, weather: "brook" },
  begin,
};
