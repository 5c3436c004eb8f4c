import { at, bool, index, int, json, primaryKey, ref, rowId, serial, table, text, uniqueIndex } from "#db/columns.ts";
import type { LocalText } from "#shared/locales.ts";
import type { Picture } from "#shared/picture.ts";
import type { Captions, Chapter, PreviewStrip, Rendition } from "#shared/video.ts";
import { members } from "./member.ts";

export const videoCategories = table(
  "video_categories",
  {
    id: rowId(),
    /** Its name on the wire and in the operator's commands. */
    key: text().notNull(),
    name: json<LocalText>().notNull(),
    position: int().notNull(),
  },
  (t) => [uniqueIndex("video_categories_key").on(t.key)],
);

/** A published video, with all its files in the storage. The newest has the highest id. */
export const videos = table(
  "videos",
  {
    id: serial(),
    /** Prevents duplicates: the SHA-256 of the imported file, or the demo's name for it. */
    source: text().notNull(),
    categoryId: ref()
      .notNull()
      .references(() => videoCategories.id),
    title: json<LocalText>().notNull(),
    durationMs: int().notNull(),
    publishedAt: at().notNull(),
    /** How often it was opened. Each viewer counts once an hour. */
    plays: int().notNull().default(0),
    poster: json<Picture>(),
    /** The folder of its files, `videos/…`. This name and theirs cannot be guessed. */
    folder: text().notNull(),
    renditions: json<Rendition[]>().notNull(),
    strip: json<PreviewStrip>(),
    captions: json<Captions[]>().notNull(),
    /** In the order they are watched; the first starts at 0. */
    chapters: json<Chapter[]>().notNull().default([]),
    /** Made for the demo. */
    demo: bool().notNull().default(false),
  },
  (t) => [uniqueIndex("videos_source").on(t.source), index("videos_category").on(t.categoryId, t.id)],
);

/** Who opened which video in which hour. Rows are deleted once the log has stated their hour. */
export const videoPlays = table(
  "video_plays",
  {
    /** Hours since the epoch. */
    hour: int().notNull(),
    videoId: ref().notNull(),
    /** A keyed hash of the member, or of a guest's device fingerprint. */
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
    index("watch_places_age").on(t.updatedAt),
  ],
);

/** The videos that a member saved. A row outlives its video, so that the member learns of its end. */
export const savedVideos = table(
  "saved_videos",
  {
    memberId: ref()
      .notNull()
      .references(() => members.id),
    videoId: ref().notNull(),
    createdAt: at().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.memberId, t.videoId] }),
    index("saved_videos_newest").on(t.memberId, t.createdAt, t.videoId),
  ],
);
