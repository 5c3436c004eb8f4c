import { readStored } from "#client/storage/local-storage.ts";

/** What is heard and felt at the table. */
export type Cue = "dice" | "closing" | "settled" | "won";

interface Tone {
  hertz: number;
  /** Seconds from the cue. */
  at: number;
  seconds: number;
}

/** Dice land one after the other, as they do on the screen. A result has one tone; only a net above zero has a brighter one. */
const TONES: Record<Cue, readonly Tone[]> = {
  dice: [
    { hertz: 190, at: 0.35, seconds: 0.05 },
    { hertz: 160, at: 0.5, seconds: 0.05 },
    { hertz: 140, at: 0.65, seconds: 0.07 },
  ],
  closing: [{ hertz: 587, at: 0, seconds: 0.12 }],
  settled: [{ hertz: 392, at: 0, seconds: 0.2 }],
  won: [{ hertz: 784, at: 0, seconds: 0.3 }],
};

/** Vibrations and the pauses between them, in ms. */
const PULSES: Record<Cue, number[]> = {
  dice: [15, 40, 15],
  closing: [60],
  settled: [30],
  won: [30, 60, 30],
};

const VOLUME = 0.12;
/** An exponential ramp cannot end at zero. */
const SILENCE = 0.001;

/** What of the device plays: handed in, so that tests hear it. */
export interface Device {
  newAudio: () => AudioContext;
  /** Absent where the device cannot vibrate. */
  vibrate?: ((pulses: number[]) => unknown) | undefined;
  isHidden: () => boolean;
}

/** Sound is off until the member turns it on; vibration is on until they turn it off. Both belong to this device. */
export const hasSound = (): boolean => readStored("sound") === "on";
export const hasVibration = (): boolean => readStored("vibration") !== "off";

/** The cues of a page. They are silent before its first gesture, and while nobody sees it. */
export function makeCues({ newAudio, vibrate, isHidden }: Device) {
  let audio: AudioContext | null = null;
  let isTouched = false;
  return {
    /** A gesture: browsers let a page play from here on. */
    touched(): void {
      isTouched = true;
      if (!hasSound()) return;
      audio ??= newAudio();
      if (audio.state !== "running") audio.resume().catch(() => undefined);
    },
    play(cue: Cue): void {
      if (!isTouched || isHidden()) return;
      if (hasVibration()) vibrate?.(PULSES[cue]);
      // What is not running yet would play late.
      if (hasSound() && audio?.state === "running") for (const tone of TONES[cue]) sound(audio, tone);
    },
    end: (): void => void audio?.close(),
  };
}

function sound(audio: AudioContext, { hertz, at, seconds }: Tone): void {
  const from = audio.currentTime + at;
  const oscillator = audio.createOscillator();
  const volume = audio.createGain();
  oscillator.type = "triangle";
  oscillator.frequency.value = hertz;
  volume.gain.setValueAtTime(VOLUME, from);
  volume.gain.exponentialRampToValueAtTime(SILENCE, from + seconds);
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(from);
  oscillator.stop(from + seconds);
}
