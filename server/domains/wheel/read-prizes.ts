import { asc, eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { prizes } from "#db/schema/wheel.ts";

/** The prizes that the operator offers, those without stock among them, in the order of the wheel. */
export function readOffered(read: Tx) {
  const { id, title, memo, image, kind, amount, weight, stock, offered, position } = prizes;
  return read
    .select({ id, title, memo, image, kind, amount, weight, stock })
    .from(prizes)
    .where(eq(offered, true))
    .orderBy(asc(position));
}
