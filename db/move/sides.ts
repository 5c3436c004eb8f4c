import type { MovedTable } from "./tables.ts";
import type { Tally } from "./tally.ts";
import type { Row } from "./values.ts";

/** How many rows are in memory at a time. */
export const PAGE = 1_000;

interface Side {
  tally(table: MovedTable): Promise<Tally>;
  close(): Promise<void>;
}

/** A snapshot of a site. Nothing is ever written there. */
export interface Source extends Side {
  pages(table: MovedTable): AsyncIterable<Row[]>;
  /** The highest row number ever used, if the engine stores it apart from the rows; else 0. */
  lastGiven(table: MovedTable): Promise<number>;
  /** Whether the site has changed since the snapshot, which ends here. */
  hasChanged(): Promise<boolean>;
}

/** A site to fill, marked as unfinished until `finish`. */
export interface Target extends Side {
  /** Empties it and runs `work`, with all triggers disabled. */
  fill(epoch: string, work: (pen: TableWriter) => Promise<void>): Promise<void>;
  /** Lets another process read it. Returns the environment that leads the operator's commands there. */
  release(): Promise<Record<string, string>>;
  /** Removes the mark: from now on it is a site that servers may open. */
  finish(): Promise<void>;
}

export interface TableWriter {
  write(table: MovedTable, rows: Row[]): Promise<void>;
  /** Numbers new rows above the existing ones, and above `lastGiven`. */
  numberAbove(table: MovedTable, lastGiven: number): Promise<void>;
}
