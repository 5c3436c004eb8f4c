import type Sqlite from "better-sqlite3";
import type { JobContext } from "#db/sqlite/writer.ts";
import { betPage, Growth, MOST_AT_ONCE, type BetRow, type Grown, type ToGrow } from "./grow-bets.ts";
import { newSalter, salter } from "./read-salts.sqlite.ts";

/** Takes bets into the trees of their rounds, a page at a time. Members without a salt get theirs. */
export function* growBets({ raw }: JobContext, range: ToGrow): Generator<undefined, Grown> {
  const upTo = range.upTo ?? Math.min(lastBet(raw), range.after + MOST_AT_ONCE);
  // Whoever makes a tree anew, as the audit does, reads the salts anew too.
  const saltsOf = range.taken ? salter(raw) : newSalter(raw);
  const growth = new Growth(range, upTo);
  const pages = raw.prepare(betPage("?", "?")).raw();
  for (; growth.after !== null; yield) {
    const page = pages.all(growth.after, upTo) as BetRow[];
    growth.add(page, saltsOf(growth.unsalted(page)));
  }
  return growth.grown;
}

/** The writer thread is the only writer, so what is here is committed. */
const lastBet = (raw: Sqlite.Database): number =>
  raw.prepare("select coalesce(max(id), 0) from bets").pluck().get() as number;
