import type { Tx } from "#db/db.ts";
import type { Deps } from "#server/app/deps.ts";
import type { LocaleCode } from "#shared/locales.ts";
import type { Row } from "./export-format.ts";

/** Whose export it is, as of when, and in which language. */
export interface Subject extends Pick<Deps, "text" | "settings" | "db"> {
  read: Tx;
  memberId: number;
  /** The wallet's version at the start; later entries are left out. */
  version: number;
  locale: LocaleCode;
  now: number;
}

/** One list of the file, in pieces of bounded size. */
export interface Section {
  name: string;
  pieces(subject: Subject): AsyncIterable<Row[]>;
}

/** Rows per query: a few milliseconds, so that other requests get the thread in between. */
export const PIECE = 250;

/** Pages through rows by id; each page begins after the last one. */
export async function* byId<R extends { id: number }>(
  ask: (after: number, most: number) => Promise<R[]>,
  view: (row: R) => Row,
): AsyncGenerator<Row[]> {
  for (let after = 0; ;) {
    const rows = await ask(after, PIECE);
    if (rows.length > 0) yield rows.map(view);
    if (rows.length < PIECE) return;
    after = rows.at(-1)!.id;
  }
}

/** A section of a few rows, read at once. */
export const small = (name: string, rows: (subject: Subject) => Promise<Row[]>): Section => ({
  name,
  async *pieces(subject) {
    yield await rows(subject);
  },
});
