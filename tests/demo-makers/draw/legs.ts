import { BUILDS, type Build, type Garment, type Look } from "./look.ts";
import { at, line, lit, oval, shape, shaded, type Colour } from "./svg.ts";

const FLOOR = 770;

const shoes = (x: number, colour: Colour) =>
  oval(at(-x - 4, FLOOR - 4), 24, 9, colour) + oval(at(x + 6, FLOOR - 4), 24, 9, shaded(colour));

function trousers({ waist: w, hip: h }: Build, cloth: Colour, wide: number): string {
  const deep = shaded(cloth, 0.2);
  return (
    shoes(34, "#2b1f22") +
    shape(
      `M2 280L${w} 262Q${h + 4} 320 ${h} 360Q${h + 2} 500 ${38 + wide} ${FLOOR - 8}L${22 - wide / 2} ${FLOOR - 8}Q12 560 2 392Z`,
      deep,
    ) +
    shape(
      `M${w} 262L-${w} 262Q-${h + 4} 320-${h} 360Q-${h} 520-${38 + wide} ${FLOOR - 8}L-${20 - wide / 2} ${FLOOR - 8}Q-6 560 4 396L6 262Z`,
      cloth,
    ) +
    line(`M-36 370Q-38 560-${30 + wide / 2} ${FLOOR - 20}`, deep, 2)
  );
}

/** A long skirt, `sweep` wide at the floor, from `top`. */
function skirt({ waist: w }: Build, cloth: Colour, sweep: number, top = 264): string {
  const deep = shaded(cloth, 0.22);
  return (
    shoes(20, "#3a2620") +
    shape(
      `M-${w} ${top}C-${w + 22} ${top + 120}-${sweep - 14} 600-${sweep} ${FLOOR - 6}Q0 ${FLOOR + 10} ${sweep} ${FLOOR - 6}C${sweep - 14} 600 ${w + 22} ${top + 120} ${w} ${top}Z`,
      cloth,
    ) +
    shape(
      `M${w - 16} ${top}C${w} ${top + 140} ${sweep - 60} 600 ${sweep - 54} ${FLOOR - 1}L${sweep} ${FLOOR - 6}C${sweep - 14} 600 ${w + 22} ${top + 120} ${w} ${top}Z`,
      deep,
      'opacity=".55"',
    ) +
    line(
      `M-${w - 26} ${top + 30}Q-${w + 4} 560-${sweep - 40} ${FLOOR - 12}M-4 ${top + 60}Q-10 560-${sweep / 5} ${FLOOR - 6}`,
      deep,
      2.4,
      'opacity=".7"',
    )
  );
}

function aodaiPanels(build: Build, cloth: Colour, inner: Colour): string {
  return (
    trousers(build, "#fbf3e6", 16) +
    shape(
      `M-${build.waist} 258Q-${build.hip + 8} 340-${build.hip - 4} 420L-${build.hip + 2} 716Q0 732 ${build.hip - 4} 716L${build.hip - 6} 420Q${build.hip + 6} 340 ${build.waist} 258Z`,
      cloth,
    ) +
    line("M-30 380Q-36 560-38 706M22 420Q24 560 20 708", shaded(cloth, 0.2), 2) +
    [
      [-20, 690, 9],
      [4, 676, 11],
      [26, 694, 8],
      [-36, 668, 6],
      [16, 648, 6],
      [-8, 636, 5],
    ]
      .map(([x, y, r]) => oval(at(x!, y!), r!, r!, inner, 'opacity=".85"'))
      .join("")
  );
}

const DRAW: Record<Garment, (cloth: Colour, inner: Colour, build: Build) => string> = {
  blazer: (cloth, _, build) => trousers(build, shaded(cloth, 0.12), 8),
  suit: (cloth, _, build) => trousers(build, cloth, 0),
  tuxedo: (cloth, _, build) => trousers(build, shaded(cloth, 0.2), 0),
  gown: (cloth, _, build) => skirt(build, cloth, 128),
  dress: (cloth, _, build) => skirt(build, cloth, 98),
  aodai: (cloth, inner, build) => aodaiPanels(build, cloth, inner),
  hanbok: (_, inner, build) => skirt({ ...build, waist: build.waist + 12 }, inner, 150, 186),
  kimono: (cloth, inner, build) =>
    skirt({ ...build, waist: build.waist + 4 }, cloth, 62, 268) + line("M-6 280Q10 520 34 762", lit(inner, 0.4), 4),
  turtleneck: (_, inner, build) => trousers(build, inner, 10),
  shirt: (_, inner, build) => trousers(build, shaded(inner, 0.3), 4),
};

/** Waist to floor, which is at y = 770. */
export const drawLegs = (look: Look): string => DRAW[look.garment](look.cloth, look.inner, BUILDS[look.build]);
