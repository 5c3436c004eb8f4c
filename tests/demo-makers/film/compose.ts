import { seeded } from "./chance.ts";
import { addHall, createTape, fadeEnds, type Tape } from "./tape.ts";
import { bass, bell, brush, drum, flute, pad, pluck, type Voice } from "./voices.ts";
import { addWeather, type Weather } from "./weather.ts";

/** The steps of a scale, in keys above its root. */
export const SCALES = {
  bright: [0, 2, 4, 7, 9],
  warm: [0, 2, 4, 5, 7, 9, 11],
  quiet: [0, 3, 5, 7, 10],
  deep: [0, 2, 3, 5, 7, 8, 10],
  east: [0, 2, 5, 7, 9],
  dream: [0, 2, 4, 6, 7, 9, 11],
} as const;

const LEADS = { pluck, bell, flute } satisfies Record<string, Voice>;

export interface Piece {
  seed: number;
  /** The key of the scale's root, around 45 to 57. */
  root: number;
  scale: keyof typeof SCALES;
  bpm: number;
  lead: keyof typeof LEADS;
  /** Of eight beats how many the lead plays, about. */
  busy: number;
  beat?: boolean;
  weather?: Weather;
}

const CHORDS = [
  [0, 3, 4, 3],
  [0, 5, 3, 4],
  [0, 4, 5, 3],
  [0, 2, 3, 0],
];

/** The key `step` steps up a scale. */
function keyOf({ root, scale }: Piece, step: number): number {
  const steps: readonly number[] = SCALES[scale];
  const octave = Math.floor(step / steps.length);
  return root + octave * 12 + steps[step - octave * steps.length]!;
}

/** The music of a clip, always the same for the same piece. */
export function compose(piece: Piece, seconds: number): Tape {
  const tape = createTape(seconds);
  const random = seeded(piece.seed);
  const beatS = 60 / piece.bpm;
  const barS = beatS * 4;
  const chords = CHORDS[piece.seed % CHORDS.length]!;
  let step = 5;
  for (let bar = 0; bar * barS < seconds; bar++) {
    const chord = chords[bar % chords.length]!;
    layGround(tape, piece, chord, bar * barS, barS);
    step = leadOn(tape, piece, { chord, start: bar * barS, eighthS: beatS / 2, step }, random);
    if (piece.beat && bar > 0) keepBeat(tape, bar * barS, beatS, seconds);
  }
  addHall(tape, 0.9);
  if (piece.weather) addWeather(piece.weather, tape, seconds);
  fadeEnds(tape, 1.6);
  return tape;
}

function layGround(tape: Tape, piece: Piece, chord: number, start: number, barS: number): void {
  for (const [i, third] of [0, 2, 4].entries()) {
    pad(tape, start, barS, keyOf(piece, chord + third) + 12, 0.55, 0.3 + i * 0.2);
  }
  const low = keyOf(piece, chord) - (piece.root > 50 ? 12 : 0);
  bass(tape, start, barS * 0.9, low, piece.beat ? 0.7 : 0.4, 0.5);
  if (piece.beat) bass(tape, start + barS * 0.625, barS * 0.3, low, 0.5, 0.5);
}

interface Phrase {
  chord: number;
  start: number;
  eighthS: number;
  step: number;
}

/** A melody that wanders by small steps and comes home to its chord at each bar; where it ends. */
function leadOn(tape: Tape, piece: Piece, phrase: Phrase, random: () => number): number {
  const play = LEADS[piece.lead];
  let step = phrase.chord + (phrase.step > 7 ? 7 : 5);
  for (let eighth = 0; eighth < 8; eighth++) {
    if (eighth > 0 && random() > piece.busy / 8) continue;
    const loud = (eighth % 4 === 0 ? 0.75 : 0.5) * (0.8 + random() * 0.3);
    const late = random() * 0.015;
    const long = piece.lead === "flute" ? phrase.eighthS * 1.9 : phrase.eighthS;
    play(
      tape,
      phrase.start + eighth * phrase.eighthS + late,
      long,
      keyOf(piece, step) + 12,
      loud,
      0.3 + random() * 0.4,
    );
    step = Math.min(12, Math.max(2, step + Math.round((random() - 0.5) * 4)));
  }
  return step;
}

function keepBeat(tape: Tape, start: number, beatS: number, seconds: number): void {
  for (let half = 0; half < 8 && start + half * beatS * 0.5 < seconds - 0.5; half++) {
    const at = start + half * beatS * 0.5;
    if (half % 4 === 0) drum(tape, at, 0, 0, 0.6, 0.5);
    brush(tape, at, 0, half, half % 2 ? 0.5 : 0.3, half % 2 ? 0.65 : 0.35);
  }
}
