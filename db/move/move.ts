import type { Address } from "./address.ts";
import { openPostgresSource } from "./postgres-source.ts";
import { openPostgresTarget } from "./postgres-target.ts";
import type { TableWriter, Source, Target } from "./sides.ts";
import { openSqliteSource } from "./sqlite-source.ts";
import { openSqliteTarget } from "./sqlite-target.ts";
import { listTables, type MovedTable } from "./tables.ts";
import { compareTallies, type Tally } from "./tally.ts";
import { Unmovable } from "./unmovable.ts";

interface MoveOptions {
  /** The copy's epoch, which tells clients that versions may have gone back. */
  epoch: string;
  /** Reports the progress, from 0 to 1. */
  progress(what: string, done: number): void;
  /**
   * Audits the copy, through an environment that leads there. Returns how many rows of some tables it saw. Throws
   * Unmovable when something does not agree.
   */
  audit(env: Record<string, string>): Promise<Record<string, number>>;
}

interface MoveResult {
  tables: number;
  rows: number;
}

/**
 * Copies a whole site, checks the copy, and only then marks it as finished. The source is never written to. A move that
 * breaks off leaves an unfinished copy, and the next one starts over. Throws Unmovable for problems that the operator can
 * solve.
 */
export async function moveSite(from: Address, to: Address, options: MoveOptions): Promise<MoveResult> {
  const source = from.kind === "sqlite" ? openSqliteSource(from.file) : await openPostgresSource(from);
  try {
    const target = to.kind === "sqlite" ? await openSqliteTarget(to.file) : await openPostgresTarget(to);
    try {
      const rows = await copyAndCheck(source, target, options);
      if (await source.hasChanged())
        throw new Unmovable(
          `${from.name} was changed while it was copied: a server is still running on it. Stop it, then move again.`,
        );
      await target.finish();
      return rows;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function copyAndCheck(source: Source, target: Target, options: MoveOptions): Promise<MoveResult> {
  const tables = listTables();
  const tallies: Tally[] = [];
  for (const table of tables) {
    options.progress("counting", tallies.length / tables.length);
    tallies.push(await source.tally(table));
  }
  await target.fill(options.epoch, async (pen) => {
    for (const [i, table] of tables.entries()) await copyTable(source, pen, table, Number(tallies[i]!.rows), options);
  });
  const differences: string[] = [];
  for (const [i, table] of tables.entries()) {
    options.progress("comparing", i / tables.length);
    differences.push(...compareTallies(table, tallies[i]!, await target.tally(table)));
  }
  if (differences.length) throw new Unmovable(`The copy differs from the source. ${differences.join("; ")}.`);
  options.progress("audit", 1);
  const seen = await options.audit(await target.release());
  for (const [i, { name }] of tables.entries()) {
    if (name in seen && BigInt(seen[name]!) !== tallies[i]!.rows)
      throw new Error(
        `the audit counted ${seen[name]} ${name} instead of ${tallies[i]!.rows}: it ran on another database`,
      );
  }
  return { tables: tables.length, rows: tallies.reduce((sum, { rows }) => sum + Number(rows), 0) };
}

async function copyTable(
  source: Source,
  pen: TableWriter,
  table: MovedTable,
  rows: number,
  { progress }: MoveOptions,
): Promise<void> {
  let done = 0;
  progress(table.name, 0);
  for await (const page of source.pages(table)) {
    await pen.write(table, page);
    done += page.length;
    progress(table.name, done / rows);
  }
  await pen.numberAbove(table, await source.lastGiven(table));
}
