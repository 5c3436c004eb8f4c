import type { Tx } from "#db/db.ts";
import { settings } from "#db/schema/site.ts";
import type { Deps } from "#server/app/deps.ts";
import { mapLocalText, type LocalText } from "#shared/locales.ts";
import { Refusal } from "#shared/refusal.ts";
import { lockEmptyLedger } from "#server/domains/ledger/unit.ts";
import { SETTINGS } from "./settings.ts";

/**
 * Sets what the operator typed and tells every server; connected clients hear of it if it is shown to them. The unit is
 * refused once anything stands in the ledger. Belongs in a `fence`, so that it sees what the ledger waited for.
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
  // After reading: what stands escaped in JSON is not seen before.
  const value = setting.html ? mapLocalText(typed as LocalText, deps.cleanHtml) : typed;
  await tx.insert(settings).values({ name, value }).onConflictDoUpdate({ target: settings.name, set: { value } });
  await deps.announce(tx, "site.changed", { names: [name] });
  return value;
}
