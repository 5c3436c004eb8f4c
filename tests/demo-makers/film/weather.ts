import { hiss, record, type Tape } from "./tape.ts";

/** What is heard round the music, for the whole of a tape. */
export type Weather = "rain" | "sea" | "wind" | "crickets" | "brook" | "street";

const TURN = 2 * Math.PI;

/** Noise without what is lower and higher: `dull` takes the high away, `thin` the low. */
function breeze(seed: number, dull: number, thin: number): () => number {
  const noise = hiss(seed);
  let low = 0;
  let lower = 0;
  return () => {
    low += (noise() - low) * dull;
    lower += (low - lower) * thin;
    return low - lower;
  };
}

/** For each side its own noise, swelling as `swell` says. */
function blow(tape: Tape, seconds: number, dull: number, thin: number, swell: (t: number) => number): void {
  for (const side of [0.12, 0.88]) {
    const noise = breeze(side * 100, dull, thin);
    record(tape, 0, seconds, side, (t) => noise() * swell(t + side));
  }
}

/** Short soft notes at chance times. */
function drip(tape: Tape, seconds: number, perSecond: number, f: number, loud: number): void {
  const chance = hiss(5);
  for (let start = 0.1; start < seconds - 0.3; start += (1.05 + chance()) / perSecond) {
    const tone = f * (1.4 + chance() * 0.6);
    record(tape, start, 0.12, 0.5 + chance() * 0.45, (t) => {
      return Math.sin(TURN * tone * t * (1 + t * 2)) * Math.exp(-t * 45) * Math.min(1, t * 900) * loud;
    });
  }
}

function chirp(tape: Tape, seconds: number): void {
  for (const [side, tone, beat] of [
    [0.2, 4300, 1.13],
    [0.8, 4750, 1.49],
    [0.55, 3900, 1.91],
  ] as const) {
    record(tape, 0, seconds, side, (t) => {
      const turn = (t + side) % beat;
      const call = turn < 0.42 ? Math.max(0, Math.sin(TURN * 17 * turn)) * Math.sin((Math.PI * turn) / 0.42) : 0;
      return Math.sin(TURN * tone * t) * call * 0.035;
    });
  }
}

const WEATHERS: Record<Weather, (tape: Tape, seconds: number) => void> = {
  rain(tape, seconds) {
    blow(tape, seconds, 0.5, 0.06, (t) => 0.11 + 0.03 * Math.sin(t * 0.5));
    drip(tape, seconds, 26, 1300, 0.05);
  },
  sea: (tape, seconds) =>
    blow(tape, seconds, 0.16, 0.004, (t) => 0.05 + 0.42 * Math.max(0, Math.sin((TURN * t) / 7.5 - 0.6)) ** 2.2),
  wind: (tape, seconds) =>
    blow(tape, seconds, 0.035, 0.004, (t) => 0.35 + 0.25 * Math.sin(t * 0.7) + 0.15 * Math.sin(t * 1.9)),
  crickets(tape, seconds) {
    chirp(tape, seconds);
    blow(tape, seconds, 0.03, 0.004, () => 0.12);
  },
  brook(tape, seconds) {
    blow(tape, seconds, 0.2, 0.05, (t) => 0.1 + 0.02 * Math.sin(t * 3));
    drip(tape, seconds, 14, 520, 0.07);
  },
  street: (tape, seconds) =>
    blow(tape, seconds, 0.02, 0.003, (t) => 0.3 + 0.25 * Math.max(0, Math.sin((TURN * t) / 5)) ** 3),
};

export const addWeather = (weather: Weather, tape: Tape, seconds: number) => WEATHERS[weather](tape, seconds);
