import { HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";

export const CAPTIONS_TYPE = "text/vtt; charset=utf-8";

/** When a cue begins: `00:01.000 --> …`, with hours or without. */
const CUE = /^(?:(\d{2,}):)?([0-5]\d):([0-5]\d)\.(\d{3})[ \t]+-->[ \t]+(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}/m;

const blocksOf = (vtt: string) => vtt.replace(/^\uFEFF/, "").split(/(?:\r\n|\r|\n){2,}/);

function startOf(block: string): number | null {
  const [found, hours = "0", minutes, seconds, ms] = CUE.exec(block) ?? [];
  if (found === undefined) return null;
  return +hours * HOUR_MS + +minutes! * MINUTE_MS + +seconds! * SECOND_MS + +ms!;
}

/** WebVTT with what is said before a moment; remarks, which say nothing of when, are left out. */
export function cutCaptions(vtt: string, endMs: number): string {
  const [head = "WEBVTT", ...blocks] = blocksOf(vtt);
  const early = blocks.filter((block) => (startOf(block) ?? Infinity) < endMs);
  return `${[head.split(/\r\n|\r|\n/)[0], ...early.map((block) => block.trim())].join("\n\n")}\n`;
}

/** Why a text is no WebVTT that can be shown; null when it is. */
export function faultOfCaptions(vtt: string): string | null {
  const [head = "", ...blocks] = blocksOf(vtt);
  if (!/^WEBVTT([ \t\r\n]|$)/.test(head)) return "it does not begin with WEBVTT";
  return blocks.some((block) => startOf(block) !== null) ? null : "nothing is said in it";
}
