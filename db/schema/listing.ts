import { at, bool, index, int, json, money, primaryKey, ref, rowId, table, text, uniqueIndex } from "#db/columns.ts";
import type { LocalText } from "#shared/locales.ts";
import type { Picture } from "#shared/picture.ts";
import { members } from "./member.ts";

export const cities = table("cities", {
  id: rowId(),
  name: json<LocalText>().notNull(),
  position: int().notNull(),
});

/** An adult who consented to be shown: a model or an event host. There is an index for each sort order. */
export const listings = table(
  "listings",
  {
    id: rowId(),
    /** Its code in the operator's file: importing the code again updates the listing. */
    code: text().notNull(),
    cityId: ref()
      .notNull()
      .references(() => cities.id),
    name: json<LocalText>().notNull(),
    headline: json<LocalText>().notNull(),
    district: json<LocalText>().notNull(),
    /** `YYYY-MM-DD`. */
    birthday: text().notNull(),
    heightCm: int().notNull(),
    chestCm: int(),
    price: money().notNull(),
    pictures: json<Picture[]>().notNull(),
    /** Only active members may read these. */
    address: json<LocalText>().notNull(),
    contact: text().notNull(),
    service: json<LocalText[]>().notNull(),
    paused: bool().notNull().default(false),
    /** A fictional listing of the demo. */
    demo: bool().notNull().default(false),
    /** Of the visible comments: their number, the sum of their hearts, and the mean in 1/100 heart. */
    commentCount: int().notNull().default(0),
    heartsSum: int().notNull().default(0),
    heartsMean: int().notNull().default(0),
    createdAt: at().notNull(),
  },
  (t) => [
    uniqueIndex("listings_code").on(t.code),
    index("listings_newest").on(t.paused, t.id),
    index("listings_price").on(t.paused, t.price, t.id),
    index("listings_hearts").on(t.paused, t.heartsMean, t.id),
    index("listings_city_newest").on(t.cityId, t.paused, t.id),
    index("listings_city_price").on(t.cityId, t.paused, t.price, t.id),
    index("listings_city_hearts").on(t.cityId, t.paused, t.heartsMean, t.id),
  ],
);

/** A search index: every suffix of every word in a listing's names, case-folded. A search term is a prefix of one. */
export const listingWords = table(
  "listing_words",
  {
    word: text().notNull(),
    listingId: ref()
      .notNull()
      .references(() => listings.id, { onDelete: "cascade" }),
  },
  (t) => [primaryKey({ columns: [t.word, t.listingId] }), index("listing_words_listing").on(t.listingId)],
);

/** Members' comments, one for each listing. Others read one once the operator approves it. */
export const comments = table(
  "comments",
  {
    id: rowId(),
    listingId: ref()
      .notNull()
      .references(() => listings.id, { onDelete: "cascade" }),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    text: text().notNull(),
    /** The language that it is most probably in (BCP 47); null where nothing says which. */
    lang: text(),
    hearts: int().notNull(),
    /** Null until the operator decides. */
    shown: bool(),
    createdAt: at().notNull(),
  },
  (t) => [
    uniqueIndex("comments_once").on(t.listingId, t.memberId),
    index("comments_shown").on(t.listingId, t.shown, t.id),
    index("comments_waiting").on(t.shown, t.id),
  ],
);

/** A log of who saw the private part of which listing, and when. */
export const listingLooks = table(
  "listing_looks",
  {
    id: rowId(),
    memberId: ref()
      .notNull()
      .references(() => members.id),
    listingId: ref().notNull(),
    createdAt: at().notNull(),
  },
  (t) => [index("listing_looks_listing").on(t.listingId, t.id), index("listing_looks_member").on(t.memberId, t.id)],
);

/** The listings that a member saved, or opened last. A row outlives its listing, so that the member learns of its end. */
export const listingMarks = table(
  "listing_marks",
  {
    memberId: ref()
      .notNull()
      .references(() => members.id),
    kind: text({ enum: ["saved", "opened"] }).notNull(),
    listingId: ref().notNull(),
    /** When it was saved, or opened last. */
    markedAt: at().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.memberId, t.kind, t.listingId] }),
    index("listing_marks_newest").on(t.memberId, t.kind, t.markedAt, t.listingId),
    index("listing_marks_age").on(t.kind, t.markedAt),
    index("listing_marks_listing").on(t.listingId),
  ],
);
