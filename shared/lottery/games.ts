import { oddsFor, type OddsMilli } from "./dice-sum.ts";

/** A kind of game: its class on the wire and the odds a new game of it starts with. */
export interface GameKind {
  /** The class's key on the wire; its name is `game.class.<key>` in the locales. */
  classKey: string;
  odds: OddsMilli;
}

/** Every kind of game there is. A game of the operator names one of them. */
export const GAME_KINDS = {
  "dice-sum": { classKey: "k3", odds: oddsFor({ even: 975, sum: 950 }) },
} as const satisfies Record<string, GameKind>;

export type GameKindName = keyof typeof GAME_KINDS;
