import { and, desc, eq, gte, inArray, lt } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { bets, games, journalIndex, odds, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/deps.ts";
import { readUnindexed } from "#server/domains/ledger/journal.ts";
import { optionToWire } from "#shared/contract/values.ts";
import { localText, type LocaleCode } from "#shared/locales.ts";
import { optionsOf, payoutOf, payoutOfOption, sumOf, winningMask } from "#shared/lottery/dice-sum.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { toDecimal } from "#shared/money.ts";
import { pageOf } from "#shared/paging.ts";
import { toSeconds } from "#shared/time.ts";
import { betWireId, diceView, noDice, oddsText } from "./views.ts";

type Bet = typeof bets.$inferSelect;

interface OrdersQuery {
  memberId: number;
  locale: LocaleCode;
  page?: number | undefined;
  limit?: number | undefined;
}

/** A member's orders, newest first: waiting, won or lost. */
export async function readOrders(read: Tx, { text }: Pick<Deps, "text">, query: OrdersQuery) {
  const { limit, offset } = pageOf(query);
  const page = await pageOfBets(read, query.memberId, limit, offset);
  if (page.length === 0) return [];
  const details = await read
    .select({ round: rounds, game: games, odds: odds.milli, oddsId: odds.id })
    .from(rounds)
    .innerJoin(games, eq(games.id, rounds.gameId))
    .innerJoin(odds, eq(odds.id, rounds.oddsId))
    .where(inArray(rounds.id, [...new Set(page.map((bet) => bet.roundId))]));
  const byRound = new Map(details.map((detail) => [detail.round.id, detail]));
  return page.map((bet) => orderView(bet, byRound.get(bet.roundId)!, text, query.locale));
}

type Detail = { round: typeof rounds.$inferSelect; game: typeof games.$inferSelect; odds: number[] };

function orderView(bet: Bet, { round, game, odds }: Detail, text: Deps["text"], locale: LocaleCode) {
  // Nobody is told of a win before it is paid; members are paid in the order of their ids.
  const isPaid = round.settledAt !== null || bet.memberId <= round.settledTo;
  const dice = isPaid ? round.dice! : null;
  const sum = dice && sumOf(dice);
  const win = sum === null ? null : payoutOf(bet.stake, bet.mask, sum, odds);
  const status = win === null ? "waiting" : win > 0 ? "won" : "lost";
  const winning = sum === null ? 0 : winningMask(sum);
  return {
    id: betWireId(bet.id),
    ico: game.icon,
    name: localText(game.name, locale),
    status: { waiting: 0, won: 1, lost: 2 }[status],
    status_text: text(locale, `order.${status}`),
    ...(dice ? diceView(dice) : noDice),
    money: toDecimal(bet.total),
    win: win === null ? null : toDecimal(win),
    create_time: toSeconds(bet.createdAt),
    update_time: toSeconds(round.settledAt ?? bet.createdAt),
    data: odds.flatMap((milli, bit) => {
      if (!(bet.mask & (1 << bit))) return [];
      const won = winning & (1 << bit) ? payoutOfOption(bet.stake, milli) : 0;
      return {
        expect: roundText(round),
        type: optionToWire(optionsOf(1 << bit)[0]!),
        money: toDecimal(bet.stake),
        proportion: oddsText(milli),
        win: sum === null ? null : toDecimal(won),
      };
    }),
  };
}

/**
 * The newest bets come from the keys, the rest from the index. Both may hold
 * the same versions for a moment, so all from the oldest of the first on is merged.
 */
async function pageOfBets(read: Tx, memberId: number, limit: number, offset: number): Promise<Bet[]> {
  const unindexed = (await readUnindexed(read, memberId)).bets;
  const from = Math.min(...unindexed.map((bet) => bet.version), Number.MAX_SAFE_INTEGER);
  const own = and(eq(journalIndex.memberId, memberId), eq(journalIndex.kind, "bet"));
  const recent = unindexed.length
    ? await read
        .select({ id: journalIndex.rowId })
        .from(journalIndex)
        .where(and(own, gte(journalIndex.version, from)))
    : [];
  const head = new Set([...unindexed.map(({ id }) => id), ...recent.map(({ id }) => id)]);
  const ids = [...head].sort((a, b) => b - a).slice(offset, offset + limit);
  if (ids.length < limit) {
    const older = await read
      .select({ id: journalIndex.rowId })
      .from(journalIndex)
      .where(and(own, lt(journalIndex.version, from)))
      .orderBy(desc(journalIndex.version))
      .limit(limit - ids.length)
      .offset(Math.max(0, offset - head.size));
    ids.push(...older.map(({ id }) => id));
  }
  if (ids.length === 0) return [];
  return read.select().from(bets).where(inArray(bets.id, ids)).orderBy(desc(bets.id));
}
