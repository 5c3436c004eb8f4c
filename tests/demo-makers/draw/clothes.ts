import { BUILDS, type Build, type Garment, type Look } from "./look.ts";
import { at, box, line, lit, oval, shape, shaded, type Colour } from "./svg.ts";

type Draw = (cloth: Colour, inner: Colour, build: Build) => string;

/** Neck to hip, in one piece. */
const torso = ({ shoulder: s, waist: w, hip: h }: Build, neck = 20, dip = 94) =>
  `M-${neck} 78C-${neck + 6} 90-${s - 26} 90-${s - 8} 100Q-${s} 104-${s - 1} 120C-${s - 14} 170-${w} 210-${w} 262Q-${w + 2} 310-${h} 350L${h} 350Q${w + 2} 310 ${w} 262C${w} 210 ${s - 14} 170 ${s - 1} 120Q${s} 104 ${s - 8} 100C${s - 26} 90 ${neck + 6} 90 ${neck} 78Q0 ${dip}-${neck} 78Z`;

/** The side away from the light. */
const shadow = ({ shoulder: s, waist: w, hip: h }: Build, cloth: Colour) =>
  shape(
    `M${s - 8} 100Q${s} 104 ${s - 1} 120C${s - 14} 170 ${w} 210 ${w} 262Q${w + 2} 310 ${h} 350L${h - 26} 350Q${w - 20} 300 ${w - 18} 250C${w - 14} 200 ${s - 44} 160 ${s - 30} 100Z`,
    shaded(cloth),
    'opacity=".45"',
  );

const jacket: Draw = (cloth, inner, build) =>
  shape(torso(build, 22), cloth) +
  shadow(build, cloth) +
  shape("M-23 76Q0 92 23 76L4 206L-4 206Z", inner) +
  shape("M-22 78L-40 92L-36 122L-46 126L-2 214L2 206L-16 120Z", shaded(cloth, 0.16)) +
  shape("M22 78L40 92L36 122L46 126L0 218L-4 206L16 120Z", shaded(cloth, 0.3)) +
  oval(at(2, 236), 3.6, 3.6, shaded(cloth, 0.5)) +
  line(`M0 216L3 350`, shaded(cloth, 0.4), 1.6) +
  line(
    `M-${build.waist - 12} 282L-${build.waist - 38} 279M${build.waist - 38} 279L${build.waist - 12} 282`,
    shaded(cloth, 0.4),
    2,
  );

const collar = (colour: Colour) =>
  shape("M-20 72L-27 86L-10 106L0 92L10 106L27 86L20 72Q0 90-20 72Z", lit(colour, 0.5)) +
  line("M-10 106L0 92L10 106", shaded(colour, 0.2), 1.6);

const DRAW: Record<Garment, Draw> = {
  blazer: jacket,
  suit: (cloth, inner, build) =>
    jacket(cloth, "#fdf6ea", build) +
    shape("M-5 96L5 96L9 190L0 208L-9 190Z", inner) +
    shape("M-6 92L6 92L4 103L-4 103Z", shaded(inner)) +
    collar("#fdf6ea"),
  tuxedo: (cloth, inner, build) =>
    jacket(cloth, "#fdf6ea", build) +
    collar("#fdf6ea") +
    shape("M0 95L-17 87L-17 104ZM0 95L17 87L17 104Z", inner) +
    oval(at(0, 95.5), 4, 5, shaded(inner)) +
    [124, 144, 164].map((y) => oval(at(0, y), 2, 2, "#2b1f22")).join(""),
  gown: (cloth, inner, build) =>
    shape(torso(build, 34), cloth) +
    shadow(build, cloth) +
    line("M-36 84Q0 116 36 84", inner, 4) +
    shape(`M-${build.waist} 256Q0 270 ${build.waist} 256L${build.waist} 272Q0 286-${build.waist} 272Z`, inner),
  dress: (cloth, inner, build) =>
    shape(torso(build, 22), cloth) +
    shadow(build, cloth) +
    shape("M-22 78L-14 80L10 128L2 134ZM22 78L14 80L-18 150L-8 156Z", shaded(cloth, 0.25)) +
    shape("M-14 81Q0 92 14 81L4 110Z", lit(cloth, 0.55)) +
    shape(`M-${build.waist + 1} 254L${build.waist + 1} 254L${build.waist + 2} 274L-${build.waist + 2} 274Z`, inner) +
    box(-8, 252, 16, 24, "none", 3, `stroke="${lit(inner, 0.6)}" stroke-width="3"`),
  aodai: (cloth, inner, build) =>
    shape(torso(build, 20), cloth) +
    shadow(build, cloth) +
    shape("M-20 60Q0 76 20 60L21 84Q0 98-21 84Z", shaded(cloth, 0.14)) +
    line("M-2 92Q-36 104-58 148", shaded(cloth, 0.3), 2.4) +
    [
      [-14, 96],
      [-34, 110],
      [-50, 132],
    ]
      .map(([x, y]) => oval(at(x!, y!), 3, 3, inner))
      .join("") +
    [
      [34, 150],
      [22, 168],
      [40, 176],
      [26, 194],
    ]
      .map(([x, y], i) => oval(at(x!, y!), 7 - i, 7 - i, inner, 'opacity=".85"'))
      .join(""),
  hanbok: (cloth, inner, build) =>
    shape(torso(build, 20), inner) +
    shape(
      `M-20 76C-30 90-${build.shoulder - 24} 88-${build.shoulder - 6} 99Q-${build.shoulder + 2} 104-${build.shoulder} 120L-${build.shoulder - 16} 196Q0 212 ${build.shoulder - 16} 196L${build.shoulder} 120Q${build.shoulder + 2} 104 ${build.shoulder - 6} 99C${build.shoulder - 24} 88 30 90 20 76Z`,
      cloth,
    ) +
    shape("M-22 76L-12 78L12 130L2 142Z", "#f1e3cd") +
    shape("M22 76L12 78L-16 150L-4 158Z", "#fffaf2") +
    line("M8 152Q-10 150-14 162Q0 168 8 152Q30 150 28 164Q16 166 8 152", inner, 5) +
    line("M8 156L2 236M10 156L18 250", inner, 8),
  kimono: (cloth, inner, build) =>
    shape(torso(build, 22, 160), cloth) +
    shadow(build, cloth) +
    shape("M-24 76L-12 77L12 130L2 146Z", "#fdf6ea") +
    shape("M-32 84L-24 78L6 148L-2 160Z", shaded(cloth, 0.3)) +
    shape("M24 76L12 77L-38 206L-22 206Z", "#fdf6ea") +
    shape("M32 84L24 78L-26 206L-10 206Z", shaded(cloth, 0.3)) +
    shape(`M-${build.waist + 7} 204L${build.waist + 7} 204L${build.waist + 4} 272L-${build.waist + 4} 272Z`, inner) +
    box(-build.waist - 6, 232, 2 * build.waist + 12, 9, lit(inner, 0.55)),
  turtleneck: (cloth, inner, build) =>
    shape(torso(build, 22), cloth) +
    shadow(build, cloth) +
    shape("M-20 56Q0 70 20 56L24 88Q0 104-24 88Z", lit(cloth, 0.12)) +
    line("M-21 74Q0 90 21 74", shaded(cloth, 0.2), 1.8) +
    (build.shoulder > 90 ? "" : line("M-18 96Q0 150 20 96", inner, 2.4) + oval(at(1, 128), 6, 6, inner)),
  shirt: (cloth, inner, build) =>
    shape(torso(build, 22), cloth) +
    shadow(build, cloth) +
    collar(cloth) +
    line("M0 96L0 350", shaded(cloth, 0.2), 1.6) +
    [126, 160, 194, 228].map((y) => oval(at(4, y), 2.2, 2.2, shaded(cloth, 0.35))).join("") +
    shape(
      `M-22 80L-46 94L-${build.waist + 6} 262L-${build.hip} 350L-26 350L-20 200ZM22 80L46 94L${build.waist + 6} 262L${build.hip} 350L26 350L20 200Z`,
      inner,
    ),
};

/** Neck to hip. */
export const drawClothes = (look: Look): string => DRAW[look.garment](look.cloth, look.inner, BUILDS[look.build]);
