import { expect, it } from "vitest";
import { isReturned, statusOf, type BetRow } from "#server/domains/ledger/bet-rows.ts";

/** A stake of 100 by the member 7. */
const bet = (round: Partial<BetRow>): BetRow =>
  ({ memberId: 7, total: 100, settledAt: null, settledTo: null, failedAt: null, refundedAt: null, ...round }) as BetRow;
const DRAWN = bet({ settledAt: 5 });
const RETURNED = bet({ settledAt: 5, refundedAt: 4 });

it.each([
  [null, "waiting"],
  [101, "won"],
  [100, "settled"],
  [1, "settled"],
  [0, "lost"],
])("a stake of 100 whose win is %s is %s", (win, status) => {
  expect(statusOf(DRAWN, win)).toBe(status);
});

it("a stake of a round that is never drawn is returned, and neither won nor lost", () => {
  expect(statusOf(RETURNED, 100)).toBe("returned");
});

it("a stake is returned once the member has it back, and not while the round has failed", () => {
  expect(isReturned(RETURNED)).toBe(true);
  expect(isReturned(DRAWN)).toBe(false);
  expect(isReturned(bet({ refundedAt: 4, settledTo: null }))).toBe(false);
  expect(isReturned(bet({ refundedAt: 4, settledTo: 7 }))).toBe(true);
  expect(isReturned(bet({ refundedAt: 4, settledTo: 7, failedAt: 5 }))).toBe(false);
});
