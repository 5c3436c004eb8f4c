import { asc, eq } from "drizzle-orm";
import { listings } from "#db/schema/listing.ts";
import { addCity } from "#server/domains/listing/save-listings.ts";
import { decideComment } from "#server/domains/listing/decide-comment.ts";
import { saveListings, type NewListing } from "#server/domains/listing/save-listings.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import type { LocalText } from "#shared/locales.ts";
import { fromUnits } from "#shared/money.ts";
import type { Player, World } from "../../support/world.ts";

export { read } from "../../support/world.ts";

/** A listing; a test names only the fields it is about. */
export const listing = (code: string, over: Partial<NewListing> = {}): NewListing => ({
  code,
  cityId: 1,
  name: `Model ${code}`,
  headline: "Hosts your event",
  district: "Old town",
  birthday: "1999-12-31",
  heightCm: 170,
  chestCm: 88,
  price: fromUnits(500),
  pictures: [],
  address: "1 Secret street",
  contact: "secret@example.org",
  service: ["Hosting"],
  ...over,
});

export const city = ({ deps }: World, name: LocalText): Promise<number> =>
  deps.db.transact((tx) => addCity(tx, deps, name));

/** Saves listings as an import does, and waits until the server has noticed. */
export async function save(w: World, ...rows: NewListing[]): Promise<void> {
  await saveListings(w.deps, rows);
  await w.site.relay.wake();
}

/** A member with a running membership. */
export async function activePlayer(w: World, username: string, days = 30): Promise<Player> {
  const player = await w.player(username);
  await w.deps.db.transact((tx) => extendMembership(tx, w.deps, player.memberId, days));
  return player;
}

export async function decide(w: World, commentId: number, shown: boolean): Promise<void> {
  await w.deps.db.transact((tx) => decideComment(tx, w.deps, commentId, shown));
  await w.site.relay.wake();
}

export async function change(w: World, code: string, set: Partial<typeof listings.$inferInsert>): Promise<void> {
  await w.deps.db.transact(async (tx) => {
    await tx.update(listings).set(set).where(eq(listings.code, code));
    await w.deps.announce(tx, "listings.changed", {});
  });
  await w.site.relay.wake();
}

export const allListings = ({ deps }: World) => deps.db.read.select().from(listings).orderBy(asc(listings.id));
