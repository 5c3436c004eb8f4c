import { asc, desc } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { prizes, wheelMembers, wheelTables } from "#db/schema/index.ts";
import type { Findings } from "./findings.ts";

/** Checks that nothing was given away that was not there, and that the chances in force are those of what is left. */
export async function auditPrizes(read: Tx, found: Findings): Promise<void> {
  const rows = await read.select().from(prizes).orderBy(asc(prizes.position));
  for (const { id, stock } of rows)
    found.check(stock === null || stock >= 0, () => `prize ${id}: ${-stock!} more were won than there were`);
  const [table] = await read.select().from(wheelTables).orderBy(desc(wheelTables.id)).limit(1);
  const chancesOf = (list: { id: string; weight: number }[]) => list.map(({ id, weight }) => `${id} ${weight}`).join();
  const left = rows.filter(({ offered, stock }) => offered && (stock === null || stock > 0));
  found.check(chancesOf(table?.prizes ?? []) === chancesOf(left), () => "the wheel does not offer what is left to win");
  for (const { memberId, used, extra } of await read.select().from(wheelMembers))
    found.check(used >= 0 && extra >= 0, () => `member ${memberId} has had more spins than they were given`);
}
