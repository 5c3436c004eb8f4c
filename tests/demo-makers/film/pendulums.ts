import type { Clip, Painter } from "./clip.ts";
import { along, hue, mix, rgb, times } from "./colour.ts";
import { disc, end, glow, rod, streak } from "./shapes.ts";
import { gradient, keep, mirror, type Surface } from "./surface.ts";

const COUNT = 19;
const BEAM_Y = 18;
const FLOOR = 292;
/** After this long all swing together again. */
const ROUND_S = 26;

/** The pendulums lie one behind the other along a slanting beam: the nearer is larger and lower. */
function bobAt(i: number, t: number) {
  const near = i / (COUNT - 1);
  const swings = 13 + i;
  const angle = 0.62 * Math.cos((2 * Math.PI * swings * t) / ROUND_S);
  const hook = { x: 150 + near * 340, y: BEAM_Y + near * 14 };
  const long = 205 - near * 22 + near * 40;
  const size = 8 + near * 6.5;
  return { hook, x: hook.x + Math.sin(angle) * long * 0.72, y: hook.y + Math.cos(angle) * long, size, tone: near };
}

function begin(s: Surface): Painter {
  const room = keep(s, () => {
    gradient(s, (y) => along([rgb("0b0d24"), rgb("191a48"), rgb("3a2a68"), rgb("241a48")], y / FLOOR));
    glow(s, 320, 200, 330, rgb("5a3aa0"), 0.45);
    rod(s, end(120, BEAM_Y - 1, 3.4), end(520, BEAM_Y + 15, 4.6), rgb("c8a868"));
  });
  return (t) => {
    room();
    for (let i = 0; i < COUNT; i++) {
      const { hook, x, y, size, tone } = bobAt(i, t);
      const colour = hue(tone * 0.85, 0.56, 0.44);
      streak(s, end(hook.x, hook.y, 0.6), end(x, y, 0.6), rgb("c0b8e8"), 0.4);
      for (let ago = 4; ago >= 1; ago--) {
        const was = bobAt(i, t - ago * 0.026);
        glow(s, was.x, was.y, size * 1.25, colour, 0.1 * (1 - ago / 5));
      }
      glow(s, x, y, size * 2.4, colour, 0.2);
      disc(s, x, y, size, times(colour, 0.62));
      disc(s, x - size * 0.1, y - size * 0.12, size * 0.82, times(colour, 0.86), 0.8);
      disc(s, x - size * 0.3, y - size * 0.34, size * 0.42, mix(colour, [1, 1, 1], 0.5), 0.55);
      disc(s, x - size * 0.36, y - size * 0.42, size * 0.16, [1, 1, 1], 0.9);
    }
    mirror(s, FLOOR, t * 0.3, [0.015, 0.012, 0.035], { stretch: 0.62, ripple: 0.18, dark: 0.5 });
  };
}

export const pendulums: Clip = {
  code: "pendulum-wave",
  category: "abstract",
  seconds: ROUND_S,
  poster: 3,
  kbps: 34,
  music: { seed: 248, root: 50, scale: "warm", bpm: 92.3, lead: "pluck", busy: 5 },
  begin,
};
