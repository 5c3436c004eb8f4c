import { eq } from "drizzle-orm";
import { DatabaseCache, eventStamp } from "#db/database-cache.ts";
import type { Tx } from "#db/db.ts";
import { listings } from "#db/schema/listing.ts";
import type { Deps } from "#server/app/deps.ts";

const FILE = /^\/files\/pictures\/[0-9a-f]+/;

/** Tells whether a file is a picture of a paused listing. A removed one's are deleted. */
export function closedPictures({ db, bus }: Pick<Deps, "db" | "bus">): (file: string) => Promise<boolean> {
  const names = new DatabaseCache<ReadonlySet<string>>(eventStamp(bus, "listings.changed"));
  return async (file) => {
    const [name] = FILE.exec(file) ?? [];
    return name !== undefined && (await names.get("paused", () => readClosed(db.read))).has(name);
  };
}

async function readClosed(read: Tx): Promise<ReadonlySet<string>> {
  const rows = await read.select({ pictures: listings.pictures }).from(listings).where(eq(listings.paused, true));
  return new Set(rows.flatMap(({ pictures }) => pictures.map(({ name }) => name)));
}
