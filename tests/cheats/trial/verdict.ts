import { FINDERS, type Cheat, type Finder, type Said } from "../cheat.ts";
import type { Play } from "../play.ts";

/** What became of one play. */
export interface Verdict {
  id: string;
  how: string;
  said: Said;
  /** Who was to find it, and did not say so. */
  missed: Finder[];
}

export const ALL = Object.keys(FINDERS) as Finder[];

export const verdictOn = (id: string, { how = "", now }: Play, said: Said): Verdict => ({
  id,
  how,
  said,
  missed: ALL.filter((finder) => finder in now && !now[finder]!.test(said[finder] ?? "")),
});

/** How each finder did: as expected, as well, to be silent, to come, or to have missed it. */
const MARKS = { found: "yes", also: "(yes)", silent: "-", planned: "planned", missed: "MISSED" };

function markOf({ found }: Cheat, finder: Finder, { plays, play, verdict }: Tried): string {
  if (verdict.missed.includes(finder)) return MARKS.missed;
  if (finder in play.now) return MARKS.found;
  if (verdict.said[finder]) return MARKS.also;
  return finder in found && !plays.some(({ now }) => finder in now) ? MARKS.planned : MARKS.silent;
}

const WIDTHS = [4, 66, ...ALL.map((finder) => Math.max(finder.length, 8))];
const lineOf = (cells: readonly string[]) =>
  cells
    .map((cell, i) => cell.padEnd(WIDTHS[i]!))
    .join(" ")
    .trimEnd();

export const HEAD = lineOf(["row", "cheat", ...ALL]);

/** One of a row's plays, and what came of it. */
interface Tried {
  plays: readonly Play[];
  play: Play;
  verdict: Verdict;
}

/** A line of the table that the command prints. */
export function rowOf(number: number, cheat: Cheat, tried: Tried): string {
  const marks = ALL.map((finder) => markOf(cheat, finder, tried));
  const name = [cheat.id, tried.play.how ?? ""].join(" ").trim();
  return lineOf([String(number), name, ...marks]);
}

/** What the marks mean. */
export const LEGEND = `yes: found, as it is to be today. (yes): found as well. planned: the table expects it, and no play shows it.
-: nothing found. MISSED: it was to be found today.`;
