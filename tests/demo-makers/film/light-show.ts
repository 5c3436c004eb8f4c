import { noise, seeded } from "./chance.ts";
import type { Clip, Painter } from "./clip.ts";
import { along, hue, mix, rgb, times } from "./colour.ts";
import { ridge } from "./ridge.ts";
import { beam, disc, end, glow, oval, rect, rod, streak } from "./shapes.ts";
import { gradient, type Surface } from "./surface.ts";

/** Beats a minute, of the music and of the lights. */
const BPM = 104;

function drawHall(s: Surface, t: number): void {
  gradient(s, (y) => along([rgb("080618"), rgb("150c30"), rgb("2a1450"), rgb("120a24")], y / 300));
  const wash = hue(t * 0.04, 0.4, 0.3);
  glow(s, 320, 236, 340, wash, 0.5);
  for (let x = 0; x < 640; x += 22) {
    rod(s, end(x, 30, 1.2), end(x + 11, 44, 1.2), rgb("2c2840"));
    rod(s, end(x + 11, 44, 1.2), end(x + 22, 30, 1.2), rgb("2c2840"));
  }
  for (const y of [29, 45]) rect(s, 0, y, 640, 2.4, rgb("3a3654"));
  rect(s, 40, 252, 560, 12, mix(wash, rgb("101020"), 0.55));
  rect(s, 30, 262, 580, 60, rgb("0c0a18"));
}

/** A wall of lamps behind the stage that plays with the music. */
function drawWall(s: Surface, t: number): void {
  const beat = (t * BPM) / 60;
  for (let i = 0; i < 33; i++) {
    const x = 96 + i * 14;
    const loud = 0.2 + 0.8 * noise(i / 3, beat * 1.2) * (0.55 + 0.45 * Math.exp(-(beat % 1) * 2.4));
    for (let row = 0; row < 12; row++) {
      const on = row / 12 < loud ? 0.85 : 0.07;
      rect(s, x, 240 - row * 9, 10, 6, times(hue(i / 60 + row / 40 + t * 0.05, 0.5, 0.45), on), 0.9);
    }
  }
}

function swingBeams(s: Surface, t: number): void {
  const beat = (t * BPM) / 60;
  const pulse = 0.7 + 0.5 * Math.exp(-(beat % 1) * 3);
  for (let i = 0; i < 10; i++) {
    const x = 32 + i * 64;
    const figure = Math.floor(beat / 8) % 3;
    const swing =
      figure === 0
        ? Math.sin(t * 1.1 + i * 0.55)
        : figure === 1
          ? Math.sin(t * 1.6) * (i % 2 ? 1 : -1)
          : (i - 4.5) / -5 + 0.4 * Math.sin(t * 2);
    const colour = hue(0.1 * Math.floor(beat / 4) + (i % 2) * 0.33 + t * 0.02, 0.6, 0.42);
    beam(s, end(x, 48, 3), end(x + swing * 220, 350, 44), colour, 0.85 * pulse);
    glow(s, x, 48, 22, colour, 0.9);
    disc(s, x, 47, 4, [1, 1, 1]);
    oval(s, x + swing * 152, 258, 34, 5, times(colour, 1.1), 0.3);
  }
  for (const [i, x] of [120, 240, 400, 520].entries()) {
    const turn = -1.57 + 0.6 * Math.sin(t * 0.9 + i * 1.4);
    const colour = hue(0.5 + i * 0.12 + t * 0.03);
    for (let ray = -2; ray <= 2; ray++) {
      const angle = turn + ray * 0.13;
      streak(s, end(x, 252, 0.7), end(x + Math.cos(angle) * 330, 252 + Math.sin(angle) * 330, 0.5), colour, 0.3);
    }
  }
}

interface Fan {
  x: number;
  y: number;
  size: number;
  beat: number;
  arms: boolean;
}

function cheer(s: Surface, t: number, { x, y, size, beat, arms }: Fan): void {
  const hop = Math.abs(Math.sin(((t * BPM) / 60) * Math.PI + beat * 0.5)) * 5 * size;
  const dark = times(rgb("0a0716"), 1 - size * 0.25);
  oval(s, x, y - hop, 9 * size, 10.5 * size, dark);
  oval(s, x, y + 30 * size - hop, 20 * size, 22 * size, dark);
  if (!arms) return;
  for (const side of [-1, 1]) {
    const sway = 6 * Math.sin(t * 2.2 + beat);
    const elbow = { x: x + side * 21 * size, y: y - 2 * size - hop };
    rod(s, end(x + side * 14 * size, y + 16 * size - hop, 5 * size), end(elbow.x, elbow.y, 4 * size), dark);
    rod(s, end(elbow.x, elbow.y, 4 * size), end(x + side * 15 * size + sway, y - 26 * size - hop, 3.4 * size), dark);
    if (side * Math.sin(beat * 9) > 0.6)
      glow(s, x + side * 15 * size + sway, y - 30 * size - hop, 13, hue(beat, 0.6, 0.4), 1);
  }
}

function begin(s: Surface): Painter {
  const random = seeded(10);
  const fans = Array.from({ length: 42 }, (_, i): Fan => {
    const near = i / 42;
    return { x: random() * 640, y: 302 + near * 46, size: 0.7 + near * 0.6, beat: random() * 6, arms: random() < 0.5 };
  });
  return (t) => {
    drawHall(s, t);
    drawWall(s, t);
    swingBeams(s, t);
    ridge(s, (x) => 326 + 6 * noise(x / 30), rgb("0a0716"));
    for (const fan of fans) cheer(s, t, fan);
  };
}

export const lightShow: Clip = {
  code: "light-show",
  category: "stage",
  seconds: 24,
  poster: 10,
  kbps: 34,
  music: { seed: 148, root: 45, scale: "quiet", bpm: BPM, lead: "bell", busy: 5, beat: true },
  begin,
};
