import { desc, inArray, max } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { odds } from "#db/schema/lottery.ts";
import { settings } from "#db/schema/site.ts";
import { wheelTables } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { mapLocalText, type LocalText } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import { lockEmptyLedger } from "#server/domains/ledger/unit.ts";
import { addTable } from "#server/domains/log/table-leaf.ts";
import { SETTINGS } from "./settings.ts";

/**
 * Sets a setting from the operator's text and announces it to every server; a shown setting is also pushed to clients.
 * The unit is refused once the ledger has entries. Run it in a `fence` transaction, so that it sees every ledger write
 * before it.
 */
export async function setSetting(
  tx: Tx,
  deps: Pick<Deps, "announce" | "cleanHtml" | "clock">,
  name: string,
  text: string,
): Promise<unknown> {
  const setting = Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
  if (!setting) throw new Refusal("setting.unknown");
  const typed = setting.parse(text);
  if (name === "unit") await lockEmptyLedger(tx);
  // Cleaned after parsing: JSON escapes would hide markup before.
  const value = setting.html ? mapLocalText(typed as LocalText, deps.cleanHtml) : typed;
  await tx.insert(settings).values({ name, value }).onConflictDoUpdate({ target: settings.name, set: { value } });
  if (name === "unit") await renewTerms(tx, typed as string, deps.clock.now());
  await deps.announce(tx, "site.changed", { names: [name] });
  return value;
}

/**
 * Odds and tables of prizes keep their unit. So each game gets its odds again, as a new row, and the wheel its table. A
 * round at the old odds takes no bets any more.
 */
async function renewTerms(tx: Tx, unit: string, now: number): Promise<void> {
  const newest = tx
    .select({ id: max(odds.id) })
    .from(odds)
    .groupBy(odds.gameId);
  const rows = await tx.select({ gameId: odds.gameId, milli: odds.milli }).from(odds).where(inArray(odds.id, newest));
  if (rows.length > 0) await tx.insert(odds).values(rows.map((row) => ({ ...row, unit, createdAt: now })));
  const [table] = await tx.select().from(wheelTables).orderBy(desc(wheelTables.id)).limit(1);
  if (table) await addTable(tx, table.prizes, now);
}
