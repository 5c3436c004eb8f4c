/**
 * How a prize is labelled on its sector, depending on the room: along the radius from the rim inwards or, where no text
 * fits, as a picture on a pin. The list of chances names every prize.
 */
export type Label =
  | { kind: "along"; middle: number; width: number; lines: number; hasPicture: boolean; isFlipped: boolean }
  | { kind: "pin"; middle: number; depth: number };

const ALONG_FROM_DEG = 10;
const PICTURE_FROM_DEG = 14;
/** Distance of the text's middle from the centre of the wheel, in px. */
const ALONG_AT = 68;
const LINE = 12;
const MOST_LINES = 3;
/** Neighbouring pins stand at different depths, so that they do not overlap. */
const DEPTHS = 3;

const chord = (degrees: number) => 2 * ALONG_AT * Math.sin((Math.min(degrees, 180) / 2) * (Math.PI / 180));

/** One label per sector, in order around the wheel. */
export function labelsOf(sectors: readonly { from: number; to: number }[]): Label[] {
  let pins = 0;
  return sectors.map(({ from, to }): Label => {
    const wide = to - from;
    const middle = (from + to) / 2;
    if (wide < ALONG_FROM_DEG) return { kind: "pin", middle, depth: pins++ % DEPTHS };
    pins = 0;
    const width = Math.min(chord(wide), MOST_LINES * LINE);
    const lines = Math.max(1, Math.floor(width / LINE));
    return { kind: "along", middle, width, lines, hasPicture: wide >= PICTURE_FROM_DEG, isFlipped: middle > 180 };
  });
}
