import { and, desc, eq, lte } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members, spins, wheelTables } from "#db/schema/index.ts";
import { localTexts, type LocaleCode } from "#shared/locales.ts";
import { maskedName } from "#shared/masked-name.ts";
import { pageOf } from "#shared/paging.ts";
import { toSeconds } from "#shared/time.ts";
import { PUBLIC_AFTER_MS } from "#shared/wheel.ts";

interface WinnersQuery {
  locale: LocaleCode;
  now: number;
  page?: number | undefined;
  limit?: number | undefined;
}

/** Real wins, newest first. A win is listed once its wheel has stopped and its prize has been shown. */
export async function readWinners(read: Tx, query: WinnersQuery) {
  const { locale, now } = query;
  const { limit, offset } = pageOf(query);
  const rows = await read
    .select({
      prizeId: spins.prizeId,
      table: wheelTables.prizes,
      username: members.username,
      demo: members.demo,
      at: spins.createdAt,
    })
    .from(spins)
    .innerJoin(members, eq(members.id, spins.memberId))
    .innerJoin(wheelTables, eq(wheelTables.id, spins.tableId))
    .where(and(eq(spins.won, true), lte(spins.createdAt, now - PUBLIC_AFTER_MS)))
    .orderBy(desc(spins.id))
    .limit(limit)
    .offset(offset);
  return rows.map(({ prizeId, table, username, demo, at }) => {
    const { title, image } = table.find(({ id }) => id === prizeId)!;
    return {
      image,
      ...localTexts({ mmname: title }, locale),
      username: maskedName(username),
      add_time: toSeconds(at),
      demo: demo ? (1 as const) : (0 as const),
    };
  });
}
