import { eq } from "drizzle-orm";
import type { Db } from "#db/db.ts";
import { betColumns, bets, games, houseEntries, odds, payouts, rounds } from "#db/schema/index.ts";
import type { BetAnswer, BetBook, BetOrder, TakenBet } from "#server/domains/lottery/bet-book.ts";
import type { SettlePiece } from "#server/domains/lottery/settle-piece.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { bitsIn, maskOf, ratesOf, type Draw } from "#shared/lottery/rules.ts";
import { fromUnits } from "#shared/money.ts";
import { timesOf } from "../../support/recompute-kinds.ts";

/** What the bet book's contract needs from an engine. Two games run, so that bets of two rounds alternate. */
export interface BookWorld {
  book: BetBook;
  db: Db;
  /** The bet book of another process on the same database. */
  another(): Promise<BetBook>;
  /** New members with a balance in whole units, and a wallet version of 0. */
  members(count: number, balance?: number): Promise<number[]>;
  now(): number;
  /** Moves the database's clock; backwards, too. */
  pass(ms: number): void;
  /** The open rounds, one of each game. `close` and `draw` below act on the first game's. */
  openRounds(): Promise<[number, number]>;
  /** Closes the round if its time for bets is over. */
  close(): Promise<void>;
  /** Moves the clock to the draw, draws the round, and opens the next. */
  draw(): Promise<Draw>;
  /**
   * A process that settles a round in the smallest steps and dies once `dies` says so of a step. Steps of the index
   * are not reported.
   */
  settleUntil(roundId: number, dies: (piece: SettlePiece | undefined) => boolean): Promise<void>;
  end(): Promise<void>;
}

/** When a round of the first game closes, counted from its opening. */
export const CLOSES_AFTER_MS = 57_000;

/** The rules of the first game. */
export const RULES = rulesOf("dice-sum");
const on = (...types: string[]) => maskOf(RULES, types);

let keys = 0;

/** By default, a bet of ten units on each of big and odd, under a new idempotency key. */
export function orderOf(memberId: number, roundId: number, over: Partial<BetOrder> = {}): BetOrder {
  const mask = over.mask ?? on("A", "C");
  const stake = over.stake ?? fromUnits(10);
  const total = stake * bitsIn(mask);
  return { memberId, roundId, mask, stake, total, key: `key-${++keys}`, requestHash: "asked", ...over };
}

/** A hundred units on one chance. */
export const HUNDRED = { mask: on("7"), stake: fromUnits(100) };

/** Whatever the dice, one of the two wins. */
export const SURE = { mask: on("A", "B"), stake: fromUnits(10) };

export const takenOf = (answers: BetAnswer[]): TakenBet[] => answers.filter((answer) => "betId" in answer);
export const refusalsOf = (answers: BetAnswer[]): string[] =>
  answers.flatMap((answer) => ("refused" in answer ? [answer.refused] : []));

/** Every row that a bet, a draw or a settlement may write. */
export async function rowsOf({ db }: Pick<BookWorld, "db">) {
  return {
    bets: await db.read.select(betColumns).from(bets).orderBy(bets.id),
    payouts: await db.read.select().from(payouts).orderBy(payouts.roundId, payouts.memberId),
    house: await db.read.select().from(houseEntries).orderBy(houseEntries.id),
    rounds: await db.read.select().from(rounds).orderBy(rounds.id),
  };
}

/** What a round's bets win by the rules alone, for each member: floor(stake × odds) for each option that wins. */
export async function owedOf({ db }: Pick<BookWorld, "db">, roundId: number, dice: Draw) {
  const table = await db.read.select().from(odds).innerJoin(games, eq(games.id, odds.gameId));
  const oddsById = new Map(
    table.map(({ odds, games }) => [odds.id, { milli: odds.milli, rules: rulesOf(games.kind) }]),
  );
  const owed = new Map<number, { bets: { id: number; win: number }[]; win: number }>();
  for (const bet of (await rowsOf({ db })).bets.filter((bet) => bet.roundId === roundId)) {
    const { milli, rules } = oddsById.get(bet.oddsId)!;
    const wins = rules.options.map(({ type }, place) => {
      const times = bet.mask & (1n << BigInt(place)) ? timesOf(rules.kind, type, dice) : 0;
      return times ? (BigInt(bet.stake) * BigInt(ratesOf(rules, place, milli)[times - 1]!)) / 1000n : 0n;
    });
    const win = Number(wins.reduce((sum, one) => sum + one, 0n));
    const member = owed.get(bet.memberId) ?? { bets: [], win: 0 };
    owed.set(bet.memberId, { bets: [...member.bets, { id: bet.id, win }], win: member.win + win });
  }
  return owed;
}
