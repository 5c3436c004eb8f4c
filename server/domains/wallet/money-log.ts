import type { Tx } from "#db/db.ts";
import type { Deps } from "#server/app/deps.ts";
import { readJournal, type JournalRow } from "#server/domains/ledger/journal.ts";
import { readVersion } from "#server/domains/ledger/wallet.ts";
import { readPacked, type LocaleCode } from "#shared/locales.ts";
import { toDecimal } from "#shared/money.ts";
import { pageOf } from "#shared/paging.ts";
import { toSeconds } from "#shared/time.ts";

const PER_PAGE = 10;

interface MoneyLogQuery {
  memberId: number;
  locale: LocaleCode;
  page?: number | undefined;
  limit?: number | undefined;
}

/** A page of the money log. The wallet's version is both its order and its length. */
export async function readMoneyLog(read: Tx, { text }: Pick<Deps, "text">, query: MoneyLogQuery) {
  const { memberId, locale } = query;
  const { limit, offset } = pageOf(query, PER_PAGE);
  const count = await readVersion(read, memberId);
  const newest = count - offset;
  const rows = newest > 0 ? await readJournal(read, memberId, Math.max(1, newest - limit + 1), newest) : [];
  return { list: rows.map(view), count };

  function view({ kind, rowId, code, delta, balance, version, reason, at }: JournalRow) {
    return {
      id: `${PREFIX[kind]}_${rowId}`,
      type: code,
      type_txt: text(locale, `entry.${code}`),
      desc: readPacked(reason ?? "", locale),
      createtime: toSeconds(at),
      money: toDecimal(delta),
      balance: toDecimal(balance),
      version,
    };
  }
}

const PREFIX = { bet: "bet", payout: "pay", transfer: "trf" } as const;
