import { beforeEach, describe, expect, it } from "vitest";
import { makeCues, type Cue } from "#client/app/cues.ts";
import { writeStored } from "#client/storage/local-storage.ts";

/** An audio context that writes down when it sounds, and how high. */
class Heard {
  currentTime = 10;
  state: AudioContextState = "suspended";
  tones: (readonly [hertz: number, from: number, until: number])[] = [];
  resume = async () => void (this.state = "running");
  close = async () => void (this.state = "closed");
  createGain = () => ({ gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} });
  createOscillator = () => {
    let from = 0;
    const frequency = { value: 0 };
    return {
      frequency,
      connect: (to: unknown) => to,
      start: (at: number) => void (from = at),
      stop: (at: number) => void this.tones.push([frequency.value, from, at]),
    };
  };
}

let audio: Heard;
let contexts: number;
let felt: number[][];
let isHidden: boolean;
let cues: ReturnType<typeof makeCues>;
const CUES: Cue[] = ["dice", "closing", "settled", "won"];

beforeEach(() => {
  audio = new Heard();
  contexts = 0;
  felt = [];
  isHidden = false;
  writeStored("sound", "on");
  writeStored("vibration", "on");
  cues = makeCues({
    newAudio: () => {
      contexts++;
      return audio as unknown as AudioContext;
    },
    vibrate: (pulses) => felt.push(pulses),
    isHidden: () => isHidden,
  });
});

describe("a cue", () => {
  it("sounds and vibrates after a gesture", () => {
    cues.touched();
    cues.play("closing");
    expect(audio.tones).toEqual([[587, 10, 10.12]]);
    expect(felt).toEqual([[60]]);
  });

  it.each(CUES)("of %s does nothing before a gesture, and makes no audio context", (cue) => {
    cues.play(cue);
    expect([audio.tones, felt, contexts]).toEqual([[], [], 0]);
  });

  it.each(CUES)("of %s does nothing in a hidden tab", (cue) => {
    cues.touched();
    isHidden = true;
    cues.play(cue);
    expect([audio.tones, felt]).toEqual([[], []]);
  });

  it("does not sound unless the member turned sound on", () => {
    writeStored("sound", "off");
    cues.touched();
    cues.play("won");
    expect([audio.tones, contexts, felt.length]).toEqual([[], 0, 1]);
  });

  it("does not vibrate once the member turned it off", () => {
    writeStored("vibration", "off");
    cues.touched();
    cues.play("won");
    expect([audio.tones.length, felt]).toEqual([1, []]);
  });

  it("waits for no audio that does not run: it would come late", () => {
    audio.resume = () => Promise.reject(new Error("no gesture"));
    cues.touched();
    cues.play("settled");
    expect(audio.tones).toEqual([]);
  });
});

describe("a result", () => {
  it("has one tone, a higher one for a net above zero", () => {
    cues.touched();
    cues.play("settled");
    cues.play("won");
    expect(audio.tones).toHaveLength(2);
    expect(audio.tones[1]![0]).toBeGreaterThan(audio.tones[0]![0]);
  });
});
