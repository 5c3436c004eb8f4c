/* Rows of the played site that cheats are played on: tests/cheats/trial/played-site.ts makes them. */

export const GAME = "k3-1m";
export const MIA = 1;
export const NILS = 2;
/** Rounds that are over: the first of all, and the last, whose closing mia's phone was told. */
export const FIRST = { id: 1, name: "20260302-0001" };
export const LAST = { id: 13, name: "20260304-0003", day: 20516, number: 3 };
/** The round that is open, with a bet of mia's. */
export const OPEN = { id: 14, name: "20260304-0004" };
/** Mia's bet on the last round, which won 3.90, and on the open one. */
export const BET = 17;
export const OPEN_BET = 20;
/** All bets on the last round. */
export const BETS = [17, 18, 19];
/** A round of days ago, on which the same bets were won. */
export const EARLIER = { id: 5, name: "20260302-0005" };
/** A pair of nils's whose seed is public, and one of mia's; and their open ones. */
export const PAIR = { public: 1, open: 2, miasPublic: 4, miasOpen: 5, miasNext: 6 };
/** Of mia: one in review, one approved, one refused, one paid. */
export const WITHDRAWAL = { review: 1, approved: 2, refused: 3, paid: 4 };
export const OTHER = "ab".repeat(32);
