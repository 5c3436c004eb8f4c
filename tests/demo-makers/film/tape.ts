import { seeded } from "./chance.ts";

export const RATE = 44_100;

/** Sound, left and right, -1 to 1. */
export interface Tape {
  left: Float32Array;
  right: Float32Array;
}

export const createTape = (seconds: number): Tape => ({
  left: new Float32Array(seconds * RATE),
  right: new Float32Array(seconds * RATE),
});

/** Adds a sound of `seconds` from `start` on, `side` from 0 left to 1 right; `sampleAt` is asked in turn. */
export function record(
  { left, right }: Tape,
  start: number,
  seconds: number,
  side: number,
  sampleAt: (t: number) => number,
): void {
  const first = Math.floor(start * RATE);
  const count = Math.min(Math.floor(seconds * RATE), left.length - first);
  const toLeft = Math.cos((side * Math.PI) / 2);
  const toRight = Math.sin((side * Math.PI) / 2);
  for (let i = 0; i < count; i++) {
    const sample = sampleAt(i / RATE);
    left[first + i]! += sample * toLeft;
    right[first + i]! += sample * toRight;
  }
}

/** Delays in samples that have no common beat, for the left side; the right's are a little longer. */
const COMBS = [1557, 1617, 1491, 1422, 1277, 1356];
const PASSES = [225, 556, 441];

/** A hall round the sound (after Schroeder): combs side by side, then all-pass filters. */
export function addHall(tape: Tape, share: number): void {
  for (const [channel, longer] of [
    [tape.left, 0],
    [tape.right, 23],
  ] as const) {
    const hall = new Float32Array(channel.length);
    for (const delay of COMBS) addComb(channel, hall, delay + longer);
    for (const delay of PASSES) passAll(hall, delay + longer);
    for (let i = 0; i < channel.length; i++) channel[i] = channel[i]! * (1 - share * 0.4) + hall[i]! * share * 0.22;
  }
}

function addComb(from: Float32Array, to: Float32Array, delay: number): void {
  const line = new Float32Array(delay);
  let dull = 0;
  for (let i = 0, at = 0; i < from.length; i++, at = (at + 1) % delay) {
    const heard = line[at]!;
    dull += (heard - dull) * 0.6;
    line[at] = from[i]! + dull * 0.86;
    to[i]! += heard;
  }
}

function passAll(channel: Float32Array, delay: number): void {
  const line = new Float32Array(delay);
  for (let i = 0, at = 0; i < channel.length; i++, at = (at + 1) % delay) {
    const heard = line[at]!;
    line[at] = channel[i]! + heard * 0.5;
    channel[i] = heard - channel[i]! * 0.5;
  }
}

/** Lets it come and go. */
export function fadeEnds({ left, right }: Tape, seconds: number): void {
  const count = seconds * RATE;
  for (let i = 0; i < count; i++) {
    for (const channel of [left, right]) {
      channel[i]! *= Math.min(1, (i / count) * 2);
      channel[channel.length - 1 - i]! *= i / count;
    }
  }
}

/** White noise, the same every time. */
export function hiss(seed: number): () => number {
  const random = seeded(seed);
  return () => random() * 2 - 1;
}

/** As a WAV file of 16 bits. */
export function toWav({ left, right }: Tape): Buffer {
  let peak = 0.001;
  for (let i = 0; i < left.length; i++) peak = Math.max(peak, Math.abs(left[i]!), Math.abs(right[i]!));
  const wav = Buffer.alloc(44 + left.length * 4);
  wav.write("RIFF", 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write("WAVEfmt ", 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(2, 22);
  wav.writeUInt32LE(RATE, 24);
  wav.writeUInt32LE(RATE * 4, 28);
  wav.writeUInt16LE(4, 32);
  wav.writeUInt16LE(16, 34);
  wav.write("data", 36);
  wav.writeUInt32LE(left.length * 4, 40);
  for (let i = 0; i < left.length; i++) {
    wav.writeInt16LE(Math.round((left[i]! / peak) * 28_000), 44 + i * 4);
    wav.writeInt16LE(Math.round((right[i]! / peak) * 28_000), 46 + i * 4);
  }
  return wav;
}
