import type { Comparison } from "./measure.ts";

/** The goal for a figure: a minimum or a maximum. */
interface Goal {
  better: "more" | "less";
  target: number;
  stretch?: number;
}

/** One line of the report. */
export interface Line {
  what: string;
  value: number;
  /** What follows the value: a unit, or nothing for a ratio. */
  unit?: string;
  /** What the value was computed from. */
  detail: string;
  goal?: Goal;
}

/** A row of the bench: measures, logs its progress, and returns the lines of the report. */
export type Row = (log: (progress: string) => void) => Promise<Line[]>;

/** The line of a comparison, with both sides shown by `show`. */
export function ratioLine(what: string, found: Comparison, show: (value: number) => string, goal?: Goal): Line {
  const { ours, baseline, ratio, ratios } = found;
  const spread = `${figure(Math.min(...ratios))}–${figure(Math.max(...ratios))} in ${ratios.length}`;
  const detail = `${show(ours)} against ${show(baseline)} (${spread})`;
  return { what, value: ratio, detail, ...(goal && { goal }) };
}

export function isMissed({ value, goal }: Line): boolean {
  return goal !== undefined && !reaches(value, goal.target, goal);
}

/** The text of a line: the figure, and whether it meets its goal. */
export function lineText({ what, value, unit = "", detail, goal }: Line): string {
  const found = `  ${what}\n    ${figure(value)}${unit && ` ${unit}`} · ${detail}`;
  if (!goal) return found;
  const sign = goal.better === "more" ? "≥" : "≤";
  const aim = (name: string, wanted: number) =>
    `${name} ${sign} ${wanted} ${reaches(value, wanted, goal) ? "met" : "missed"}`;
  const aims = [aim("target", goal.target), ...(goal.stretch === undefined ? [] : [aim("stretch", goal.stretch)])];
  return `${found}\n    ${aims.join(" · ")}`;
}

const reaches = (value: number, wanted: number, { better }: Goal) =>
  better === "more" ? value >= wanted : value <= wanted;

/** A number with about three digits. */
export function figure(value: number): string {
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}

export const perSecond = (value: number): string => `${figure(value)}/s`;
export const inMs = (value: number): string => `${figure(value)} ms`;
export const inMicros = (value: number): string => `${figure(value)} µs`;
