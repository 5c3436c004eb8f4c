import type { Finder, Said } from "./cheat.ts";
import type { Forger } from "./trial/forger.ts";
import type { Stage } from "./trial/stage.ts";

/** One way to play a row of the table, and what each finder says to it today. */
export interface Play {
  /** How it differs from the row's other plays. */
  how?: string;
  /** Statements in a copy of the database while nothing guards it, or what takes more than statements. */
  data?: string | ((forger: Forger) => Promise<void>);
  /** The copy's guards stay as that leaves them. */
  leavesGuards?: true;
  /** The copy is one from before the last round: an older backup. */
  older?: true;
  /** Another master key than the site's. */
  masterKey?: string;
  /** What a changed server tells a phone that watched the true site until its last round. Returns what others say. */
  live?: (stage: Stage) => Promise<Said | void>;
  /** Who finds it today, and in which words. All of them have to. */
  now: Partial<Record<Finder, RegExp>>;
}

/** By the rows' names. */
export type Plays = Record<string, Play | Play[]>;
