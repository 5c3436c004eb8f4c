import { noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, hue, mix, rgb, type Rgb } from "./colour.ts";
import { end, glow, streak } from "./shapes.ts";
import { fade, type Surface } from "./surface.ts";

interface Mote {
  x: number;
  y: number;
  tone: number;
  age: number;
}

const DAWN: readonly Rgb[] = [rgb("2a6cff"), rgb("28d8e8"), rgb("ffd36a"), rgb("ff6a8a"), rgb("9a4aff")];

/** How high the hills are round which the air runs. */
const hillAt = (x: number, y: number, t: number) =>
  noise(x / 200, y / 200, t * 0.07) + 0.22 * noise(x / 80 + 20, y / 80, t * 0.12);

function drift(s: Surface, mote: Mote, t: number, random: () => number): void {
  const here = hillAt(mote.x, mote.y, t);
  const x = mote.x + Math.min(4, Math.max(-4, (hillAt(mote.x, mote.y + 2, t) - here) * 185));
  const y = mote.y - Math.min(4, Math.max(-4, (hillAt(mote.x + 2, mote.y, t) - here) * 185));
  const light = Math.min(1, mote.age / 20, (150 - mote.age) / 30);
  const colour = mix(along(DAWN, mote.tone), hue(t * 0.04 + mote.tone * 0.3), 0.3);
  streak(s, end(mote.x, mote.y, 1.15), end(x, y, 1.15), colour, 0.36 * light);
  Object.assign(mote, { x, y, age: mote.age + 1 });
  if (mote.age < 150 && x > -5 && x < 645 && y > -5 && y < 365) return;
  const place = { x: random() * 640, y: random() * 360 };
  Object.assign(mote, { ...place, age: 0, tone: noise(place.x / 220, place.y / 220, t * 0.1) * 1.3 - 0.15 });
}

function begin(s: Surface): Painter {
  const random = seeded(44);
  const motes = Array.from({ length: 620 }, (): Mote => {
    const place = { x: random() * 640, y: random() * 360 };
    return { ...place, age: Math.floor(random() * 150), tone: noise(place.x / 220, place.y / 220) * 1.3 - 0.15 };
  });
  return (t) => {
    fade(s, 0.045);
    for (let i = 0; i < 3; i++) {
      glow(
        s,
        320 + 240 * Math.sin(t * 0.2 + i * 2),
        180 + 110 * Math.cos(t * 0.17 + i * 3),
        190,
        along(DAWN, i / 2),
        0.004,
      );
    }
    for (const mote of motes) drift(s, mote, t, random);
  };
}

export const flowField: Clip = {
  code: "flow-field",
  category: "abstract",
  seconds: 24,
  poster: 14,
  kbps: 34,
  music: { seed: 204, root: 52, scale: "dream", bpm: 64, lead: "bell", busy: 3 },
  begin,
};
