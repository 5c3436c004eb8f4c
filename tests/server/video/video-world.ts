import { setCategory, publishVideo } from "#server/domains/video/publish.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { pictureFiles } from "#shared/picture.ts";
import type { Rendition } from "#shared/video.ts";
import { injectTold } from "../../support/api-document.ts";
import { read, world, type Player, type World } from "../../support/world.ts";

export { read };

/** Segments of four seconds: the free 15 seconds end in the fourth. */
export const SEGMENTS = 10;
export const SEGMENT_MS = 4_000;
export const FREE = 4;
const BYTES = 2_000;

const CAPTIONS = [
  "WEBVTT",
  "NOTE whatever",
  "1\n00:00:01.000 --> 00:00:03.000\nEarly words",
  "00:20.000 --> 00:22.000 align:start\nLate words",
].join("\n\n");

export interface MadeVideo {
  id: number;
  folder: string;
  renditions: Rendition[];
  strip: string;
  captions: string;
  /** Each size of the poster, as AVIF and WebP. */
  poster: string[];
}

const hex = (w: World) => Buffer.from(w.deps.random(16)).toString("hex");

export async function category(w: World, key: string, name = key): Promise<void> {
  await w.deps.db.transact((tx) => setCategory(tx, w.deps, key, name));
  await w.site.relay.wake();
}

/** A video of two sizes whose files contain their own names, published as an import does it. */
export async function video(w: World, title = "Waves", categoryId = 1): Promise<MadeVideo> {
  const { db, storage, random } = w.deps;
  const folder = `videos/${hex(w)}`;
  const keep = async (content: string | Uint8Array, ending: string) => {
    const name = hex(w) + ending;
    await storage.put(`${folder}/${name}`, Buffer.from(content as string));
    return name;
  };
  const renditions: Rendition[] = [];
  for (const height of [360, 720]) {
    const segments: Rendition["segments"] = [];
    for (let i = 0; i < SEGMENTS; i++) segments.push({ name: await keep(random(BYTES), ".m4s"), ms: SEGMENT_MS });
    const size = { width: (height * 16) / 9, height, bandwidth: height * 1_000, codecs: "avc1.4d401e,mp4a.40.2" };
    renditions.push({ ...size, init: await keep(`init ${height}`, ".mp4"), segments });
  }
  const strip = await keep("frames", ".jpg");
  const captions = await keep(CAPTIONS, ".vtt");
  const shape = { name: hex(w), widths: [320, 640], ratio: 0.56, blur: "abcd" };
  const poster = pictureFiles(shape);
  for (const name of poster) await storage.put(`${folder}/${name}`, random(BYTES));
  const id = await db.transact((tx) =>
    publishVideo(tx, w.deps, {
      source: hex(w),
      categoryId,
      title,
      durationMs: SEGMENTS * SEGMENT_MS,
      poster: shape,
      folder,
      renditions,
      strip: { file: strip, columns: 10, count: 40, everyMs: 1_000, width: 160, height: 90 },
      captions: [{ lang: "ko", file: captions }],
    }),
  );
  await w.site.relay.wake();
  return { id: id!, folder, renditions, strip, captions, poster };
}

export async function activePlayer(w: World, username: string, days = 30): Promise<Player> {
  const player = await w.player(username);
  await w.deps.db.transact((tx) => extendMembership(tx, w.deps, player.memberId, days));
  return player;
}

/** The folder that a video plays from, for this caller. */
export async function playing(w: World, id: number, token?: string): Promise<string> {
  const { vod_play_url } = await read(w, "/video/getVideoInfo", { id: `vid_${id}` }, token);
  return vod_play_url.replace(/index\.m3u8$/, "");
}

/** The gate's answer. */
export async function fetchMedia(
  w: World,
  url: string,
  headers: Record<string, string> = {},
  method: "GET" | "HEAD" | "POST" = "GET",
) {
  const { statusCode, headers: said, rawPayload, payload } = await injectTold(w.site.app, { method, url, headers });
  return { status: statusCode, headers: said, bytes: rawPayload, text: payload };
}

export const PLAYLISTS = ["index.m3u8", "0.m3u8", "1.m3u8"];

/** Every stored file of a video. */
export const mediaFilesOf = ({ renditions, strip, captions, poster }: MadeVideo): string[] => [
  ...renditions.flatMap(({ init, segments }) => [init, ...segments.map(({ name }) => name)]),
  strip,
  captions,
  ...poster,
];

/** The segments that a playlist names. */
export const segmentsIn = (playlist: string): string[] => playlist.split("\n").filter((line) => line.endsWith(".m4s"));

/** All the statuses with which a folder's files are answered. */
export const statusesOf = async (w: World, folder: string, names: string[]): Promise<Set<number>> =>
  new Set(await Promise.all(names.map(async (name) => (await fetchMedia(w, folder + name)).status)));

/** Two films, a member who may see them whole, and callers who may not. */
export async function twoVideos() {
  const w = await world();
  await category(w, "sea");
  const [film, other] = [await video(w, "Waves"), await video(w, "Dunes")];
  return { w, film, other, mia: await activePlayer(w, "mia_1"), noah: await w.player("noah_1") };
}
