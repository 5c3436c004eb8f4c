import { and, desc, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { placeholder } from "#db/columns.ts";
import { prepared } from "#db/prepared.ts";
import { betKeys, bets, journalIndex } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { indexedBets, isReturned, publicDraw, unindexedBets, type BetRow } from "#server/domains/ledger/bet-rows.ts";
import { localText, type LocaleCode } from "#shared/locales.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { oddsRecord, oddsText } from "#shared/lottery/odds-record.ts";
import { payoutAt, placesOf, ratesOf, winnersOf } from "#shared/lottery/rules.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { toDecimal, type Money } from "#shared/money.ts";
import { pageOf } from "#shared/paging.ts";
import { toSeconds } from "#shared/time.ts";
import { stepOf } from "#shared/unit.ts";
import { oddsTerms } from "#server/domains/log/odds-leaf.ts";
import { betWireId, drawView, noDice } from "./views.ts";

interface OrdersQuery {
  memberId: number;
  locale: LocaleCode;
  page?: number | undefined;
  limit?: number | undefined;
}

/** A member's orders, newest first: waiting, won, lost or returned. */
export async function readOrders(read: Tx, { text, settings }: Pick<Deps, "text" | "settings">, query: OrdersQuery) {
  const { limit, offset } = pageOf(query);
  // Open bets first: one that is indexed in between is then filtered out, and none is lost.
  const recent = await unindexed(read).execute({ member: query.memberId });
  const skipped = Math.max(0, offset - recent.length);
  const rest = { limit: offset + limit - skipped, offset: skipped };
  const known = new Map(recent.map((order) => [order.id, order]));
  for (const order of await indexed(read).execute({ member: query.memberId, ...rest })) known.set(order.id, order);
  const page = [...known.values()].sort((a, b) => b.id - a.id).slice(offset - skipped, offset - skipped + limit);
  const step = stepOf(settings.get("unit"));
  return page.map((order) => orderView(order, { text, step, locale: query.locale }));
}

const unindexed = prepared((read) =>
  unindexedBets(read)
    .where(eq(betKeys.memberId, placeholder("member")))
    .orderBy(desc(bets.id))
    .prepare(),
);

const indexed = prepared((read) =>
  indexedBets(read)
    .where(and(eq(journalIndex.memberId, placeholder("member")), sql`${journalIndex.kind} = 'bet'`))
    .orderBy(desc(journalIndex.version))
    .limit(placeholder("limit"))
    .offset(placeholder("offset"))
    .prepare(),
);

interface Shown extends Pick<Deps, "text"> {
  step: Money;
  locale: LocaleCode;
}

const termsOf = (order: BetRow) => oddsTerms(order, { id: order.oddsId, unit: order.unit, createdAt: order.oddsFrom });

function orderView(order: BetRow, { text, step, locale }: Shown) {
  const rules = rulesOf(order.kind);
  const [draw, isBack] = [publicDraw(order), isReturned(order)];
  const isOver = isBack || draw !== null;
  const winners = draw && new Map(winnersOf(rules, draw, order.odds).map(({ place, rateMilli }) => [place, rateMilli]));
  const options = placesOf(rules, order.mask).map((place) => {
    const rate = winners?.get(place);
    const won = rate === undefined ? 0 : payoutAt(order.stake, rate, step);
    const paid = isBack ? order.stake : won;
    return { place, rate: rate ?? ratesOf(rules, place, order.odds)[0]!, paid };
  });
  const win = isOver ? options.reduce((sum, { paid }) => sum + paid, 0) : null;
  const status = win === null ? "waiting" : isBack ? "returned" : win > 0 ? "won" : "lost";
  return {
    id: betWireId(order.id),
    odds: oddsRecord(rules, order.odds, termsOf(order)).hash,
    key: order.key,
    kind: order.kind,
    ico: order.icon,
    name: localText(order.name, locale),
    status: { waiting: 0, won: 1, lost: 2, returned: 3 }[status],
    status_text: text(locale, `order.${status}`),
    ...(draw ? drawView(order.kind, draw) : noDice),
    money: toDecimal(order.total),
    win: win === null ? null : toDecimal(win),
    create_time: toSeconds(order.createdAt),
    update_time: toSeconds(order.settledAt ?? order.createdAt),
    data: options.map(({ place, rate, paid }) => ({
      expect: roundText(order),
      type: rules.options[place]!.type,
      money: toDecimal(order.stake),
      proportion: oddsText(rate),
      win: isOver ? toDecimal(paid) : null,
    })),
  };
}
