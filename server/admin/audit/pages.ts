import { sql, type Column, type SQL } from "drizzle-orm";

const PAGE = 5_000;

/** Where reading by numbers begins. No row has one below 1; one that somebody gave such a number is read, too. */
export const BEFORE_ALL = Number.MIN_SAFE_INTEGER;

/** Rows after a place in the order of two columns, so that their index leads there. */
export const isAfter = ([first, second]: [Column, Column], [at, then]: [number, number | string]): SQL =>
  sql`(${first}, ${second}) > (${at}, ${then})`;

/** Reads a table of any size by row number, a row at a time. */
export async function* inPages<T extends { id: number }>(
  read: (after: number, limit: number) => PromiseLike<T[]>,
): AsyncGenerator<T> {
  for await (const rows of pagesOf(read)) yield* rows;
}

/** The same, a page at a time: what belongs to its rows is read by one statement a page. */
export async function* pagesOf<T extends { id: number }>(
  read: (after: number, limit: number) => PromiseLike<T[]>,
): AsyncGenerator<T[]> {
  for (let last = BEFORE_ALL; ;) {
    const rows = await read(last, PAGE);
    if (rows.length > 0) yield rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1)!.id;
  }
}
