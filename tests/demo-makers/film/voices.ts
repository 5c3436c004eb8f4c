import { hiss, record, RATE, type Tape } from "./tape.ts";

const TURN = 2 * Math.PI;
/** How many times a second a key of the piano swings; 69 is the A of 440. */
export const pitch = (key: number) => 440 * 2 ** ((key - 69) / 12);

/** Plays a note: from when, how long, which key, how loud, where from left (0) to right (1). */
export type Voice = (tape: Tape, start: number, seconds: number, key: number, loud: number, side: number) => void;

/** Many soft strings that swell and go. */
export const pad: Voice = (tape, start, seconds, key, loud, side) => {
  const f = pitch(key);
  for (const [detune, shift] of [
    [0.997, -0.25],
    [1.003, 0.25],
  ] as const) {
    record(tape, start, seconds + 1.5, Math.min(1, Math.max(0, side + shift)), (t) => {
      const shape = Math.min(1, t / (seconds * 0.4)) * Math.min(1, Math.max(0, (seconds + 1.5 - t) / 1.5));
      const phase = TURN * f * detune * t;
      const bright = 0.4 + 0.25 * Math.sin(t * 1.1 + key);
      const tone =
        Math.sin(phase) + bright * (Math.sin(2 * phase) / 2 + (Math.sin(3 * phase) + Math.sin(5 * phase) / 3) / 4);
      return tone * shape * loud * 0.16;
    });
  }
};

/** A plucked string (after Karplus and Strong). */
export const pluck: Voice = (tape, start, seconds, key, loud, side) => {
  const noise = hiss(key * 31 + Math.floor(start * 97));
  const line = Float32Array.from({ length: Math.max(2, Math.round(RATE / pitch(key))) }, noise);
  for (let round = 0; round < 3; round++) line.forEach((value, i) => (line[i] = (value + line.at(i - 1)!) / 2));
  let at = 0;
  record(tape, start, seconds + 2, side, (t) => {
    const value = line[at]!;
    const next = (at + 1) % line.length;
    line[at] = (value + line[next]!) * 0.4985;
    at = next;
    return value * loud * 0.7 * Math.min(1, seconds + 2 - t);
  });
};

/** A small bell or a music box. */
export const bell: Voice = (tape, start, _seconds, key, loud, side) => {
  const f = pitch(key);
  record(tape, start, 3, side, (t) => {
    const strike = Math.sin(TURN * f * 3.01 * t) * Math.exp(-t * 7) * 1.4;
    return Math.sin(TURN * f * t + strike) * Math.exp(-t * 2.1) * Math.min(1, t * 400) * loud * 0.35;
  });
};

/** A wooden flute with breath in it. */
export const flute: Voice = (tape, start, seconds, key, loud, side) => {
  const f = pitch(key);
  const noise = hiss(key + Math.floor(start * 13));
  let breath = 0;
  record(tape, start, seconds, side, (t) => {
    const shape = Math.min(1, t / 0.12, Math.max(0, (seconds - t) / 0.25));
    const phase = TURN * f * t + 0.35 * Math.min(1, t) * Math.sin(TURN * 4.8 * t);
    breath += (noise() - breath) * 0.12;
    return (Math.sin(phase) + 0.22 * Math.sin(2 * phase) + breath * 0.16) * shape * loud * 0.3;
  });
};

export const bass: Voice = (tape, start, seconds, key, loud, side) => {
  const f = pitch(key);
  record(tape, start, seconds, side, (t) => {
    const shape = Math.min(1, t * 60, Math.max(0, (seconds - t) * 8)) * Math.exp(-t * 0.9);
    return Math.tanh(1.5 * Math.sin(TURN * f * t)) * shape * loud * 0.42;
  });
};

/** A soft drum; the key does not matter, nor does it for the brush. */
export const drum: Voice = (tape, start, _seconds, _key, loud, side) => {
  record(tape, start, 0.4, side, (t) => {
    const sweep = 48 * t + 60 * (1 - Math.exp(-t * 26)) * (1 / 26);
    return Math.sin(TURN * sweep) * Math.exp(-t * 9) * loud * 0.9;
  });
};

export const brush: Voice = (tape, start, _seconds, key, loud, side) => {
  const noise = hiss(Math.floor(start * 1000) + key);
  let dull = 0;
  record(tape, start, 0.16, side, (t) => {
    const value = noise();
    dull += (value - dull) * 0.4;
    return (value - dull) * Math.exp(-t * 32) * loud * 0.25;
  });
};
