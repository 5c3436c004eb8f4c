import { expect, it } from "vitest";
import { packPiece, unpackPiece, type SentPiece, type SettlePiece } from "#server/domains/lottery/settle-piece.ts";

const outcome = (memberId: number, bets: { id: number; win: number }[]) => ({
  memberId,
  bets,
  win: bets.reduce((sum, { win }) => sum + win, 0),
  balance: 1_000 + memberId,
  version: 10 + memberId,
});

it("outcomes are sent as plain numbers, five for a member and two for a bet, and come as they were", () => {
  const outcomes = [
    outcome(3, [
      { id: 7, win: 195 },
      { id: 9, win: 0 },
    ]),
    outcome(4, []),
    outcome(5, [{ id: 8, win: 20 }]),
  ];
  const sent = packPiece({ outcomes }) as SentPiece & { packed: Float64Array };
  expect(sent.packed).toHaveLength(3 * 5 + 3 * 2);
  expect(unpackPiece(sent)).toEqual({ outcomes });
  expect(unpackPiece(packPiece({ outcomes: [] }))).toEqual({ outcomes: [] });
});

it("every other piece is sent as it is", () => {
  const pieces: SettlePiece[] = [
    { bettors: Float64Array.of(1, 2) },
    { settled: { bets: 1, members: 1, staked: 100, paid: 0 } },
    { failed: "why" },
  ];
  for (const piece of pieces) expect(unpackPiece(packPiece(piece))).toBe(piece);
});
