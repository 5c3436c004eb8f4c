import { and, asc, eq, gt, inArray, lte } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { bets, games, odds, payouts, rounds, wallets } from "#db/schema/index.ts";
import type { MemberOutcome } from "#server/app/deps.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { sql } from "#db/columns.ts";
import { LOW_BITS, LOW_MASK } from "#shared/lottery/settler.ts";
import { countPage, noBets, outcomeOf, PAGE, settlersOf } from "./count-bets.ts";
import type { BetRow, Count, CountedMember } from "./count-bets.ts";

/** Members per query. */
const SOME = 500;

/** Counts all bets of a drawn round that another process settles. Page by page: there may be many. */
export async function readCount(read: Tx, roundId: number): Promise<Count> {
  const [found] = await read
    .select({ round: rounds, kind: games.kind })
    .from(rounds)
    .innerJoin(games, eq(games.id, rounds.gameId))
    .where(eq(rounds.id, roundId));
  const { round, kind } = found!;
  const { id, oddsId, fromBet, toBet, dice } = round;
  const table = await read.select({ id: odds.id, milli: odds.milli }).from(odds).where(eq(odds.id, oddsId));
  const drawn = {
    id,
    fromBet,
    toBet: toBet!,
    settlers: settlersOf({
      kind,
      dice,
      odds: table.map(({ id, milli }) => [id, milli] as const),
      unit: await readUnit(read),
    }),
  };
  const count = noBets();
  for (let after: number | null = fromBet - 1; after !== null;) {
    const page = await read
      .select(PAGE_COLUMNS)
      .from(bets)
      .where(and(gt(bets.id, after), lte(bets.id, toBet!)))
      .orderBy(asc(bets.id))
      .limit(PAGE);
    after = countPage(count, drawn, page.map(rowOf));
    // Lets other requests run between pages, on either engine.
    await new Promise(setImmediate);
  }
  return count;
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
