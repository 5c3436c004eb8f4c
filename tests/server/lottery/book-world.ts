import type { Db } from "#db/connect.ts";
import { bets, houseEntries, odds, payouts, rounds } from "#db/schema/index.ts";
import type { BetAnswer, BetBook, BetOrder, SettlePiece, TakenBet } from "#server/domains/lottery/bet-book.ts";
import { maskOf, OPTIONS, optionsOf, type Dice } from "#shared/lottery/dice-sum.ts";
import { optionToWire } from "#shared/contract/values.ts";
import { fromUnits } from "#shared/money.ts";
import { isWon } from "../../support/recompute.ts";

/** What the bet book's contract needs of an engine. Two games run, so that bets of two rounds lie among each other. */
export interface BookWorld {
  book: BetBook;
  db: Db;
  /** The book of another process on the same database. */
  another(): Promise<BetBook>;
  /** New members with a balance in whole units, and a wallet version of 0. */
  members(count: number, balance?: number): Promise<number[]>;
  now(): number;
  /** Turns the database's clock, back too. */
  pass(ms: number): void;
  /** The rounds that are open now, one of each game. The first game's is the one that closes and is drawn below. */
  openRounds(): Promise<[number, number]>;
  /** From the closing moment on: writes the fence. */
  close(): Promise<void>;
  /** Turns the clock on to the draw, draws the round, and opens the next. */
  draw(): Promise<Dice>;
  /**
   * A process that settles a round in the smallest of pieces and dies as soon
   * as `dies` says so of one; between pieces of the index nothing is heard.
   */
  settleUntil(roundId: number, dies: (piece: SettlePiece | undefined) => boolean): Promise<void>;
  end(): Promise<void>;
}

/** When a round of the first game closes, counted from its opening. */
export const CLOSES_AFTER_MS = 57_000;

let keys = 0;

/** A bet of ten units on each of big and odd under a key of its own, unless told otherwise. */
export function orderOf(memberId: number, roundId: number, over: Partial<BetOrder> = {}): BetOrder {
  const mask = over.mask ?? maskOf(["big", "odd"]);
  const stake = over.stake ?? fromUnits(10);
  const total = stake * optionsOf(mask).length;
  return { memberId, roundId, mask, stake, total, key: `key-${++keys}`, requestHash: "asked", ...over };
}

/** A hundred units on one chance. */
export const HUNDRED = { mask: maskOf(["7"]), stake: fromUnits(100) };

/** Whatever the dice, one of the two wins. */
export const SURE = { mask: maskOf(["big", "small"]), stake: fromUnits(10) };

export const takenOf = (answers: BetAnswer[]): TakenBet[] => answers.filter((answer) => "betId" in answer);
export const refusalsOf = (answers: BetAnswer[]): string[] =>
  answers.flatMap((answer) => ("refused" in answer ? [answer.refused] : []));

/** Everything that a bet, a draw or a settlement may have written. */
export async function rowsOf({ db }: Pick<BookWorld, "db">) {
  return {
    bets: await db.read.select().from(bets).orderBy(bets.id),
    payouts: await db.read.select().from(payouts).orderBy(payouts.roundId, payouts.memberId),
    house: await db.read.select().from(houseEntries).orderBy(houseEntries.id),
    rounds: await db.read.select().from(rounds).orderBy(rounds.id),
  };
}

/** What every bet of a round wins by the rules alone, for each member: floor(stake × odds) for each option that wins. */
export async function owedOf({ db }: Pick<BookWorld, "db">, roundId: number, dice: Dice) {
  const table = await db.read.select().from(odds);
  const oddsById = new Map(table.map(({ id, milli }) => [id, milli]));
  const owed = new Map<number, { bets: { id: number; win: number }[]; win: number }>();
  for (const bet of (await rowsOf({ db })).bets.filter((bet) => bet.roundId === roundId)) {
    const wins = OPTIONS.map((option, bit) => {
      if (!(bet.mask & (1 << bit)) || !isWon(optionToWire(option), dice)) return 0n;
      return (BigInt(bet.stake) * BigInt(oddsById.get(bet.oddsId)![bit]!)) / 1000n;
    });
    const win = Number(wins.reduce((sum, one) => sum + one, 0n));
    const member = owed.get(bet.memberId) ?? { bets: [], win: 0 };
    owed.set(bet.memberId, { bets: [...member.bets, { id: bet.id, win }], win: member.win + win });
  }
  return owed;
}
