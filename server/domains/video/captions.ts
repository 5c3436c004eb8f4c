import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";

export const CAPTIONS_TYPE = "text/vtt; charset=utf-8";

/** When a cue begins: `00:01.000 --> …`, with hours or without. */
const TIMES = /^(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})[ \t]+-->[ \t]+(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}/;

/** A caption with its times. */
interface Cue {
  /** Null where the time cannot be read: players skip such a cue. */
  startMs: number | null;
  /** Its times, and the name above them where it has one. */
  head: string[];
  words: string[];
}

/** Reads as players do: a cue ends with an empty line, and also where the times of the next one stand. */
function readCaptions(vtt: string): { title: string; cues: Cue[] } {
  const [title = "", ...lines] = vtt.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const cues: Cue[] = [];
  let isOpen = false;
  let words: string[] = [];
  for (const line of lines) {
    if (line.includes("-->")) {
      const head = [...takeName(words, isOpen), line];
      words = [];
      isOpen = true;
      cues.push({ startMs: startOf(line), head, words });
    } else if (line === "") {
      words = [];
      isOpen = false;
    } else words.push(line);
  }
  return { title, cues };
}

/**
 * Takes the next cue's name from the lines above its times. Inside an open cue only a number counts as a name; the rest
 * is its text.
 */
function takeName(words: string[], isOpen: boolean): string[] {
  const isNamed = isOpen ? words.length > 1 && /^\d+$/.test(words.at(-1)!) : words.length === 1;
  return isNamed ? words.splice(-1) : [];
}

function startOf(line: string): number | null {
  const [found, hours = "0", minutes, seconds, ms] = TIMES.exec(line) ?? [];
  if (found === undefined) return null;
  return +hours * HOUR_MS + +minutes! * MINUTE_MS + +seconds! * SECOND_MS + +ms!;
}

/** WebVTT with the cues that begin before `endMs`; notes, which have no time, are left out. */
export function cutCaptions(vtt: string, endMs: number): string {
  const { title, cues } = readCaptions(vtt);
  const early = cues.filter(({ startMs }) => startMs !== null && startMs < endMs);
  return `${[title, ...early.map(({ head, words }) => [...head, ...words].join("\n"))].join("\n\n")}\n`;
}

/** Why a text is not usable WebVTT; null when it is. */
export function faultOfCaptions(vtt: string): string | null {
  const { title, cues } = readCaptions(vtt);
  if (!/^WEBVTT([ \t]|$)/.test(title)) return "it does not begin with WEBVTT";
  return cues.some(({ startMs }) => startMs !== null) ? null : "it has no cue";
}
