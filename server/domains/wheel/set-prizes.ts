import type { Tx } from "#db/db.ts";
import { prizes } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { writeTable } from "./prize-table.ts";

export type NewPrize = Omit<typeof prizes.$inferInsert, "position" | "offered">;

/**
 * Sets the prizes that the wheel offers from the next spin on, in this order. A prize that is left out is no longer
 * offered. Past spins keep their prize and the chances they were drawn from. The HTML is not sanitised here.
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
