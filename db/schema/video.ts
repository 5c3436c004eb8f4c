import { at, bool, index, int, json, primaryKey, ref, rowId, serial, table, text, uniqueIndex } from "#db/columns.ts";
import type { LocalText } from "#shared/locales.ts";
import type { Picture } from "#shared/picture.ts";
import type { Captions, PreviewStrip, Rendition } from "#shared/video.ts";
import { members } from "./member.ts";

export const videoCategories = table(
  "video_categories",
  {
    id: rowId(),
    /** What the wire and the operator call it. */
    key: text().notNull(),
    name: json<LocalText>().notNull(),
    position: int().notNull(),
  },
  (t) => [uniqueIndex("video_categories_key").on(t.key)],
);

/** A film, ready to be watched: what is here has all its files. The newest has the highest number. */
export const videos = table(
  "videos",
  {
    id: serial(),
    /** What it was made from, so that nothing is there twice: the SHA-256 of the file, or the demo's own name for it. */
    source: text().notNull(),
    categoryId: ref()
      .notNull()
      .references(() => videoCategories.id),
    title: json<LocalText>().notNull(),
    durationMs: int().notNull(),
    publishedAt: at().notNull(),
    /** How often it was opened, a viewer once an hour. */
    plays: int().notNull().default(0),
    poster: json<Picture>(),
    /** Where its files lie, `videos/…`: this name and theirs cannot be guessed. */
    folder: text().notNull(),
    renditions: json<Rendition[]>().notNull(),
    strip: json<PreviewStrip>(),
    captions: json<Captions[]>().notNull(),
    /** Made for the demo. */
    demo: bool().notNull().default(false),
  },
  (t) => [uniqueIndex("videos_source").on(t.source), index("videos_category").on(t.categoryId, t.id)],
);

/** Who opened what in which hour, for as long as it could be counted twice. */
export const videoPlays = table(
  "video_plays",
  {
    /** Hours since the epoch. */
    hour: int().notNull(),
    videoId: ref().notNull(),
    /** A member, or what a guest's device looks like, as a keyed hash. */
    viewer: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.hour, t.videoId, t.viewer] })],
);

/** Where a member stopped watching. */
export const watchPlaces = table(
  "watch_places",
  {
    memberId: ref()
      .notNull()
      .references(() => members.id),
    videoId: ref()
      .notNull()
      .references(() => videos.id, { onDelete: "cascade" }),
    positionMs: int().notNull(),
    updatedAt: at().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.memberId, t.videoId] }),
    index("watch_places_video").on(t.videoId),
    index("watch_places_newest").on(t.memberId, t.updatedAt, t.videoId),
  ],
);
