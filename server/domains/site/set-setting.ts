import type { Tx } from "#db/db.ts";
import { settings } from "#db/schema/site.ts";
import type { Deps } from "#server/app/deps.ts";
import { mapLocalText, type LocalText } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import { lockEmptyLedger } from "#server/domains/ledger/unit.ts";
import { SETTINGS } from "./settings.ts";

/**
 * Sets a setting from the operator's text and announces it to every server; a shown setting is also pushed to clients.
 * The unit is refused once the ledger has entries. Run it in a `fence` transaction, so that it sees every ledger write
 * before it.
 */
export async function setSetting(
  tx: Tx,
  deps: Pick<Deps, "announce" | "cleanHtml">,
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
  await deps.announce(tx, "site.changed", { names: [name] });
  return value;
}
