import * as z from "zod/mini";
import { get, post } from "./endpoint.ts";
import { Flag, Id, Langs, maybe, Millis, Nothing, OnOff, Paging, Seconds, Text, WholeNumber } from "./values.ts";

/**
 * A video as lists show it. Times are in seconds; `vod_shape` is the picture's placeholder. `vod_pic` is signed for the
 * caller's session and expires after a few minutes; request it again for a new one.
 */
export const VideoCard = z.object({
  id: z.string(),
  vod_name: z.string(),
  vod_pic: z.string(),
  vod_shape: z.nullable(z.object({ widths: z.array(z.int()), ratio: z.number(), blur: z.string() })),
  count: z.int(),
  /** When it was published. */
  time: Seconds,
  duration: z.int(),
  /** Made for the demo. */
  demo: Flag,
  ...Langs,
});
export type VideoCard = z.output<typeof VideoCard>;

export const categoryList = get("/video/itemlist", {
  access: "guest",
  input: z.object({}),
  reply: z.array(z.object({ key: z.string(), name: z.string(), ...Langs })),
  summary: "Categories of videos",
});

/** Orders of the list: newest, most watched, longest, shortest. */
export const VIDEO_SORTS = ["newest", "plays", "longest", "shortest"] as const;
export type VideoSort = (typeof VIDEO_SORTS)[number];

export const videoList = get("/video/getVideoList", {
  access: "guest",
  knowsMembers: true,
  refuses: ["object.unknown"],
  input: z.object({
    id: maybe(Id),
    q: maybe(Text(64)),
    sort: maybe(z.enum(VIDEO_SORTS, { error: "choice" })),
    ...Paging,
  }),
  reply: z.object({ list: z.array(VideoCard), count: z.int() }),
  summary: "Search and sort the videos of a category, or of all",
});

/** Preview frames for the timeline. They show the whole video, so only viewers of all of it get them. */
const Strip = z.object({
  url: z.string(),
  columns: z.int(),
  count: z.int(),
  every_ms: Millis,
  width: z.int(),
  height: z.int(),
});

export const videoInfo = get("/video/getVideoInfo", {
  access: "guest",
  knowsMembers: true,
  sessionWhile: "video_login",
  refuses: ["object.unknown"],
  input: z.object({ id: Id }),
  reply: z.extend(VideoCard, {
    category: z.object({ key: z.string(), name: z.string(), ...Langs }),
    /** An HLS playlist. It expires at `expires_ms`, or with the session; request it again for a new one. */
    vod_play_url: z.string(),
    expires_ms: Millis,
    is_see: Flag,
    free_see_time: z.int(),
    strip: z.nullable(Strip),
    captions: z.array(z.object({ lang: z.string(), url: z.string() })),
    /** In the order they are watched; the first starts at 0. Those beyond `free_see_time` are named to every viewer. */
    chapters: z.array(z.object({ start: Seconds, title: z.string(), ...Langs })),
  }),
  summary: "A video and where it plays: all of it for active members, its beginning for others",
});

export const videoMore = get("/video/getVideoInfoItem", {
  access: "guest",
  knowsMembers: true,
  refuses: ["object.unknown"],
  input: z.object({ id: Id }),
  reply: z.array(VideoCard),
  summary: "What to watch after a video",
});

/** One day. No video is longer. */
const MOST_MS = 86_400_000;

export const watchPlace = get("/video/place", {
  access: "session",
  refuses: ["object.unknown"],
  input: z.object({ id: Id }),
  reply: z.object({ position_ms: Millis }),
  summary: "The position where one stopped watching; 0 for the beginning",
});

export const setWatchPlace = post("/video/place", {
  access: "session",
  refuses: ["object.unknown"],
  input: z.object({ id: Id, position_ms: WholeNumber(0, MOST_MS) }),
  reply: Nothing,
  summary: "Store the position where one stopped watching",
});

export const watching = get("/video/watching", {
  isRecord: true,
  access: "session",
  input: z.object({}),
  reply: z.array(z.extend(VideoCard, { position_ms: Millis })),
  summary: "Videos that one began and has not finished, newest first",
});

export const savedVideoIds = get("/video/savedIds", {
  isRecord: true,
  access: "session",
  input: z.object({}),
  reply: z.array(z.string()),
  summary: "The ids of the videos that one saved",
});

export const saveVideo = post("/video/save", {
  access: "session",
  refuses: ["object.unknown", "saved.many"],
  input: z.object({ id: Id, on: OnOff }),
  reply: Nothing,
  summary: "Save a video, or drop it from the saved ones",
});

/** The lists of a member's own videos. */
export const VIDEO_LISTS = ["saved", "watched"] as const;

export const ownVideos = get("/video/own", {
  isRecord: true,
  access: "session",
  input: z.object({ list: z.enum(VIDEO_LISTS, { error: "choice" }), ...Paging }),
  reply: z.object({
    list: z.array(
      z.object({
        id: z.string(),
        /** When it was saved, or watched last. */
        time: Seconds,
        /** Null when it is no longer there. */
        card: z.nullable(VideoCard),
      }),
    ),
    count: z.int(),
  }),
  summary: "Videos that one saved or watched, newest first",
});

export const forgetVideos = post("/video/forget", {
  access: "session",
  input: z.object({}),
  reply: Nothing,
  summary: "Clear the history of watched videos, and where one stopped in each",
});

export const keepHistory = post("/video/keepHistory", {
  access: "session",
  input: z.object({ on: OnOff }),
  reply: Nothing,
  summary: "1: keep a history of watched videos from now on. 0: clear it, and keep none",
});
