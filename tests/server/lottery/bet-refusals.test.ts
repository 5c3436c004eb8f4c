import { expect, it } from "vitest";
import { DatabaseAway, OutcomeUnknown } from "#db/away.ts";
import { refusedBy, whyNotTaken } from "#server/domains/lottery/bet-book.ts";

const NOW = 1_000;
const WALLET = { frozen: false, excludedUntil: 0, balance: 100 };

it("a lock and a break come before a closed round, and a closed round before everything else", () => {
  const why = (wallet: Partial<typeof WALLET>, isOpen: boolean, cost = 10) =>
    whyNotTaken({ ...WALLET, ...wallet }, NOW, cost, isOpen);
  expect([why({ frozen: true }, false), why({ frozen: true }, true)]).toEqual(["member.locked", "member.locked"]);
  expect([why({ excludedUntil: NOW + 1 }, false), why({ excludedUntil: NOW + 1 }, true)]).toEqual([
    "member.excluded",
    "member.excluded",
  ]);
  // A break is over at the moment that it names.
  expect([why({ excludedUntil: NOW }, false), why({ excludedUntil: NOW }, true)]).toEqual([
    "round.closed",
    "limit.reached",
  ]);
  expect([why({}, false, 101), why({}, true, 101)]).toEqual(["round.closed", "balance.insufficient"]);
  expect([why({}, false, 100), why({}, true, 100)]).toEqual(["round.closed", "limit.reached"]);
});

it("an order that failed says whether it may have been taken, and a bug is told to the log", () => {
  const fault = new TypeError("no such thing");
  const away = new DatabaseAway();
  expect(
    [new OutcomeUnknown(), new Error("batch", { cause: new OutcomeUnknown({ cause: away }) })].map(refusedBy),
  ).toEqual([{ refused: "outcome.unknown" }, { refused: "outcome.unknown" }]);
  expect(refusedBy(away)).toEqual({ refused: "server.away" });
  expect(refusedBy(fault)).toEqual({ refused: "server.fault", fault });
});
