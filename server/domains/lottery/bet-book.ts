import { isDatabaseAway, isOutcomeUnknown } from "#db/away.ts";
import type { Db } from "#db/db.ts";
import { whyRefused, type WalletState } from "#server/domains/ledger/why-refused.ts";
import { isSameRequest, type HashedRequest } from "#server/domains/keys/same-request.ts";
import type { Money } from "#shared/money.ts";
import type { RefusalReason } from "#shared/refusal.ts";
import type { OptionMask } from "#shared/lottery/rules.ts";
import { unpackPiece, type SentPiece, type SettlePiece } from "./settle-piece.ts";

/** A bet that passed every check except those that only the book can make. */
export interface BetOrder extends HashedRequest {
  memberId: number;
  roundId: number;
  mask: OptionMask;
  /** On each option. */
  stake: Money;
  total: Money;
  /** The caller's idempotency key, of the request that is hashed. */
  key: string | null;
}

export interface TakenBet {
  betId: number;
  /** The wallet after the bet. */
  balance: Money;
  version: number;
  /** False for a repeated idempotency key: nothing was taken now. */
  fresh: boolean;
  /** The commit that took it now. Null for a repeated key. */
  commit: Commit | null;
}

export interface Commit {
  /** The row of the house. */
  id: number;
  /** The time of the bet. */
  at: number;
  /** The newest key of the public log then: it signs the batch. */
  logKey: number;
}

/** `fault`: the error thrown, where it is a bug. It is for the log. */
export type BetAnswer = TakenBet | { refused: RefusalReason; fault?: unknown };

/** Begins the keys of bets that came without one: a caller's key never holds a space. */
export const OWN_KEY = " ";

/** A bet whose key was known, as it was taken then. */
export interface KnownBet {
  id: number;
  balance: Money;
  version: number;
  hash: string;
}

/** Answers a repeated key: with the bet it stands for, or with a refusal when another request used it. */
export const answerOfKnown = (order: HashedRequest, { id, balance, version, hash }: KnownBet): BetAnswer =>
  isSameRequest(order, hash) ? { betId: id, balance, version, fresh: false, commit: null } : { refused: "key.reused" };

/** Why no stake was taken. A lock or a break comes before `round.closed`, every other reason after it. */
export function whyNotTaken(wallet: WalletState, now: number, total: Money, isOpen: boolean): RefusalReason {
  const isBarred = wallet.frozen || wallet.excludedUntil > now;
  return isOpen || isBarred ? whyRefused(wallet, now, total) : "round.closed";
}

/** The answer to an order that failed after others of its batch were committed. */
export function refusedBy(error: unknown): BetAnswer {
  if (isOutcomeUnknown(error)) return { refused: "outcome.unknown" };
  return isDatabaseAway(error) ? { refused: "server.away" } : { refused: "server.fault", fault: error };
}

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
 *   crashes in between, and each credit is committed before it is reported;
 * - before the first credit the whole round is counted and checked. One that
 *   fails a check is marked and left alone; its payouts always come to what it owes.
 */
export interface BetBook {
  /** How many batches it is worth sending at once. */
  readonly lanes: number;
  place(orders: BetOrder[]): Promise<BetAnswer[]>;
  settle(roundId: number, onPiece: (piece: SettlePiece) => void): Promise<void>;
}

/** SQLite writes one batch after another. PostgreSQL runs several at once and flushes their commits together. */
const LANES = { sqlite: 1, postgres: 4 } as const;

/** The book of this database's engine. */
export function betBookOf(db: Db): BetBook {
  return {
    lanes: LANES[db.engine],
    place: (orders) => db.batch("bets.place", orders),
    settle: (roundId, onPiece) =>
      db.job("bets.settle", roundId, (piece: SentPiece) => {
        onPiece(unpackPiece(piece));
      }),
  };
}
