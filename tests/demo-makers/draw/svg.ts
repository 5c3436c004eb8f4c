/** A colour as `#rrggbb`. */
export type Colour = `#${string}`;

export interface Point {
  x: number;
  y: number;
}

export const at = (x: number, y: number): Point => ({ x, y });

const fixed = (value: number) => String(Math.round(value * 10) / 10);

/** A filled shape; `more` are further attributes. */
export const shape = (d: string, fill: string, more = "") => `<path d="${d}" fill="${fill}" ${more}/>`;

/** A drawn line with round ends. */
export const line = (d: string, stroke: string, width: number, more = "") =>
  `<path d="${d}" fill="none" stroke="${stroke}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round" ${more}/>`;

export const oval = ({ x, y }: Point, rx: number, ry: number, fill: string, more = "") =>
  `<ellipse cx="${fixed(x)}" cy="${fixed(y)}" rx="${fixed(rx)}" ry="${fixed(ry)}" fill="${fill}" ${more}/>`;

export const box = (x: number, y: number, width: number, height: number, fill: string, radius = 0, more = "") =>
  `<rect x="${fixed(x)}" y="${fixed(y)}" width="${fixed(width)}" height="${fixed(height)}" rx="${radius}" fill="${fill}" ${more}/>`;

export const group = (inner: string, attributes: string) => `<g ${attributes}>${inner}</g>`;

/** A colour between two, `share` of the way from the first to the second. */
export function mix(from: Colour, to: Colour, share: number): Colour {
  const part = (colour: Colour, i: number) => Number.parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16);
  const mixed = [0, 1, 2].map((i) => Math.round(part(from, i) + (part(to, i) - part(from, i)) * share));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** Darker and a little warmer, as cloth and skin are in the shade. */
export const shaded = (colour: Colour, share = 0.22) => mix(colour, "#2a1426", share);
export const lit = (colour: Colour, share = 0.2) => mix(colour, "#fff4e2", share);

/** A gradient's definition: from the top, or with `toX` sideways. Stops are colour, or colour and opacity. */
export function gradient(id: string, stops: [Colour, number?][], to = { x: 0, y: 1 }): string {
  const each = stops.map(
    ([colour, opacity = 1], i) =>
      `<stop offset="${fixed(i / (stops.length - 1))}" stop-color="${colour}" stop-opacity="${opacity}"/>`,
  );
  return `<linearGradient id="${id}" x1="0" y1="0" x2="${to.x}" y2="${to.y}">${each.join("")}</linearGradient>`;
}

/** A soft round light. */
export const glow = (id: string, colour: Colour, opacity: number) =>
  `<radialGradient id="${id}"><stop stop-color="${colour}" stop-opacity="${opacity}"/><stop offset="1" stop-color="${colour}" stop-opacity="0"/></radialGradient>`;

/** A limb through points, each with its half width: round at the joints, tapered between. */
export function limb(points: readonly (Point & { half: number })[], fill: string): string {
  const parts = points.map((point) => oval(point, point.half, point.half, fill));
  for (const [i, a] of points.entries()) {
    const b = points[i + 1];
    if (!b) break;
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const nx = (a.y - b.y) / length;
    const ny = (b.x - a.x) / length;
    const corner = (p: typeof a, side: number) =>
      `${fixed(p.x + nx * p.half * side)} ${fixed(p.y + ny * p.half * side)}`;
    parts.push(shape(`M${corner(a, 1)}L${corner(b, 1)}L${corner(b, -1)}L${corner(a, -1)}Z`, fill));
  }
  return parts.join("");
}
