import type Sqlite from "better-sqlite3";
import { isDatabaseAway } from "#db/away.ts";
import { failpoint } from "#db/failpoint.ts";
import { immediately } from "#db/sqlite/open.ts";
import type { BatchContext, JobContext } from "#db/sqlite/writer.ts";
import { mayStake, NAMED, stampsOf, stakeTaken } from "#server/domains/ledger/wallet-sql.ts";
import type { WalletState } from "#server/domains/ledger/why-refused.ts";
import { answerOfKnown, OWN_KEY, refusedBy, whyNotTaken, type BetAnswer, type BetOrder } from "./bet-book.ts";

/** Takes a stake if the balance, the member's status and their limits allow. */
const TAKE_STAKE = `update wallets set ${stakeTaken(NAMED)} where member_id = :member and ${mayStake(NAMED)}
  returning balance, version`;

interface Book {
  round: Sqlite.Statement;
  known: Sqlite.Statement;
  take: Sqlite.Statement;
  bet: Sqlite.Statement;
  key: Sqlite.Statement;
  house: Sqlite.Statement;
  wallet: Sqlite.Statement;
  logKey: Sqlite.Statement;
}

const books = new WeakMap<Sqlite.Database, Book>();

function bookOf(raw: Sqlite.Database): Book {
  let book = books.get(raw);
  if (!book) {
    book = {
      round: raw
        .prepare(
          `select odds_id, draws_at - (select period_s * 1000 from games where games.id = game_id), closes_at, closed_at,
             (select unit from odds where odds.id = odds_id)
               = coalesce((select json_extract(value, '$') from settings where name = 'unit'), 'point')
           from rounds where id = ?`,
        )
        .raw(),
      // With the plus it is planned once and not with every key (db/columns.sqlite.ts says why).
      known: raw
        .prepare(
          `select k.request_hash, b.id, b.balance_after, b.version from (
             select request_hash, bet_id from bet_keys where member_id = +:member and key = +:key
             union all select request_hash, bet_id from spent_keys where member_id = +:member and key = +:key
           ) k join bets b on b.id = k.bet_id`,
        )
        .raw(),
      take: raw.prepare(TAKE_STAKE).raw(),
      bet: raw.prepare(
        `insert into bets (member_id, round_id, odds_id, mask, stake, total, version, balance_after, created_at)
         values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      key: raw.prepare("insert into bet_keys (member_id, key, bet_id, request_hash) values (?, ?, ?, ?)"),
      house: raw.prepare(
        "insert into house_entries (kind, amount, from_id, to_id, created_at) values ('bets', ?, ?, ?, ?)",
      ),
      wallet: raw.prepare("select frozen, excluded_until as excludedUntil, balance from wallets where member_id = ?"),
      logKey: raw.prepare("select max(id) from log_keys").pluck(),
    };
    books.set(raw, book);
  }
  return book;
}

/**
 * Places a batch of bets in one durable commit. If one order hits a bug, it alone fails: the orders are retried one by
 * one. After a disk error nothing is retried: the failed commit may have reached the disk.
 */
export function placeBets(context: BatchContext, orders: BetOrder[]): BetAnswer[] {
  try {
    return placeTogether(context, orders);
  } catch (error) {
    if (orders.length === 1 || isDatabaseAway(error)) throw error;
    return placeSingly(context, orders);
  }
}

/** Stops at the first disk error. */
function placeSingly(context: BatchContext, orders: BetOrder[]): BetAnswer[] {
  let isAway = false;
  return orders.map((order) => {
    if (isAway) return { refused: "server.away" };
    try {
      return placeTogether(context, [order])[0]!;
    } catch (error) {
      isAway = isDatabaseAway(error);
      if (isAway) context.failed(error);
      return refusedBy(error);
    }
  });
}

function placeTogether({ raw, clock }: JobContext, orders: BetOrder[]): BetAnswer[] {
  const book = bookOf(raw);
  const placed = immediately(raw, () => {
    // The time is read inside the lock that closing takes too.
    const now = clock.now();
    const batch = { book, now, stamps: stampsOf(now), oddsByRound: new Map<number, number | null>() };
    let taken = 0;
    let fromId = 0;
    let toId = 0;
    const answers = orders.map((order) => {
      const answer = placeOne(batch, order);
      if ("fresh" in answer && answer.fresh) {
        taken += order.total;
        fromId ||= answer.betId;
        toId = answer.betId;
      }
      return answer;
    });
    if (taken) {
      const id = Number(book.house.run(taken, fromId, toId, now).lastInsertRowid);
      const logKey = (book.logKey.get() as number | null) ?? 0;
      for (const answer of answers) if ("fresh" in answer && answer.fresh) answer.commit = { id, at: now, logKey };
    }
    failpoint("bets.place");
    return answers;
  });
  failpoint("bets.placed");
  return placed;
}

interface Batch {
  book: Book;
  now: number;
  stamps: { day: number; week: number; month: number };
  /** The odds of each round; null for a round that takes no bets. */
  oddsByRound: Map<number, number | null>;
}

function placeOne(batch: Batch, order: BetOrder): BetAnswer {
  const { book, now, stamps } = batch;
  const { memberId, roundId, mask, stake, total } = order;
  const known =
    order.key === null ? undefined : (book.known.get({ member: memberId, key: order.key }) as KnownRow | undefined);
  if (known) {
    const [hash, id, balance, version] = known;
    return answerOfKnown(order, { id, balance, version, hash });
  }
  const oddsId = openOdds(batch, roundId);
  const wallet = oddsId === null ? undefined : book.take.get({ total, member: memberId, now, ...stamps });
  if (!wallet || oddsId === null) return { refused: refusalOf(batch, order, oddsId !== null) };
  const [balance, version] = wallet as [number, number];
  const bet = book.bet.run(memberId, roundId, oddsId, mask, stake, total, version, balance, now);
  const betId = Number(bet.lastInsertRowid);
  book.key.run(memberId, order.key ?? `${OWN_KEY}${version}`, betId, order.requestHash);
  return { betId, balance, version, fresh: true, commit: null };
}

type KnownRow = [hash: string, betId: number, balance: number, version: number];

function openOdds({ book, now, oddsByRound }: Batch, roundId: number): number | null {
  let oddsId = oddsByRound.get(roundId);
  if (oddsId === undefined) {
    const round = book.round.get(roundId) as RoundTimes | undefined;
    oddsId = round ? oddsWhileOpen(round, now) : null;
    oddsByRound.set(roundId, oddsId);
  }
  return oddsId;
}

type RoundTimes = [oddsId: number, opensAt: number, closesAt: number, closedAt: number | null, isInUnit: 0 | 1];

/** A round that a fast clock opened too early takes no bets before its time, and one in another unit than the ledger's none. */
const oddsWhileOpen = ([oddsId, opensAt, closesAt, closedAt, isInUnit]: RoundTimes, now: number): number | null =>
  isInUnit && closedAt === null && opensAt <= now && now < closesAt ? oddsId : null;

function refusalOf({ book, now }: Batch, { memberId, total }: BetOrder, isOpen: boolean) {
  return whyNotTaken(book.wallet.get(memberId) as WalletState, now, total, isOpen);
}
