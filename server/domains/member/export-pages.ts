import type { Tx } from "#db/db.ts";
import type { Deps } from "#server/app/deps.ts";
import type { LocaleCode } from "#shared/locales.ts";
import type { Row } from "./export-format.ts";

/** What an export is made of: whose, as of when, and how its reader reads. */
export interface Subject extends Pick<Deps, "text" | "settings"> {
  read: Tx;
  memberId: number;
  /** The wallet's version when it began; what comes later is not in it. */
  version: number;
  locale: LocaleCode;
  now: number;
}

/** One list of the file, in pieces of bounded size. */
export interface Section {
  name: string;
  pieces(subject: Subject): AsyncIterable<Row[]>;
}

/** Rows read at a time: a few milliseconds, so that whoever else waits for this thread goes between. */
export const PIECE = 250;

/** Rows by their id, piece after piece, each asked for from the end of the one before. */
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

/** A section that is read at once, because it never has more than a few rows. */
export const small = (name: string, rows: (subject: Subject) => Promise<Row[]>): Section => ({
  name,
  async *pieces(subject) {
    yield await rows(subject);
  },
});
