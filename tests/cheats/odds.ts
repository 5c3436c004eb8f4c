import type { Cheat } from "./cheat.ts";

export const odds: Cheat[] = [
  {
    id: "lower-odds-after-the-bets",
    auditNow: true,
    house: "puts a new, lower row of odds under the bets between bet and draw",
    by: "sql",
    found: {
      audit: "the bet's odds are not those of its round",
      app: "the receipt names other odds than the payout followed",
    },
    parts: ["A3", "A4", "B"],
    from: "trial",
    audit: "no",
  },
  {
    id: "lower-odds-for-all-time",
    auditNow: true,
    house: "lowers the row of odds itself, for past and coming rounds; payouts, wallets and seals follow",
    by: "sql",
    found: {
      audit: "the odds do not have the hash of their leaf",
      app: "the odds do not have the hash that my receipts name",
      verifier: "the odds do not have the hash of their leaf",
    },
    parts: ["A3", "A4", "B"],
    from: "trial",
    audit: "no",
  },
  {
    id: "give-each-member-other-odds",
    auditNow: true,
    house: "takes the same round's bets at lower odds from a member who plays much",
    by: "server",
    found: {
      audit: "the bet's odds are not those of its round",
      app: "the receipt's odds are not those of the opening's leaf",
      verifier: "the member's file has a signed receipt, and the opening in a signed head with other odds",
    },
    parts: ["A3", "A4", "B"],
    from: "added",
  },
  {
    id: "show-better-odds-than-are-taken",
    house: "shows one member better odds on the board than the bet is taken at",
    by: "protocol",
    found: { app: "the receipt's odds are not those that the board showed" },
    parts: ["A3", "B"],
    from: "added",
  },
  {
    id: "use-odds-before-they-are-logged",
    house: "opens a round with new odds that are in no head yet, or not in force yet",
    by: "server",
    found: {
      audit: "the round was opened with odds that were not in force",
      app: "the opening names odds that are in no head",
      verifier: "the opening names odds that are not logged, or not in force",
    },
    parts: ["A3", "B"],
    from: "added",
  },
  {
    id: "pay-at-other-odds",
    auditNow: true,
    house: "keeps the bet as it is, and pays one member's win at lower odds",
    by: "server",
    found: {
      audit: "the member won more than was paid",
      app: "my payout is not what receipt and dice give",
      verifier:
        "the member's file has signed receipts and odds, and a signed head by which the round paid them, or all together, less",
    },
    parts: ["B"],
    from: "added",
  },
  {
    id: "round-payouts-down-by-a-new-unit",
    auditNow: true,
    house: "changes the ledger's unit after the bets, so that payouts lose their fractions",
    by: "sql",
    found: {
      audit: "the unit differs from the one in the log",
      app: "my payout was rounded further than when I bet",
    },
    parts: ["A4", "B"],
    from: "added",
  },
  {
    id: "publish-a-false-return",
    house: "publishes a higher return to players than its odds give",
    by: "server",
    found: {
      app: "the published return is not what the logged odds give",
      verifier: "the published return is not what the logged odds give",
    },
    parts: ["A3", "B"],
    from: "added",
  },
];
