import type { FastifyInstance } from "fastify";
import { DatabaseCache, eventStamp, type CacheStamp } from "#db/database-cache.ts";
import type { Deps } from "#server/app/deps.ts";
import { Ready } from "#server/http/envelope.ts";
import { serve, serveCached, serveWrite, type Call } from "#server/http/serve.ts";
import type { InputOf } from "#shared/contract/endpoint.ts";
import * as contract from "#shared/contract/listing.ts";
import { pageOf } from "#shared/paging.ts";
import { dayOf, toSeconds } from "#shared/time.ts";
import { Catalogue } from "./catalogue.ts";
import { addComment, listComments } from "./comments.ts";
import { readCities, readListing, readListings, readPrivate, readServices } from "./read-listings.ts";
import { dropListing, forgetOpened, markOpened, readMarked, readMarks, saveListing } from "./marks.ts";
import { LookRecorder } from "./record-looks.ts";
import { cardView, cityView, detailView, pictureSetView, picturesView, profileView } from "./views.ts";
import { rowOf, wireId } from "./wire-ids.ts";
import { cityOf, filterOf } from "./filter-of.ts";

/** Rows per page by default. */
const ROWS = 10;

/** The catalogue over HTTP. */
export function listingRoutes(app: FastifyInstance, deps: Deps): void {
  const changes = eventStamp(deps.bus, "listings.changed");
  const catalogue = new Catalogue(deps.db.read, changes);
  listRoutes(app, deps, changes, catalogue);
  pictureRoutes(app, deps, changes, catalogue);
  profileRoutes(app, deps, changes, catalogue);
  commentRoutes(app, deps, changes);
  ownRoutes(app, deps);
}

/** Answers that are the same for everybody are cached until a listing, a city or a comment changes. */
function listRoutes(app: FastifyInstance, deps: Deps, changes: CacheStamp, catalogue: Catalogue): void {
  const { read } = deps.db;
  const cities = new DatabaseCache<Ready>(changes);

  /** A city shows a listing's picture, which closes to guests as listings do. */
  function listCities({ locale, caller: { memberId } }: Call<unknown>) {
    const isCovered = memberId !== 0 || deps.settings.get("video_login") === 0;
    const name = `${locale} ${isCovered}`;
    const list = async () => (await readCities(read)).map((city) => cityView(city, locale, isCovered));
    return cities.known(name) ?? cities.get(name, async () => new Ready(await list()));
  }

  async function listCards({ input, locale }: Call<InputOf<typeof contract.listingList>>) {
    const { ids, count } = await catalogue.page(await filterOf(read, input), pageOf(input, ROWS));
    return { list: (await readListings(read, ids)).map((listing) => cardView(listing, locale)), count };
  }

  serve(app, deps, contract.cityList, listCities);
  serveCached(app, deps, contract.listingList, listCards, changes);
}

function pictureRoutes(app: FastifyInstance, deps: Deps, changes: CacheStamp, catalogue: Catalogue): void {
  const { read } = deps.db;

  async function listSets({ input, locale }: Call<InputOf<typeof contract.pictureSets>>) {
    const { ids, count } = await catalogue.page({ pictured: true }, pageOf(input, ROWS));
    return { list: (await readListings(read, ids)).map((listing) => pictureSetView(listing, locale)), count };
  }

  async function showSet({ input, locale }: Call<InputOf<typeof contract.pictureSet>>) {
    return picturesView(await readListing(read, rowOf("listing", input.id)), locale);
  }

  serveCached(app, deps, contract.pictureSets, listSets, changes);
  serveCached(app, deps, contract.pictureSet, showSet, changes);
}

/** Active members read more, and their answers are never cached. Cached answers never contain the private part. */
function profileRoutes(app: FastifyInstance, deps: Deps, changes: CacheStamp, catalogue: Catalogue): void {
  const { read } = deps.db;
  const recorder = new LookRecorder(deps);
  const answers = new DatabaseCache<Ready>(changes);

  async function listProfiles({ input, locale, active }: Call<InputOf<typeof contract.profileList>>) {
    const { ids, count } = await catalogue.page({ cityId: await cityOf(read, input.id) }, pageOf(input, ROWS));
    const services = active ? await readServices(read, ids) : new Map<number, never>();
    const rows = await readListings(read, ids);
    return { list: rows.map((row) => profileView(row, services.get(row.id) ?? [], locale)), count };
  }

  async function showDetail({ input, caller, active, locale }: Call<InputOf<typeof contract.listingDetail>>) {
    const listing = await readListing(read, rowOf("listing", input.id));
    if (active) await recorder.record({ memberId: caller.memberId, listingId: listing.id });
    return detailView(listing, active ? await readPrivate(read, listing.id) : null, locale, deps.clock.now());
  }

  function open<I>(what: string, { input, locale }: Call<I>, make: () => Promise<unknown>) {
    const name = `${what} ${locale} ${JSON.stringify(input)}`;
    return answers.known(name) ?? answers.get(name, async () => new Ready(await make()));
  }

  serve(app, deps, contract.profileList, (call) =>
    call.active ? listProfiles(call) : open("list", call, () => listProfiles(call)),
  );
  serve(app, deps, contract.listingDetail, (call) =>
    // Ages change with the day.
    call.active ? showDetail(call) : open(`one ${dayOf(deps.clock.now())}`, call, () => showDetail(call)),
  );
}

function commentRoutes(app: FastifyInstance, deps: Deps, changes: CacheStamp): void {
  const { read } = deps.db;

  async function showComments({ input }: Call<InputOf<typeof contract.commentList>>) {
    const { id } = await readListing(read, rowOf("listing", input.id));
    return listComments(read, id, pageOf(input, ROWS));
  }

  serveCached(app, deps, contract.commentList, showComments, changes);

  serveWrite(app, deps, contract.addComment, async (tx, { input, caller: { memberId }, locale }) => {
    const { id, text, hearts } = input;
    await addComment(tx, deps, { listingId: rowOf("listing", id), memberId, text, hearts, locale });
    return null;
  });
}

/** What the caller saved and opened. */
function ownRoutes(app: FastifyInstance, deps: Deps): void {
  const { read } = deps.db;

  serve(app, deps, contract.savedListingIds, async ({ caller: { memberId } }) =>
    (await readMarked(read, { memberId, kind: "saved" })).map((id) => wireId("listing", id)),
  );

  serve(app, deps, contract.ownListings, async ({ input, locale, caller: { memberId } }) => {
    const own = await readMarks(read, { memberId, kind: input.list }, pageOf(input, ROWS));
    const cards = (
      await readListings(
        read,
        own.rows.map(({ id }) => id),
      )
    ).map((one) => cardView(one, locale));
    const byId = new Map(cards.map((card) => [card.id, card]));
    const list = own.rows.map(({ id, at }) => ({ id: wireId("listing", id), time: toSeconds(at) }));
    return { list: list.map((row) => ({ ...row, card: byId.get(row.id) ?? null })), count: own.count };
  });

  serveWrite(app, deps, contract.saveListing, async (tx, { input, caller: { memberId } }) => {
    const id = rowOf("listing", input.id);
    await (input.on ? saveListing(tx, deps, memberId, id) : dropListing(tx, memberId, id));
    return null;
  });

  serveWrite(app, deps, contract.openListing, async (tx, { input, caller: { memberId } }) => {
    await markOpened(tx, deps, memberId, rowOf("listing", input.id));
    return null;
  });

  serveWrite(app, deps, contract.forgetListings, async (tx, { caller: { memberId } }) => {
    await forgetOpened(tx, memberId);
    return null;
  });
}
