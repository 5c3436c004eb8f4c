import type { MovedTable } from "./tables.ts";
import type { Tally } from "./tally.ts";
import type { Row } from "./values.ts";

/** Rows that are held in memory at a time. */
export const PAGE = 1_000;

interface Side {
  tally(table: MovedTable): Promise<Tally>;
  close(): Promise<void>;
}

/** A site as it was at one moment. Nothing is ever written there. */
export interface Source extends Side {
  pages(table: MovedTable): AsyncIterable<Row[]>;
  /** The highest row number that was ever given out, where the engine keeps it beside the rows; else 0. */
  lastGiven(table: MovedTable): Promise<number>;
  /** Whether anybody has changed the site since that moment. What was read before is read no more after it. */
  hasChanged(): Promise<boolean>;
}

/** An empty site, marked as unfinished until `finish`. */
export interface Target extends Side {
  /** Empties it, and lets `work` write with all guards of the tables out of the way. */
  fill(epoch: string, work: (pen: TableWriter) => Promise<void>): Promise<void>;
  /** Lets another process read what was written. Answers the environment that leads the operator's commands there. */
  release(): Promise<Record<string, string>>;
  /** Takes the mark away: from here on it is the site. */
  finish(): Promise<void>;
}

export interface TableWriter {
  write(table: MovedTable, rows: Row[]): Promise<void>;
  /** New rows are numbered above what is there, and above `lastGiven`. */
  numberAbove(table: MovedTable, lastGiven: number): Promise<void>;
}
