import { eq, sql } from "drizzle-orm";
import { dialect } from "#db/columns.ts";
import type { Tx } from "#db/db.ts";
import { prepared } from "#db/prepared.ts";
import { houseEntries, transfers } from "#db/schema/ledger.ts";
import { settings } from "#db/schema/site.ts";
import type { Deps } from "#server/app/deps.ts";
import { nameMoney } from "#shared/format.ts";
import type { LocaleCode } from "#shared/locales.ts";
import type { Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { POINTS } from "#shared/unit.ts";

const unitRow = prepared((read) =>
  read.select({ value: settings.value }).from(settings).where(eq(settings.name, "unit")).prepare(),
);

/** The ledger's unit, read from the database: the cached settings of a server may be stale. */
export async function readUnit(read: Tx): Promise<string> {
  const [row] = await unitRow(read).execute();
  return (row?.value as string | undefined) ?? POINTS;
}

/** An amount on its own in a sentence, in a language: points by their name, a currency with its sign. */
export const amountText = (text: Deps["text"], amount: Money, unit: string, locale: LocaleCode): string =>
  nameMoney(amount, unit, locale, (values) => text(locale, "unit.points", values));

/**
 * Locks the ledger until the transaction ends, and refuses if it holds any row: all its amounts are in one unit, for good.
 * On PostgreSQL the transaction must be a `fence`, which sees the commits it waited for.
 */
export async function lockEmptyLedger(tx: Tx): Promise<void> {
  if (dialect === "postgres") {
    // Every writer of the ledger holds this advisory lock, shared, until its commit (db/postgres/transactions.ts).
    await tx.select({ locked: sql`pg_advisory_xact_lock(7247, 1)::text` }).from(sql`(select 1) as one`);
  }
  for (const table of [transfers, houseEntries]) {
    const [row] = await tx.select({ id: table.id }).from(table).limit(1);
    if (row) throw new Refusal("unit.fixed");
  }
}
