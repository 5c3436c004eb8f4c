import { and, desc, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/connect.ts";
import { given } from "#db/columns.ts";
import { prepared } from "#db/prepared.ts";
import { betKeys, bets, games, journalIndex, odds, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/deps.ts";
import { optionToWire } from "#shared/contract/values.ts";
import { localText, type LocaleCode } from "#shared/locales.ts";
import { OPTIONS, payoutOf, payoutOfOption, sumOf, winningMask } from "#shared/lottery/dice-sum.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { toDecimal } from "#shared/money.ts";
import { pageOf } from "#shared/paging.ts";
import { toSeconds } from "#shared/time.ts";
import { betWireId, diceView, noDice, oddsText } from "./views.ts";

interface OrdersQuery {
  memberId: number;
  locale: LocaleCode;
  page?: number | undefined;
  limit?: number | undefined;
}

/** A member's orders, newest first: waiting, won or lost. */
export async function readOrders(read: Tx, { text }: Pick<Deps, "text">, query: OrdersQuery) {
  const { limit, offset } = pageOf(query);
  // Bets are found through their keys until they are indexed; those are read first, so that none slips between.
  const recent = await unindexed(read).all({ member: query.memberId });
  const skipped = Math.max(0, offset - recent.length);
  const rest = { limit: offset + limit - skipped, offset: skipped };
  const known = new Map(recent.map((order) => [order.id, order]));
  for (const order of await indexed(read).all({ member: query.memberId, ...rest })) known.set(order.id, order);
  const page = [...known.values()].sort((a, b) => b.id - a.id).slice(offset - skipped, offset - skipped + limit);
  return page.map((order) => orderView(order, text, query.locale));
}

const columns = {
  id: bets.id,
  mask: bets.mask,
  stake: bets.stake,
  total: bets.total,
  memberId: bets.memberId,
  createdAt: bets.createdAt,
  odds: odds.milli,
  day: rounds.day,
  number: rounds.number,
  dice: rounds.dice,
  settledAt: rounds.settledAt,
  settledTo: rounds.settledTo,
  key: games.key,
  icon: games.icon,
  name: games.name,
};

const unindexed = prepared((read) =>
  read
    .select(columns)
    .from(betKeys)
    .innerJoin(bets, eq(bets.id, betKeys.betId))
    .innerJoin(rounds, eq(rounds.id, bets.roundId))
    .innerJoin(games, eq(games.id, rounds.gameId))
    .innerJoin(odds, eq(odds.id, bets.oddsId))
    .where(eq(betKeys.memberId, given("member")))
    .orderBy(desc(bets.id))
    .prepare(),
);

const indexed = prepared((read) =>
  read
    .select(columns)
    .from(journalIndex)
    .innerJoin(bets, eq(bets.id, journalIndex.rowId))
    .innerJoin(rounds, eq(rounds.id, bets.roundId))
    .innerJoin(games, eq(games.id, rounds.gameId))
    .innerJoin(odds, eq(odds.id, bets.oddsId))
    .where(and(eq(journalIndex.memberId, given("member")), sql`${journalIndex.kind} = 'bet'`))
    .orderBy(desc(journalIndex.version))
    .limit(given("limit"))
    .offset(given("offset"))
    .prepare(),
);

type Order = Awaited<ReturnType<ReturnType<typeof indexed>["all"]>>[number];

function orderView(order: Order, text: Deps["text"], locale: LocaleCode) {
  // Nobody is told of a win before it is paid; members are paid in the order of their ids.
  const isPaid = order.settledAt !== null || order.memberId <= order.settledTo;
  const dice = isPaid ? order.dice! : null;
  const sum = dice && sumOf(dice);
  const win = sum === null ? null : payoutOf(order.stake, order.mask, sum, order.odds);
  const status = win === null ? "waiting" : win > 0 ? "won" : "lost";
  const winning = sum === null ? 0 : winningMask(sum);
  return {
    id: betWireId(order.id),
    key: order.key,
    ico: order.icon,
    name: localText(order.name, locale),
    status: { waiting: 0, won: 1, lost: 2 }[status],
    status_text: text(locale, `order.${status}`),
    ...(dice ? diceView(dice) : noDice),
    money: toDecimal(order.total),
    win: win === null ? null : toDecimal(win),
    create_time: toSeconds(order.createdAt),
    update_time: toSeconds(order.settledAt ?? order.createdAt),
    data: order.odds.flatMap((milli, bit) => {
      if (!(order.mask & (1 << bit))) return [];
      const won = winning & (1 << bit) ? payoutOfOption(order.stake, milli) : 0;
      return {
        expect: roundText(order),
        type: optionToWire(OPTIONS[bit]!),
        money: toDecimal(order.stake),
        proportion: oddsText(milli),
        win: sum === null ? null : toDecimal(won),
      };
    }),
  };
}
