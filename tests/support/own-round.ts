import type { OwnRound } from "#client/machines/own-round.ts";

export const KIND = "dice-sum";

/** A member's bets on two options of a round that is not drawn yet. */
export const WAITING: OwnRound = {
  key: "k3-1m",
  expect: "20260302-0001",
  opencode: null,
  money: "30.00",
  win: null,
  options: [
    { type: "A", money: "20.00", pays: ["39.00"], win: null },
    { type: "7", money: "10.00", pays: ["136.80"], win: null },
  ],
};
