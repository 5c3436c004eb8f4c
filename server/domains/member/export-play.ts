import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import {
  betKeys,
  bets,
  comments,
  journalIndex,
  listingLooks,
  listingMarks,
  listings,
  savedVideos,
  spins,
  videos,
  watchPlaces,
} from "#db/schema/index.ts";
import {
  indexedBets,
  isReturned,
  publicDraw,
  statusOf,
  unindexedBets,
  type BetRow,
} from "#server/domains/ledger/bet-rows.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { localText } from "#shared/locales.ts";
import { rulesOf } from "#shared/lottery/games.ts";
import { payoutOf, placesOf, ratesOf } from "#shared/lottery/rules.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { toDecimal, type Money } from "#shared/money.ts";
import { SECOND_MS, toIso } from "#shared/time.ts";
import { stepOf } from "#shared/unit.ts";
import { videoWireId } from "#shared/video.ts";
import type { Row } from "./export-format.ts";
import { byId, PIECE, type Section, type Subject } from "./export-pages.ts";

function betsOf(read: Tx, { memberId }: Subject, after: number, newest: number) {
  const isBet = and(eq(journalIndex.memberId, memberId), sql`${journalIndex.kind} = 'bet'`);
  return indexedBets(read)
    .where(and(isBet, gt(journalIndex.version, after), lte(journalIndex.version, newest)))
    .orderBy(asc(journalIndex.version))
    .limit(PIECE);
}

/** Bets whose round is not settled and indexed yet. */
const openBets = (read: Tx, { memberId, version }: Subject) =>
  unindexedBets(read)
    .where(and(eq(betKeys.memberId, memberId), lte(bets.version, version)))
    .orderBy(asc(bets.version));

/** All bets in the order they were placed; each with what its draw can be checked with, and where. */
const placed: Section = {
  name: "bets",
  async *pieces(subject) {
    const { read, version: newest } = subject;
    const step = stepOf(await readUnit(read));
    const view = (one: BetRow) => betRow(one, step);
    // Open bets first: one that is indexed in between is then filtered out, and none is lost.
    const open = await openBets(read, subject);
    const isOpen = new Set(open.map(({ id }) => id));
    for (let after = 0; ;) {
      const page = await betsOf(read, subject, after, newest);
      if (page.length > 0) yield page.filter(({ id }) => !isOpen.has(id)).map(view);
      if (page.length < PIECE) break;
      after = page.at(-1)!.version;
    }
    for (let i = 0; i < open.length; i += PIECE) yield open.slice(i, i + PIECE).map(view);
  },
};

/** Odds that depend on how often an option falls stand side by side: `2/3/13`. */
function betRow(one: BetRow, step: Money): Row {
  const dice = publicDraw(one);
  const rules = rulesOf(one.kind);
  const win = isReturned(one) ? one.total : dice && payoutOf(rules, one, dice, one.odds, step);
  const chosen = placesOf(rules, one.mask);
  return {
    id: `bet_${one.id}`,
    time: toIso(one.createdAt),
    amount: toDecimal(-one.total),
    balance: toDecimal(one.balance),
    version: String(one.version),
    status: statusOf(one, win),
    game: one.key,
    round: roundText(one),
    options: chosen.map((place) => rules.options[place]!.type),
    odds: chosen.map((place) =>
      ratesOf(rules, place, one.odds)
        .map((rate) => rate / 1000)
        .join("/"),
    ),
    stake: toDecimal(one.stake),
    ...(dice && { dice: dice.map(String) }),
    ...(win !== null && { win: toDecimal(win) }),
    proof: `/api/fair/round?key=${one.key}&expect=${roundText(one)}`,
  };
}

/** Every spin of the wheel: which prize, what it cost, and its place among those of its pair of seeds. */
const spun: Section = {
  name: "spins",
  pieces: ({ read, memberId }) =>
    byId(
      (after, most) =>
        read
          .select()
          .from(spins)
          .where(and(eq(spins.memberId, memberId), gt(spins.id, after)))
          .orderBy(asc(spins.id))
          .limit(most),
      ({ id, createdAt, kind, prizeId, amount, price, nonce }) => ({
        id: `spin_${id}`,
        time: toIso(createdAt),
        kind,
        text: prizeId,
        amount: toDecimal(-price),
        win: kind === "points" ? toDecimal(amount) : String(amount),
        round: String(nonce),
        proof: "/api/fair/wheel",
      }),
    ),
};

/** Rows scanned at a time: a member's comments lie among everybody's. */
const WINDOW = 5_000;

/** The member's comments on listings, with their hearts (`kind`). */
const writtenComments: Section = {
  name: "comments",
  async *pieces({ read, memberId }) {
    const [last] = await read.select({ id: sql<number | null>`max(${comments.id})` }).from(comments);
    for (let from = 0; from < (last?.id ?? 0); from += WINDOW) {
      const within = and(gt(comments.id, from), lte(comments.id, from + WINDOW));
      const rows = await read
        .select()
        .from(comments)
        .where(and(within, eq(comments.memberId, memberId)))
        .orderBy(asc(comments.id));
      yield rows.map(({ id, createdAt, text, hearts, shown }) => ({
        id: `com_${id}`,
        time: toIso(createdAt),
        kind: `${hearts} hearts`,
        text,
        status: shown === null ? "waiting" : shown ? "shown" : "hidden",
      }));
    }
  },
};

/** The videos the member watched, and the second at which they last stopped (`kind`). */
const watched: Section = {
  name: "videos",
  pieces: ({ read, memberId, locale }) =>
    byId(
      (after, most) =>
        read
          .select({
            id: watchPlaces.videoId,
            title: videos.title,
            positionMs: watchPlaces.positionMs,
            updatedAt: watchPlaces.updatedAt,
          })
          .from(watchPlaces)
          .innerJoin(videos, eq(videos.id, watchPlaces.videoId))
          .where(and(eq(watchPlaces.memberId, memberId), gt(watchPlaces.videoId, after)))
          .orderBy(asc(watchPlaces.videoId))
          .limit(most),
      ({ id, title, positionMs, updatedAt }) => ({
        id: videoWireId(id),
        time: toIso(updatedAt),
        kind: `${positionMs / SECOND_MS} seconds`,
        text: localText(title, locale),
      }),
    ),
};

/** The videos and listings that the member saved, and the listings opened last (`kind`). They are at most a few hundred. */
const marked: Section = {
  name: "marks",
  async *pieces({ read, memberId, locale }) {
    const kept = await read
      .select({ id: savedVideos.videoId, at: savedVideos.createdAt, name: videos.title })
      .from(savedVideos)
      .leftJoin(videos, eq(videos.id, savedVideos.videoId))
      .where(eq(savedVideos.memberId, memberId))
      .orderBy(asc(savedVideos.videoId));
    const { kind, markedAt, listingId } = listingMarks;
    const seen = await read
      .select({ id: listingId, at: markedAt, kind, name: listings.name })
      .from(listingMarks)
      .leftJoin(listings, and(eq(listings.id, listingId), eq(listings.paused, false)))
      .where(eq(listingMarks.memberId, memberId))
      .orderBy(asc(kind), asc(listingId));
    const rows = [
      ...kept.map((row) => ({ ...row, kind: "saved", id: videoWireId(row.id) })),
      ...seen.map((row) => ({ ...row, id: `lst_${row.id}` })),
    ];
    yield rows.map(({ id, at, kind: how, name }) => ({
      id,
      time: toIso(at),
      kind: how,
      text: name === null ? "" : localText(name, locale),
    }));
  },
};

/** Whose address and contact the member saw, and when. A look outlives its listing. */
const looked: Section = {
  name: "looks",
  async *pieces({ read, memberId, locale }) {
    const { id: rowId, listingId, createdAt } = listingLooks;
    const isShown = and(eq(listings.id, listingId), eq(listings.paused, false));
    for (let after = 0; ;) {
      const rows = await read
        .select({ rowId, id: listingId, at: createdAt, name: listings.name })
        .from(listingLooks)
        .leftJoin(listings, isShown)
        .where(and(eq(listingLooks.memberId, memberId), gt(rowId, after)))
        .orderBy(asc(rowId))
        .limit(PIECE);
      const text = (name: (typeof rows)[number]["name"]) => (name === null ? "" : localText(name, locale));
      if (rows.length > 0)
        yield rows.map(({ id, at, name }) => ({ id: `lst_${id}`, time: toIso(at), text: text(name) }));
      if (rows.length < PIECE) return;
      after = rows.at(-1)!.rowId;
    }
  },
};

export const PLAY_SECTIONS: readonly Section[] = [placed, spun, writtenComments, watched, marked, looked];
