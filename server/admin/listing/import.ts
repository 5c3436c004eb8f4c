import { dirname } from "node:path";
import { inArray } from "drizzle-orm";
import { isDatabaseAway } from "#db/away.ts";
import { cities, listings } from "#db/schema/listing.ts";
import { saveListings, type NewListing } from "#server/domains/listing/save-listings.ts";
import { wireId } from "#server/domains/listing/wire-ids.ts";
import { removePictures } from "#server/pictures/store.ts";
import { fromUnits } from "#shared/money.ts";
import type { Picture } from "#shared/picture.ts";
import { Refused, type Command, type Operator } from "#server/admin/command.ts";
import {
  faultAt,
  listingFileSchema,
  MOST_ROWS,
  readListingRows,
  refuseFaults,
  type ListingRow,
} from "./import-file.ts";
import { storePictures } from "./import-pictures.ts";
import { BadFile, readPlainFile } from "#server/admin/read-file.ts";

const MOST_BYTES = 8 * 1_048_576;

export const listingImport: Command = {
  usage: "FILE.json",
  does: `Adds listings, or updates those whose code is known: the whole file or nothing, ${MOST_ROWS} at most`,
  more: () => `The file, as JSON Schema:\n\n${JSON.stringify(listingFileSchema(), null, 2)}`,
  async run(operator, { args }) {
    const file = args["FILE.json"]!;
    const content = await readPlainFile(file, MOST_BYTES).catch((error: Error) => {
      throw error instanceof BadFile ? new Refused(`${file}: ${error.message}`) : error;
    });
    const rows = readListingRows(content.toString("utf8"), operator.clock.now());
    const cityIds = await findCities(operator, rows);
    const pictures = await storePictures(operator, dirname(file), rows);
    const { added, updated, dropped } = await save(operator, rows, cityIds, pictures);
    await removePictures(operator.storage, dropped);
    const json = { ok: true, added, updated, pictures: pictures.flat().length };
    return { text: `${added} listings are added and ${updated} updated, with ${json.pictures} pictures.`, json };
  },
};

/** Saves the rows. On a failure it removes the new pictures, except those of rows that were written all the same. */
async function save(operator: Operator, rows: ListingRow[], cityIds: number[], pictures: Picture[][]) {
  try {
    return await saveListings(
      operator,
      rows.map((row, i) => listingOf(row, cityIds[i]!, pictures[i]!)),
    );
  } catch (error) {
    // After a lost answer the commit may still count.
    if (!isDatabaseAway(error))
      await removePictures(operator.storage, await unusedPictures(operator, rows, pictures.flat()));
    throw error;
  }
}

/** The pictures that none of these listings uses. */
async function unusedPictures({ db }: Operator, rows: ListingRow[], pictures: Picture[]): Promise<Picture[]> {
  const codes = rows.map(({ code }) => code);
  const known = await db.read
    .select({ pictures: listings.pictures })
    .from(listings)
    .where(inArray(listings.code, codes));
  const shown = new Set(known.flatMap((listing) => listing.pictures.map(({ name }) => name)));
  return pictures.filter(({ name }) => !shown.has(name));
}

function listingOf(row: ListingRow, cityId: number, pictures: Picture[]): NewListing {
  const { code, name, headline, district, birthday, height, chest, price, address, contact, service } = row;
  const texts = { code, name, headline, district, birthday, address, contact, service };
  return { ...texts, cityId, pictures, heightCm: height, chestCm: chest ?? null, price: fromUnits(price) };
}

/** Finds the city of each row, by its id or any of its names. */
async function findCities({ db }: Operator, rows: ListingRow[]): Promise<number[]> {
  const known = new Map<string, number>();
  for (const { id, name } of await db.read.select().from(cities).orderBy(cities.position)) {
    const names = typeof name === "string" ? [name] : Object.values(name);
    for (const word of [wireId("city", id), ...names]) if (!known.has(word)) known.set(word, id);
  }
  const found = rows.map(({ city }) => known.get(city));
  refuseFaults(
    rows.flatMap(({ city }, row) => (known.has(city) ? [] : faultAt(row, "city", `there is no city ${city}`))),
  );
  return found as number[];
}
