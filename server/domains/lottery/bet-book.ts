import { isDatabaseAway, isOutcomeUnknown } from "#db/away.ts";
import type { Db } from "#db/db.ts";
import type { MemberOutcome } from "#server/app/deps.ts";
import type { Money } from "#shared/money.ts";
import type { RefusalReason } from "#shared/refusal.ts";
import type { OptionMask } from "#shared/lottery/rules.ts";
import { unpackPiece, type SentPiece } from "./outcomes.ts";

/** A bet that passed every check but those that only the book can make. */
export interface BetOrder {
  memberId: number;
  roundId: number;
  mask: OptionMask;
  /** On each option. */
  stake: Money;
  total: Money;
  /** The caller's idempotency key, and what they asked for under it. */
  key: string | null;
  requestHash: string;
}

export interface TakenBet {
  betId: number;
  /** The wallet after the bet. */
  balance: Money;
  version: number;
  /** False when the key was known: nothing was taken now. */
  fresh: boolean;
}

/** `fault`: what was thrown, where that is a bug; the log shall have it. */
export type BetAnswer = TakenBet | { refused: RefusalReason; fault?: unknown };

/** The answer to an order that an error struck after others of its batch were committed. */
export function refusedBy(error: unknown): BetAnswer {
  if (isOutcomeUnknown(error)) return { refused: "outcome.unknown" };
  return isDatabaseAway(error) ? { refused: "server.away" } : { refused: "server.fault", fault: error };
}

/** What settling a round came to. */
export interface Settlement {
  bets: number;
  members: number;
  staked: Money;
  paid: Money;
}

/** What is heard while a round is settled. */
export type SettlePiece =
  /** All who bet on it, before anybody is credited. */
  | { bettors: Float64Array }
  /** What some of them won; already committed. */
  | { outcomes: MemberOutcome[] }
  /** Everybody is credited; only the index is still to be written. */
  | { settled: Settlement }
  /** It failed a check, which this says in words. Nobody is credited until it is tried again. */
  | { failed: string };

/**
 * The one part that is written per engine: a batch of bets in, a batch of
 * answers out. Every book promises the same (tests/server/lottery/bet-book.contract.ts):
 *
 * - an answer is given after its bet is durable;
 * - a bet is taken only while its round is open, by the database's clock and
 *   inside the same lock as the closing, and only if the wallet's conditional
 *   update takes its stake; a refused bet has written nothing;
 * - a member's key is one bet, and with another request it is `key.reused`;
 * - a drawn round is settled once: one credit per winning member, whatever
 *   crashes in between, and each is committed before it is heard;
 * - before the first credit the whole round is counted and checked. One that
 *   fails a check is marked and left alone; its payouts always come to what it owes.
 */
export interface BetBook {
  /** Batches that it is worth to have on their way at once. */
  readonly lanes: number;
  place(orders: BetOrder[]): Promise<BetAnswer[]>;
  settle(roundId: number, heard: (piece: SettlePiece) => void): Promise<void>;
}

/** SQLite writes one batch after another; a PostgreSQL works on several, and writes their commits to disk together. */
const LANES = { sqlite: 1, postgres: 4 } as const;

/** The book of the engine that this database runs on. */
export function betBookOf(db: Db): BetBook {
  return {
    lanes: LANES[db.engine],
    place: (orders) => db.batch("bets.place", orders),
    settle: (roundId, heard) =>
      db.job("bets.settle", roundId, (piece: SentPiece) => {
        heard(unpackPiece(piece));
      }),
  };
}
