/**
 * How a prize is written on its part of the wheel, by the room that there is: across it below its picture, along the
 * radius, or, where no letter fits, only its picture on a pin. The list of chances names them all.
 */
export type Label =
  | { kind: "across"; middle: number; width: number }
  | { kind: "along"; middle: number; width: number; lines: number; hasPicture: boolean; isFlipped: boolean }
  | { kind: "pin"; middle: number; depth: number };

const ACROSS_FROM_DEG = 40;
const ALONG_FROM_DEG = 10;
const PICTURE_FROM_DEG = 14;
/** Where the letters stand, from the middle of the wheel. */
const ACROSS_AT = 84;
const ALONG_AT = 68;
const WIDEST = 104;
const LINE = 12;
const MOST_LINES = 3;
/** Pins side by side stand at several depths, not on each other. */
const DEPTHS = 3;

const chord = (radius: number, degrees: number) =>
  2 * radius * Math.sin((Math.min(degrees, 180) / 2) * (Math.PI / 180));

/** The labels of sectors that follow each other. */
export function labelsOf(sectors: readonly { from: number; to: number }[]): Label[] {
  let pins = 0;
  return sectors.map(({ from, to }): Label => {
    const wide = to - from;
    const middle = (from + to) / 2;
    if (wide < ALONG_FROM_DEG) return { kind: "pin", middle, depth: pins++ % DEPTHS };
    pins = 0;
    if (wide >= ACROSS_FROM_DEG) return { kind: "across", middle, width: Math.min(WIDEST, chord(ACROSS_AT, wide)) };
    const width = chord(ALONG_AT, wide);
    const lines = Math.min(MOST_LINES, Math.max(1, Math.floor(width / LINE)));
    return { kind: "along", middle, width, lines, hasPicture: wide >= PICTURE_FROM_DEG, isFlipped: middle > 180 };
  });
}
