import { eq, sql } from "drizzle-orm";
import { dialect } from "#db/columns.ts";
import type { Tx } from "#db/db.ts";
import { houseEntries, transfers } from "#db/schema/ledger.ts";
import { settings } from "#db/schema/site.ts";
import { Refusal } from "#shared/refusal.ts";
import { POINTS } from "#shared/unit.ts";

/** The unit that the ledger is kept in, as it stands in the database: a server may not have heard of a change yet. */
export async function readUnit(read: Tx): Promise<string> {
  const [row] = await read.select({ value: settings.value }).from(settings).where(eq(settings.name, "unit"));
  return (row?.value as string | undefined) ?? POINTS;
}

/**
 * Holds the ledger until the transaction ends, and refuses once anything stands in it: its amounts are in one unit for
 * good. On PostgreSQL the transaction is a `fence`, which sees what it waited for.
 */
export async function holdEmptyLedger(tx: Tx): Promise<void> {
  if (dialect === "postgres") {
    // Everybody who writes to the ledger holds this lock, shared, until their commit (db/postgres/transactions.ts).
    await tx.select({ held: sql`pg_advisory_xact_lock(7247, 1)::text` }).from(sql`(select 1) as one`);
  }
  for (const table of [transfers, houseEntries]) {
    const [row] = await tx.select({ id: table.id }).from(table).limit(1);
    if (row) throw new Refusal("unit.fixed");
  }
}
