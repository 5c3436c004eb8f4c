import { eq } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { cities } from "#db/schema/listing.ts";
import type { listingList } from "#shared/contract/listing.ts";
import type { InputOf } from "#shared/contract/endpoint.ts";
import { foldWords } from "#shared/fold-words.ts";
import { fromUnits, MAX_UNITS } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import type { ListingQuery } from "./catalogue.ts";
import type { Range } from "./sorted-places.ts";
import { rowOf } from "./wire-ids.ts";

const MOST_CM = 300;

/** Translates the endpoint's input into a query. Throws `object.unknown` for an unknown city. */
export async function filterOf(read: Tx, input: InputOf<typeof listingList>): Promise<ListingQuery> {
  const { city, q, sort, price_min, price_max, height_min, height_max } = input;
  const price = rangeOf(price_min, price_max, MAX_UNITS);
  return {
    cityId: await cityOf(read, city),
    ...(sort && { sort }),
    words: q === undefined ? [] : foldWords(q),
    price: price && [fromUnits(price[0]), fromUnits(price[1])],
    height: rangeOf(height_min, height_max, MOST_CM),
  };
}

/** The city's row id; null means all cities. Throws `object.unknown`. */
export async function cityOf(read: Tx, id: string | undefined): Promise<number | null> {
  if (id === undefined) return null;
  const [city] = await read
    .select({ id: cities.id })
    .from(cities)
    .where(eq(cities.id, rowOf("city", id)));
  if (!city) throw new Refusal("object.unknown");
  return city.id;
}

const rangeOf = (least: number | undefined, most: number | undefined, top: number): Range | null =>
  least === undefined && most === undefined ? null : [least ?? 0, most ?? top];
