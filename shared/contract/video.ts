import * as z from "zod/mini";
import { get, post } from "./endpoint.ts";
import { Flag, Id, maybe, Millis, Nothing, Paging, Seconds, WholeNumber } from "./values.ts";

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
});
export type VideoCard = z.output<typeof VideoCard>;

export const categoryList = get("/video/itemlist", {
  access: "guest",
  input: z.object({}),
  reply: z.array(z.object({ key: z.string(), name: z.string() })),
  summary: "Categories of videos",
});

export const videoList = get("/video/getVideoList", {
  access: "guest",
  knowsMembers: true,
  refuses: ["object.unknown"],
  input: z.object({ id: maybe(Id), ...Paging }),
  reply: z.object({ list: z.array(VideoCard), count: z.int() }),
  summary: "Videos of a category, or of all, newest first",
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
    category: z.object({ key: z.string(), name: z.string() }),
    /** An HLS playlist. It expires at `expires_ms`, or with the session; request it again for a new one. */
    vod_play_url: z.string(),
    expires_ms: Millis,
    is_see: Flag,
    free_see_time: z.int(),
    strip: z.nullable(Strip),
    captions: z.array(z.object({ lang: z.string(), url: z.string() })),
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
  access: "session",
  input: z.object({}),
  reply: z.array(z.extend(VideoCard, { position_ms: Millis })),
  summary: "Videos that one began and has not finished, newest first",
});
