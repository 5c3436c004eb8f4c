import { and, asc, desc, eq, gt, isNull, or } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { prepared } from "#db/prepared.ts";
import { prizes, wheelTables } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { addTable } from "#server/domains/log/table-leaf.ts";
import { rowsOf, tableHash } from "#shared/wheel.ts";

export type PrizeTable = typeof wheelTables.$inferSelect;

/** What binds a pair to this table. Tables that give the same with the same chances have the same hash. */
export const hashOf = ({ prizes }: PrizeTable): string => tableHash(rowsOf(prizes));

const newest = prepared((read) => read.select().from(wheelTables).orderBy(desc(wheelTables.id)).limit(1).prepare());

/** The current chances, in the order of the wheel; undefined until prizes are first set. */
export async function readTable(read: Tx): Promise<PrizeTable | undefined> {
  const [table] = await newest(read).execute();
  return table;
}

/** Writes a new table of the prizes that are offered and in stock, states it in the public log, and announces it to every server. */
export async function writeTable(tx: Tx, deps: Pick<Deps, "clock" | "announce">): Promise<void> {
  const { id, weight, title, image, kind, amount, offered, stock, position } = prizes;
  const rows = await tx
    .select({ id, weight, title, image, kind, amount })
    .from(prizes)
    .where(and(eq(offered, true), or(isNull(stock), gt(stock, 0))))
    .orderBy(asc(position));
  await addTable(tx, rows, deps.clock.now());
  await deps.announce(tx, "prizes.changed", {});
}
