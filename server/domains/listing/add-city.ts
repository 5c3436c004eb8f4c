import { max } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { cities } from "#db/schema/listing.ts";
import type { Deps } from "#server/app/deps.ts";
import type { LocalText } from "#shared/locales.ts";

/** Puts a city behind the others. */
export async function addCity(tx: Tx, deps: Pick<Deps, "announce">, name: LocalText): Promise<number> {
  const [{ last } = { last: null }] = await tx.select({ last: max(cities.position) }).from(cities);
  const [city] = await tx
    .insert(cities)
    .values({ name, position: (last ?? 0) + 1 })
    .returning({ id: cities.id });
  await deps.announce(tx, "listings.changed", {});
  return city!.id;
}
