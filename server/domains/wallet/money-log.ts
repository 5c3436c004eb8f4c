import { eq, inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { games, rounds } from "#db/schema/index.ts";
import type { Deps } from "#server/app/deps.ts";
import { readJournal, versionsBetween, type JournalRow } from "#server/domains/ledger/journal.ts";
import { localTexts, unpackText, type LocaleCode } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { pageOf } from "#shared/paging.ts";
import { Refusal } from "#shared/refusal.ts";
import { toSeconds } from "#shared/time.ts";

const PER_PAGE = 10;

interface MoneyLogQuery {
  memberId: number;
  locale: LocaleCode;
  page?: number | undefined;
  limit?: number | undefined;
  from?: number | undefined;
  to?: number | undefined;
  /** Only the change with this version. */
  version?: number | undefined;
}

/** A page of the money log. The wallet's version is its order, and tells its length. */
export async function readMoneyLog(read: Tx, { text }: Pick<Deps, "text">, query: MoneyLogQuery) {
  const { memberId, locale } = query;
  const { limit, offset } = pageOf(query, PER_PAGE);
  const { first, last } = await wantedVersions();
  const newest = last - offset;
  const rows = newest >= first ? await readJournal(read, memberId, Math.max(first, newest - limit + 1), newest) : [];
  const paidIn = await paidRounds(read, rows);
  return { list: rows.map(view), count: Math.max(0, last - first + 1) };

  async function wantedVersions() {
    const versions = await versionsBetween(read, query);
    const { version } = query;
    if (version === undefined) return versions;
    if (version > versions.last) throw new Refusal("object.unknown");
    return { first: version, last: version };
  }

  function view({ kind, rowId, code, delta, balance, version, reason, at }: JournalRow) {
    return {
      id: `${PREFIX[kind]}_${rowId}`,
      type: code,
      type_txt: text(locale, `entry.${code}`),
      ...localTexts({ desc: unpackText(reason ?? "") }, locale),
      createtime: toSeconds(at),
      money: toDecimal(delta),
      balance: toDecimal(balance),
      version,
      ...((kind === "payout" && paidIn.get(rowId)) || NO_ROUND),
    };
  }
}

const NO_ROUND = { key: null, expect: null };

/** The rounds that payouts are of, by their numbers. */
async function paidRounds(read: Tx, rows: readonly JournalRow[]) {
  const ids = rows.flatMap(({ kind, rowId }) => (kind === "payout" ? [rowId] : []));
  if (ids.length === 0) return new Map<number, { key: string; expect: string }>();
  const found = await read
    .select({ id: rounds.id, key: games.key, day: rounds.day, number: rounds.number })
    .from(rounds)
    .innerJoin(games, eq(games.id, rounds.gameId))
    .where(inArray(rounds.id, ids));
  return new Map(found.map(({ id, key, ...place }) => [id, { key, expect: roundText(place) }]));
}

const PREFIX = { bet: "bet", payout: "pay", transfer: "trf" } as const;
