import type { Palette } from "./palette.ts";
import { at, box, glow, gradient, group, line, lit, mix, oval, shape, shaded, type Colour } from "./svg.ts";

export const WIDTH = 1080;
export const HEIGHT = 1440;

/** The sky of a city down to the horizon, with its sun. */
export const drawSky = ({ sky, light }: Palette, horizon: number, sun: { x: number; y: number }) =>
  `<defs>${gradient("sky", [[sky[0]], [sky[1]], [sky[2]]])}</defs>` +
  box(0, 0, WIDTH, horizon + 2, "url(#sky)") +
  oval(sun, 150, 150, light, 'opacity=".25"') +
  oval(sun, 92, 92, light, 'opacity=".9"');

export const drawClouds = (light: Colour) =>
  [
    [90, 180, 250],
    [170, 210, 320],
    [700, 130, 260],
    [640, 320, 300],
    [60, 420, 180],
  ]
    .map(([x, y, width]) => box(x!, y!, width!, 26, light, 13, 'opacity=".38"'))
    .join("");

/** A broad soft beam from a lamp at the top. */
export function drawBeam(id: string, x: number, to: number, spread: number, colour: Colour, opacity = 0.5): string {
  return (
    `<defs>${gradient(id, [
      [colour, opacity],
      [colour, 0],
    ])}</defs>` + shape(`M${x - 26} 60L${x + 26} 60L${to + spread} 1330L${to - spread} 1330Z`, `url(#${id})`)
  );
}

export const drawGlow = (id: string, { x, y }: { x: number; y: number }, r: number, colour: Colour, opacity = 0.7) =>
  `<defs>${glow(id, colour, opacity)}</defs>` + oval({ x, y }, r, r, `url(#${id})`);

/** A pot with long leaves, its foot at (x, y). */
export function drawPlant(x: number, y: number, scale: number, leaf: Colour, pot: Colour): string {
  const leaves = [
    [-70, -250],
    [-120, -170],
    [-30, -300],
    [40, -270],
    [96, -200],
    [130, -120],
  ];
  const each = leaves.map(([dx, dy], i) =>
    shape(
      `M0-70Q${dx! * 0.1} ${dy! * 0.9} ${dx} ${dy}Q${dx! * 0.9 + 34} ${dy! * 0.5} 0-70Z`,
      i % 2 ? leaf : shaded(leaf, 0.2),
    ),
  );
  const vase = shape("M-56-84L56-84L42 0L-42 0Z", pot) + shape("M14-84L56-84L42 0L22 0Z", shaded(pot), 'opacity=".5"');
  return group(each.join("") + vase, `transform="translate(${x} ${y}) scale(${scale})"`);
}

/** Somebody far off or from behind, in one colour: the audience, the visitors. */
export const drawGuest = (x: number, y: number, scale: number, fill: Colour) =>
  group(
    oval(at(0, -92), 36, 42, fill) + shape("M-92 130Q-96-20-44-40Q0-52 44-40Q96-20 92 130Z", fill),
    `transform="translate(${x} ${y}) scale(${scale})"`,
  );

export const drawAudience = (fill: Colour, back: Colour) =>
  [80, 250, 420, 600, 770, 950].map((x, i) => drawGuest(x, 1330 + (i % 2) * 14, 0.9, back)).join("") +
  [-10, 170, 350, 530, 710, 890, 1070].map((x, i) => drawGuest(x, 1424 + ((i * 7) % 3) * 10, 1.08, fill)).join("");

/** A curtain's folds between two edges. */
export function drawCurtain(from: number, to: number, cloth: Colour, down = HEIGHT): string {
  const folds = Math.max(2, Math.round((to - from) / 74));
  const wide = (to - from) / folds;
  return Array.from({ length: folds }, (_, i) => {
    const x = from + i * wide;
    return (
      box(x, 0, wide + 1, down, mix(cloth, shaded(cloth, 0.4), (i % 2) * 0.3)) +
      box(x + wide * 0.68, 0, wide * 0.32, down, shaded(cloth, 0.45), 0, 'opacity=".45"') +
      box(x + wide * 0.12, 0, wide * 0.14, down, lit(cloth, 0.2), 0, 'opacity=".35"')
    );
  }).join("");
}

/** A garland of warm lamps. */
export function drawGarland(from: number, to: number, y: number, sag: number, light: Colour): string {
  const lamps = Array.from({ length: 9 }, (_, i) => {
    const share = (i + 0.5) / 9;
    const lamp = at(from + (to - from) * share, y + 4 * sag * share * (1 - share) + 12);
    return oval(lamp, 26, 26, light, 'opacity=".22"') + oval(lamp, 10, 12, light);
  });
  return line(`M${from} ${y}Q${(from + to) / 2} ${y + 2 * sag} ${to} ${y}`, "#2b1f22", 3) + lamps.join("");
}

/** Planks or tiles running away from the eye, from the line `y` down. */
export function drawFloor(y: number, fill: Colour, id: string): string {
  const lines = [-900, -560, -300, -100, 100, 300, 560, 900]
    .map((dx) => `M${540 + dx * 0.42} ${y}L${540 + dx * 1.5} ${HEIGHT}`)
    .join("");
  return (
    `<defs>${gradient(id, [[lit(fill, 0.18)], [shaded(fill, 0.25)]])}</defs>` +
    box(0, y, WIDTH, HEIGHT - y, `url(#${id})`) +
    line(lines, shaded(fill, 0.3), 3, 'opacity=".35"')
  );
}

/** A wall that the light falls on from the left. */
export const drawWall = (id: string, from: Colour, to: Colour) =>
  `<defs>${gradient(id, [[from], [to]], { x: 1, y: 1 })}</defs>` + box(0, 0, WIDTH, HEIGHT, `url(#${id})`);
