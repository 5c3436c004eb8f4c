import type { HairStyle, Look } from "./look.ts";
import { at, line, lit, oval, shape, shaded, type Colour } from "./svg.ts";

type Draw = (hair: Colour, deep: Colour) => string;

const SWEPT = "M-40 14C-48-30-34-66 4-66C40-66 48-30 40 12Q38-8 30-22Q18-26 6-40Q-8-22-30-18Q-38-6-40 14Z";
const PARTED = "M-40 12C-46-34-30-65 0-65C30-65 46-34 40 12Q37-14 24-28Q10-36 0-46Q-10-36-24-28Q-37-14-40 12Z";
const FRINGE = "M-40 16C-48-32-30-65 0-65C30-65 48-32 40 16Q39-4 36-14Q18-20 0-19Q-18-20-36-14Q-39-4-40 16Z";
const SHORT = "M-39 2C-46-36-30-64 2-65C34-65 44-38 39 2L36-16Q34-26 28-32Q4-28-20-38Q-32-30-35-16Z";

const shine = (hair: Colour) => line("M-27-38Q-16-54 4-57", lit(hair, 0.25), 3, 'opacity=".35"');

const BEHIND: Partial<Record<HairStyle, Draw>> = {
  bob: (_, deep) => shape("M-44-10C-52 20-50 44-44 54Q-20 62 0 58Q24 62 45 54C50 40 52 16 44-10Q20-60-20-50Z", deep),
  straight: (_, deep) =>
    shape("M-43-12C-52 40-54 110-52 158Q-34 170-20 164L20 164Q36 170 53 158C54 110 52 40 43-12Q0-60-43-12Z", deep),
  waves: (_, deep) =>
    shape(
      "M-42-16C-58 8-46 34-58 58C-70 82-52 104-62 130Q-44 156-16 146L16 146Q48 156 62 128C54 104 70 82 58 58C48 34 58 8 42-16Q0-60-42-16Z",
      deep,
    ),
  lowBun: (hair, deep) => oval(at(0, 44), 34, 22, deep) + oval(at(-34, 42), 17, 19, hair),
  topBun: (hair, deep) => oval(at(4, -72), 23, 19, deep) + oval(at(1, -75), 20, 16, hair),
  ponytail: (hair, deep) =>
    shape("M20-50C64-62 74-20 66 24C62 60 74 84 60 124Q44 96 44 60C44 20 40-6 16-30Z", deep) +
    line("M40-42C58-30 58 10 54 40", hair, 4, 'opacity=".7"'),
  curls: (_, deep) =>
    [
      [-44, -30, 22],
      [-52, -2, 20],
      [-50, 26, 20],
      [-40, 48, 18],
      [44, -30, 22],
      [52, -2, 20],
      [50, 26, 20],
      [40, 48, 18],
      [0, -52, 30],
      [-26, -50, 22],
      [26, -50, 22],
      [0, 20, 44],
    ]
      .map(([x, y, r]) => oval(at(x!, y!), r!, r!, deep))
      .join(""),
};

const FRONT: Record<HairStyle, Draw> = {
  bob: (hair, deep) =>
    shape(FRINGE, hair) +
    shape("M-41-6C-48 16-46 38-42 50Q-34 52-31 46C-36 26-36 8-34-14Z", hair) +
    shape("M41-6C48 16 47 38 43 50Q36 52 33 46C37 26 37 8 35-14Z", deep) +
    shine(hair),
  straight: (hair, deep) =>
    shape(PARTED, hair) +
    shape("M-41-22C-49 24-52 88-49 146Q-38 142-33 122C-33 84-40 40-29-22Z", hair) +
    shape("M41-22C49 24 52 88 49 146Q39 142 35 122C35 84 41 40 30-22Z", deep) +
    shine(hair),
  waves: (hair, deep) =>
    shape(SWEPT, hair) +
    shape(
      "M-40 0C-52 22-42 42-52 62C-60 82-46 100-52 122Q-40 130-30 112C-24 86-38 72-32 50C-28 34-40 20-34-12Z",
      hair,
    ) +
    shape("M40-4C52 22 44 42 54 62C62 82 48 100 54 120Q44 126 38 108C32 86 42 72 38 50C34 34 42 20 36-12Z", deep) +
    shine(hair),
  lowBun: (hair) => shape(PARTED, hair) + shine(hair),
  topBun: (hair) =>
    shape("M-40 10C-46-34-30-64 0-65C30-64 46-34 40 10Q38-20 26-34Q0-48-26-34Q-38-20-40 10Z", hair) + shine(hair),
  ponytail: (hair) => shape(SWEPT, hair) + shine(hair),
  pixie: (hair, deep) =>
    shape("M-41 22C-50-30-36-68 6-67C42-66 48-32 40 18Q36 2 34-12Q26-24 16-38Q-2-14-34-12Q-36 4-41 22Z", hair) +
    shape("M36-10Q41 2 38 20Q33 8 33-8Z", deep) +
    shine(hair),
  curls: (hair) =>
    [
      [-30, -38, 17],
      [-10, -50, 18],
      [14, -50, 18],
      [32, -36, 16],
      [-38, -18, 11],
      [39, -16, 10],
      [0, -38, 10],
      [-18, -34, 9],
      [20, -35, 9],
    ]
      .map(([x, y, r]) => oval(at(x!, y!), r!, r!, hair))
      .join("") + line("M-30-48Q-20-58-8-56M4-58Q16-60 24-52", lit(hair, 0.25), 2.5, 'opacity=".5"'),
  sidePart: (hair, deep) =>
    shape(SHORT, hair) +
    shape("M-35-16L-40 8Q-36 12-34 4ZM36-16L40 8Q36 12 34 4Z", deep) +
    line("M-20-38Q-14-54-6-62", deep, 2) +
    shine(hair),
  quiff: (hair, deep) =>
    shape("M-38 4Q-42-20-36-34L-30-34Q-36-14-35-2ZM38 4Q42-20 36-34L30-34Q36-14 35-2Z", deep) +
    shape("M-37-26C-44-58-14-78 14-74C42-72 46-46 37-24Q30-36 20-38Q-6-32-28-38Q-34-34-37-26Z", hair) +
    shine(hair),
  crop: (hair, deep) =>
    shape(
      "M-39 4C-46-34-30-64 0-65C30-65 46-34 39 4L35-14Q34-22 30-24Q20-16 8-24Q-4-14-16-23Q-26-16-31-22Q-34-18-35-14Z",
      hair,
    ) +
    shape("M-35-14L-39 8Q-35 10-34 2ZM35-14L39 8Q35 10 34 2Z", deep) +
    shine(hair),
  scarf: (cloth, deep) =>
    shape(
      "M-46 20C-56-36-34-72 2-72C38-72 58-36 46 20C44 60 62 84 74 102Q0 140-74 102C-62 84-44 60-46 20ZM-33 2C-31 26-26 38-14 46Q1 55 16 46C28 38 33 26 34 2C34-32 22-46 0-46C-22-46-34-32-33 2Z",
      cloth,
      'fill-rule="evenodd"',
    ) +
    line("M-42 36Q-10 78 44 60M-58 84Q-10 108 50 84", deep, 3, 'opacity=".7"') +
    line("M-30-52Q-10-66 14-64", lit(cloth, 0.4), 3, 'opacity=".5"'),
};

/** What hangs behind the head and the shoulders. */
export const hairBehind = ({ hairStyle, hair }: Look): string => BEHIND[hairStyle]?.(hair, shaded(hair, 0.35)) ?? "";

/** What frames the face. A scarf is of the inner cloth. */
export function hairInFront({ hairStyle, hair, inner }: Look): string {
  const colour = hairStyle === "scarf" ? inner : hair;
  return FRONT[hairStyle](colour, shaded(colour, hairStyle === "scarf" ? 0.18 : 0.3));
}
