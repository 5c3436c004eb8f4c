import { and, between, desc, eq, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { placeholder } from "#db/columns.ts";
import { prepared } from "#db/prepared.ts";
import { betKeys, bets, journalIndex, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import {
  indexedBets,
  isReturned,
  publicDraw,
  statusOf,
  unindexedBets,
  type BetRow,
} from "#server/domains/ledger/bet-rows.ts";
import { versionsBetween, type Versions } from "#server/domains/ledger/journal.ts";
import { readVersion } from "#server/domains/ledger/wallet.ts";
import { localTexts, type LocaleCode } from "#shared/locales.ts";
import { sumOf } from "#shared/lottery/dice.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { oddsRecord, oddsText } from "#shared/lottery/odds-record.ts";
import { payoutAt, placesOf, ratesOf, winnersOf } from "#shared/lottery/rules.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { toDecimal, type Money } from "#shared/money.ts";
import { pageOf } from "#shared/paging.ts";
import { recordNumber } from "#shared/record-number.ts";
import { Refusal } from "#shared/refusal.ts";
import { toSeconds } from "#shared/time.ts";
import { stepOf } from "#shared/unit.ts";
import { oddsTerms } from "#server/domains/log/odds-leaf.ts";
import type { Game } from "./read-games.ts";
import { betOfWireId, betWireId, drawView, noDice } from "./views.ts";

interface OrdersQuery {
  memberId: number;
  locale: LocaleCode;
  page?: number | undefined;
  limit?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** Only the bet with this id. */
  id?: string | undefined;
}

/** A member's orders, newest first: waiting, settled, lost or returned; won only if more came back than was staked. */
export async function readOrders(read: Tx, { text, settings }: Pick<Deps, "text" | "settings">, query: OrdersQuery) {
  const { limit, offset } = pageOf(query);
  // Open bets first: one that is indexed in between is then filtered out, and none is lost.
  const { first, last } = await wantedVersions(read, query);
  const open = await unindexed(read).execute({ member: query.memberId });
  const recent = open.filter(({ version }) => version >= first && version <= last);
  const skipped = Math.max(0, offset - recent.length);
  const rest = { limit: offset + limit - skipped, offset: skipped, first, last };
  const known = new Map(recent.map((order) => [order.id, order]));
  for (const order of await indexed(read).execute({ member: query.memberId, ...rest })) known.set(order.id, order);
  const page = [...known.values()].sort((a, b) => b.id - a.id).slice(offset - skipped, offset - skipped + limit);
  const step = stepOf(settings.get("unit"));
  return page.map((order) => orderView(order, { text, step, locale: query.locale }));
}

/** Every bet has a version of its wallet, so the period, or the one bet, is a range of them. */
async function wantedVersions(read: Tx, { memberId, from, to, id }: OrdersQuery): Promise<Versions> {
  if (id === undefined) return versionsBetween(read, { memberId, from, to });
  const wanted = and(eq(bets.id, betOfWireId(id) || 0), eq(bets.memberId, memberId));
  const [bet] = await read.select({ version: bets.version }).from(bets).where(wanted);
  if (!bet) throw new Refusal("object.unknown");
  return { first: bet.version, last: bet.version };
}

const unindexed = prepared((read) =>
  unindexedBets(read)
    .where(eq(betKeys.memberId, placeholder("member")))
    .orderBy(desc(bets.id))
    .prepare(),
);

const indexed = prepared((read) =>
  indexedBets(read)
    .where(
      and(
        eq(journalIndex.memberId, placeholder("member")),
        sql`${journalIndex.kind} = 'bet'`,
        between(journalIndex.version, placeholder("first"), placeholder("last")),
      ),
    )
    .orderBy(desc(journalIndex.version))
    .limit(placeholder("limit"))
    .offset(placeholder("offset"))
    .prepare(),
);

/** Rounds of a game that its table shows. */
const NEWEST = 3;
const PAGE = 50;

const newestRounds = prepared((read) =>
  read
    .select({ from: rounds.fromBet, to: rounds.toBet })
    .from(rounds)
    .where(eq(rounds.gameId, placeholder("game")))
    .orderBy(desc(rounds.day), desc(rounds.number))
    .limit(NEWEST)
    .prepare(),
);

/** A member's stakes on a game's newest rounds, and on its older ones that wait, by option; newest first. */
export async function readOwnRounds(read: Tx, step: Money, game: Game, memberId: number) {
  const known = new Map((await unindexed(read).execute({ member: memberId })).map((bet) => [bet.id, bet]));
  for (const { from, to } of await newestRounds(read).execute({ game: game.id }))
    for (const bet of await indexedWithin(read, memberId, { from, to: to ?? Infinity })) known.set(bet.id, bet);
  return byRound(
    [...known.values()].filter(({ key }) => key === game.key),
    step,
  );
}

/** A member's bets on a game's round, as the wire names them. */
export async function readBetIds(
  read: Tx,
  { game, round }: { game: Game; round: typeof rounds.$inferSelect },
  memberId: number,
): Promise<string[]> {
  const waiting = await unindexed(read).execute({ member: memberId });
  const within = { from: round.fromBet, to: round.toBet ?? Infinity };
  const bets = [...waiting, ...(await indexedWithin(read, memberId, within))];
  const ofRound = bets.filter((bet) => bet.key === game.key && roundText(bet) === roundText(round));
  return [...new Set(ofRound.map(({ id }) => betWireId(id)))];
}

interface BetIds {
  from: number;
  to: number;
}

/** A member's indexed bets up to a version of their wallet, the newest first. */
const newestTo = (read: Tx, { memberId, last, limit }: { memberId: number; last: number; limit: number }) =>
  indexed(read).execute({ member: memberId, limit, offset: 0, first: 1, last });

/** A member's indexed bets with ids in a range, of all games. What they bet before and since is not read. */
async function indexedWithin(read: Tx, memberId: number, { from, to }: BetIds): Promise<BetRow[]> {
  const found: BetRow[] = [];
  for (let last = await lastVersionTo(read, memberId, to); ;) {
    const page = await newestTo(read, { memberId, last, limit: PAGE });
    found.push(...page.filter(({ id }) => id >= from));
    const oldest = page.at(-1);
    if (page.length < PAGE || oldest!.id <= from) return found;
    last = oldest!.version - 1;
  }
}

/** The last version of a wallet before the first indexed bet with a greater id. Both grow together, so a few reads find it. */
async function lastVersionTo(read: Tx, memberId: number, bet: number): Promise<number> {
  let [low, high] = [0, await readVersion(read, memberId)];
  while (low < high && bet !== Infinity) {
    const middle = Math.ceil((low + high) / 2);
    const [newest] = await newestTo(read, { memberId, last: middle, limit: 1 });
    if (newest && newest.id > bet) high = newest.version - 1;
    else low = middle;
  }
  return high;
}

/** A member's stakes on the rounds of all games that wait, by option. A bet that waits is not indexed yet. */
export async function readWaitingRounds(read: Tx, step: Money, memberId: number) {
  const open = await unindexed(read).execute({ member: memberId });
  return byRound(open, step).filter(({ win }) => win === null);
}

/** The bets of each round together, newest round first. */
function byRound(bets: readonly BetRow[], step: Money) {
  const rounds = Map.groupBy(bets, (bet) => `${roundText(bet)} ${bet.key}`);
  const names = [...rounds.keys()].toSorted().toReversed();
  return names.map((name) => ownRound(rounds.get(name)!, step));
}

/** One round's bets. They are all at the odds of their round. */
function ownRound(bets: BetRow[], step: Money) {
  const [bet] = bets as [BetRow];
  const rules = rulesOf(bet.kind);
  const [draw, isBack] = [publicDraw(bet), isReturned(bet)];
  const options = placesOf(
    rules,
    bets.reduce((mask, one) => mask | one.mask, 0n),
  ).map((place) => {
    const stakes = bets.filter(({ mask }) => mask & (1n << BigInt(place))).map(({ stake }) => stake);
    const money = sumOf(stakes);
    const pays = ratesOf(rules, place, bet.odds).map((rate) => sumOf(stakes.map((one) => payoutAt(one, rate, step))));
    const won = draw && (pays[rules.options[place]!.times(draw) - 1] ?? 0);
    const win = isBack ? money : won;
    return { type: rules.options[place]!.type, money, pays, win };
  });
  const isOver = isBack || draw !== null;
  return {
    key: bet.key,
    expect: roundText(bet),
    opencode: draw && [...draw],
    money: toDecimal(sumOf(bets.map(({ total }) => total))),
    win: isOver ? toDecimal(sumOf(options.map(({ win }) => win!))) : null,
    options: options.map(({ type, money, pays, win }) => ({
      type,
      money: toDecimal(money),
      pays: pays.map(toDecimal),
      win: win === null ? null : toDecimal(win),
    })),
  };
}

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
  const status = statusOf(order, win);
  return {
    id: betWireId(order.id),
    number: recordNumber("bet", order.id),
    odds: oddsRecord(rules, order.odds, termsOf(order)).hash,
    key: order.key,
    kind: order.kind,
    ico: order.icon,
    ...localTexts({ name: order.name }, locale),
    status: { waiting: 0, won: 1, settled: 1, lost: 2, returned: 3 }[status],
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
