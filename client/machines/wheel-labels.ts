/**
 * How a prize is labelled on its sector, depending on the room: across it below the picture, along the radius, or,
 * where no text fits, as a picture on a pin. The list of chances names every prize.
 */
export type Label =
  | { kind: "across"; middle: number; width: number }
  | { kind: "along"; middle: number; width: number; lines: number; hasPicture: boolean; isFlipped: boolean }
  | { kind: "pin"; middle: number; depth: number };

const ACROSS_FROM_DEG = 40;
const ALONG_FROM_DEG = 10;
const PICTURE_FROM_DEG = 14;
/** Distance of the text from the centre of the wheel, in px. */
const ACROSS_AT = 84;
const ALONG_AT = 68;
const WIDEST = 104;
const LINE = 12;
const MOST_LINES = 3;
/** Neighbouring pins stand at different depths, so that they do not overlap. */
const DEPTHS = 3;

const chord = (radius: number, degrees: number) =>
  2 * radius * Math.sin((Math.min(degrees, 180) / 2) * (Math.PI / 180));

/** One label per sector, in order around the wheel. */
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
