import type { MemberOutcome } from "#server/app/deps.ts";
import type { Money } from "#shared/money.ts";

/** What settling a round came to. */
export interface Settlement {
  bets: number;
  members: number;
  staked: Money;
  paid: Money;
}

/** What settling a round reports, piece by piece. */
export type SettlePiece =
  /** All who bet on it, before anybody is credited. */
  | { bettors: Float64Array }
  /** What some of them won; already committed. */
  | { outcomes: MemberOutcome[] }
  /** Every winner is credited; only the index is still to be written. */
  | { settled: Settlement }
  /** The check that it failed, in words. Nobody is credited until it is retried. */
  | { failed: string };

/** A piece as one thread sends it to another. */
export type SentPiece = Exclude<SettlePiece, { outcomes: unknown }> | { packed: Float64Array };

/** Numbers before a member's bets: member, win, balance, version, how many bets. */
const HEAD = 5;

/** Packs outcomes as plain numbers: cloning thousands of objects would block the receiving thread. */
export function packPiece(piece: SettlePiece): SentPiece {
  if (!("outcomes" in piece)) return piece;
  const packed = new Float64Array(piece.outcomes.reduce((sum, { bets }) => sum + HEAD + 2 * bets.length, 0));
  let at = 0;
  for (const { memberId, win, balance, version, bets } of piece.outcomes) {
    packed.set([memberId, win, balance, version, bets.length], at);
    at += HEAD;
    for (const bet of bets) {
      packed[at++] = bet.id;
      packed[at++] = bet.win;
    }
  }
  return { packed };
}

export function unpackPiece(piece: SentPiece): SettlePiece {
  if (!("packed" in piece)) return piece;
  const { packed } = piece;
  const outcomes: MemberOutcome[] = [];
  let at = 0;
  const next = () => packed[at++]!;
  while (at < packed.length) {
    const [memberId, win, balance, version, count] = [next(), next(), next(), next(), next()];
    const bets = Array.from({ length: count }, () => ({ id: next(), win: next() }));
    outcomes.push({ memberId, bets, win, balance, version });
  }
  return { outcomes };
}
