import type { Cheat } from "./cheat.ts";

const refused = (cheat: Pick<Cheat, "id" | "house" | "found">): Cheat => ({
  ...cheat,
  by: "protocol",
  parts: ["B"],
  from: "added",
});

/** What a house owes and does not answer: with errors, by hanging, by saying that there is none, or with garbage. */
export const refusals: Cheat[] = [
  refused({
    id: "refuse-a-proof-of-consistency",
    house: "answers requests for a proof of consistency with errors",
    found: {
      app: "the newest head could not be joined with mine since that hour; nothing is shown as proven",
      verifier: "no proof was given",
    },
  }),
  refused({
    id: "show-no-head-any-more",
    house: "answers the question for its newest head with errors, once a phone keeps one",
    found: { app: "whether the log continues mine could not be checked since that hour" },
  }),
  refused({
    id: "refuse-the-proof-of-a-bet",
    house: "answers a member who asks for the path of a bet with errors",
    found: { app: "this bet could not be checked since that hour; the file holds its receipt, and asks for the path" },
  }),
  refused({
    id: "refuse-to-say-what-a-bet-won",
    house: "answers a member who asks what a bet won with errors, or calls the round unsettled for ever",
    found: { app: "this bet could not be checked since that hour; its payout is not called right" },
  }),
  refused({
    id: "refuse-the-record-of-a-round",
    house: "keeps the odds of a round back, so that nobody can say what its bets win",
    found: { app: "this bet could not be checked since that hour; its payout is not called right" },
  }),
  refused({
    id: "withhold-the-tiles-from-a-member",
    house: "keeps the log's files from one member, so that their phone cannot read on which terms a round opened",
    found: { app: "this bet could not be checked since that hour" },
  }),
  refused({
    id: "refuse-a-members-own-lines",
    house: "signs how many lines a member's chain has, and answers the lines with errors",
    found: { app: "what the house has signed about me could not be checked since that hour" },
  }),
];
