import { and, asc, between, eq, gt, inArray, lte } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { betKeys, bets, games, journalIndex, odds, payouts, rounds, wallets } from "#db/schema/index.ts";
import type { MemberOutcome } from "#server/app/deps.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { sql } from "#db/columns.ts";
import { LOW_BITS, LOW_MASK } from "#shared/lottery/settler.ts";
import { countPage, noBets, outcomeOf, PAGE, settlersOf } from "./count-bets.ts";
import type { BetRow, CountedMember, DrawnForSettling } from "./count-bets.ts";

/** Members per query. */
const SOME = 500;

/** Finding a member's own bets costs about as much as reading so many bets of the round. */
const OWN_COST = 8;
/** Members whose own bets are read at once: so few that their rows hold up nobody else. */
const OWN_AT_ONCE = 100;
/** How many of a member's newest rows the first look reads. Each further one reads twice as many. */
const FIRST_LOOK = 16;

type Counted = Map<number, CountedMember>;

/**
 * What some members bet on a drawn round that another process settles, and what each bet wins: of few members by their own
 * rows, of many by all bets of the round. Members without a bet on it are left out.
 */
export async function readCounted(read: Tx, roundId: number, members: readonly number[]): Promise<Counted> {
  if (members.length === 0) return new Map();
  const drawn = await readDrawn(read, roundId);
  if (members.length * OWN_COST > drawn.toBet - drawn.fromBet) return countAll(read, drawn, new Set(members));
  const counted: Counted = new Map();
  for (let from = 0; from < members.length; from += OWN_AT_ONCE) {
    const own = await countOwn(read, drawn, members.slice(from, from + OWN_AT_ONCE));
    for (const [memberId, bets] of own) counted.set(memberId, bets);
    await othersTurn();
  }
  return counted;
}

async function readDrawn(read: Tx, roundId: number): Promise<DrawnForSettling> {
  const [found] = await read
    .select({ round: rounds, kind: games.kind })
    .from(rounds)
    .innerJoin(games, eq(games.id, rounds.gameId))
    .where(eq(rounds.id, roundId));
  const { round, kind } = found!;
  const { id, oddsId, fromBet, toBet, dice } = round;
  const table = await read.select({ id: odds.id, milli: odds.milli }).from(odds).where(eq(odds.id, oddsId));
  const rates = table.map(({ id, milli }) => [id, milli] as const);
  return { id, fromBet, toBet: toBet!, settlers: settlersOf({ kind, dice, odds: rates, unit: await readUnit(read) }) };
}

/** Lets other requests run, on either engine. */
const othersTurn = () => new Promise(setImmediate);

/** Reads all bets of the round, page by page: there may be many. */
async function countAll(read: Tx, drawn: DrawnForSettling, members: ReadonlySet<number>): Promise<Counted> {
  const count = noBets();
  for (let after: number | null = drawn.fromBet - 1; after !== null;) {
    const page = await read
      .select(PAGE_COLUMNS)
      .from(bets)
      .where(and(gt(bets.id, after), lte(bets.id, drawn.toBet)))
      .orderBy(asc(bets.id))
      .limit(PAGE);
    after = countPage(count, drawn, page.map(rowOf), (memberId) => members.has(memberId));
    await othersTurn();
  }
  return count.members;
}

/**
 * Reads the members' own bets: those that are not indexed yet, and then the index, since a bet that is missing in the first
 * is in the second by then. There it looks from the newest row back, until it meets a bet of an earlier round.
 */
async function countOwn(read: Tx, drawn: DrawnForSettling, members: number[]): Promise<Counted> {
  const found = new Map<number, PageRow>();
  const unindexed = await read
    .select(PAGE_COLUMNS)
    .from(betKeys)
    .innerJoin(bets, eq(bets.id, betKeys.betId))
    .where(and(inArray(betKeys.memberId, members), between(bets.id, drawn.fromBet, drawn.toBet)));
  for (const bet of unindexed) found.set(bet.id, bet);
  let left = members;
  for (let [newer, size] = [0, FIRST_LOOK]; left.length > 0; newer += size, size *= 2) {
    const rows = await newestRows(read, left, { newer, size });
    for (const { bet } of rows) if (bet) found.set(bet.id, bet);
    const seen = new Set(rows.map(({ memberId }) => memberId));
    for (const { memberId, version, bet } of rows)
      if (version <= newer + size || (bet && bet.id < drawn.fromBet)) seen.delete(memberId);
    left = [...seen];
  }
  const count = noBets();
  const sorted = [...found.values()].sort((a, b) => a.id - b.id);
  countPage(count, drawn, sorted.map(rowOf));
  return count.members;
}

/** So many rows of the members' indexes behind the `newer` newest. At least one row for each member, with its wallet's version. */
function newestRows(read: Tx, members: number[], { newer, size }: { newer: number; size: number }) {
  const { version } = journalIndex;
  const isNext = and(
    eq(journalIndex.memberId, wallets.memberId),
    gt(version, sql`${wallets.version} - ${newer + size}`),
    lte(version, sql`${wallets.version} - ${newer}`),
    eq(journalIndex.kind, "bet"),
  );
  return read
    .select({ memberId: wallets.memberId, version: wallets.version, bet: PAGE_COLUMNS })
    .from(wallets)
    .leftJoin(journalIndex, isNext)
    .leftJoin(bets, eq(bets.id, journalIndex.rowId))
    .where(inArray(wallets.memberId, members));
}

const PAGE_COLUMNS = {
  id: bets.id,
  memberId: bets.memberId,
  oddsId: bets.oddsId,
  low: sql<number>`${bets.mask} & ${sql.raw(String(LOW_MASK))}`,
  high: sql<number>`${bets.mask} >> ${sql.raw(String(LOW_BITS))}`,
  stake: bets.stake,
  total: bets.total,
  version: bets.version,
  roundId: bets.roundId,
};

type PageRow = Pick<typeof bets.$inferSelect, Exclude<keyof typeof PAGE_COLUMNS, "low" | "high">> &
  Record<"low" | "high", number>;

const rowOf = ({ id, memberId, oddsId, low, high, stake, total, version, roundId }: PageRow): BetRow => [
  id,
  memberId,
  oddsId,
  low,
  high,
  stake,
  total,
  version,
  roundId,
];

/** Members' outcomes of a settled round, with their wallets after it. */
export async function* readOutcomes(
  read: Tx,
  roundId: number,
  members: [memberId: number, counted: CountedMember][],
): AsyncGenerator<MemberOutcome[]> {
  for (let from = 0; from < members.length; from += SOME) {
    const some = members.slice(from, from + SOME);
    const ids = some.map(([memberId]) => memberId);
    const paid = await read
      .select({ memberId: payouts.memberId, balance: payouts.balanceAfter, version: payouts.version })
      .from(payouts)
      .where(and(eq(payouts.roundId, roundId), inArray(payouts.memberId, ids)));
    const unchanged = await read
      .select({ memberId: wallets.memberId, balance: wallets.balance, version: wallets.version })
      .from(wallets)
      .where(inArray(wallets.memberId, ids));
    const after = new Map([...unchanged, ...paid].map((wallet) => [wallet.memberId, wallet]));
    yield some.map(([memberId, counted]) => {
      const { balance, version } = after.get(memberId)!;
      return outcomeOf(memberId, counted, balance, version);
    });
  }
}
