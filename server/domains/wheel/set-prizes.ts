import type { Tx } from "#db/db.ts";
import { prizes } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { writeTable } from "./prize-table.ts";

export type NewPrize = Omit<typeof prizes.$inferInsert, "position" | "offered">;

/**
 * Sets what the wheel offers from the next spin on, in this order; what is left out is no longer offered. What was won
 * stays as it was: a spin keeps its prize and the chances that it was drawn from. The HTML is taken as it is.
 */
export async function setPrizes(
  tx: Tx,
  deps: Pick<Deps, "clock" | "announce">,
  wanted: readonly NewPrize[],
): Promise<void> {
  await tx.update(prizes).set({ offered: false });
  for (const [position, prize] of wanted.entries()) {
    const row = { ...prize, stock: prize.stock ?? null, position, offered: true };
    await tx.insert(prizes).values(row).onConflictDoUpdate({ target: prizes.id, set: row });
  }
  await writeTable(tx, deps);
}
