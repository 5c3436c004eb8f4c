import type { FastifyInstance } from "fastify";
import { eventStamp } from "#db/database-cache.ts";
import type { Deps } from "#server/app/deps.ts";
import { serve, serveWrite, type Call } from "#server/http/serve.ts";
import type { InputOf } from "#shared/contract/endpoint.ts";
import * as contract from "#shared/contract/video.ts";
import { foldWords } from "#shared/fold-words.ts";
import { localTexts } from "#shared/locales.ts";
import { pageOf } from "#shared/paging.ts";
import { SECOND_MS, toSeconds } from "#shared/time.ts";
import { videoCard, videoWireId, type ShownVideo } from "#shared/video.ts";
import { VideoFiles, type ServedVideo } from "./video-files.ts";
import { PASS_MS, UrlSigner } from "./url-signer.ts";
import { MASTER } from "./playlists.ts";
import { VideoCache } from "./video-cache.ts";
import { readVideo, readVideos, videoRowOf } from "./read-videos.ts";
import { Plays } from "./record-plays.ts";
import { readWatchPlace, setWatchPlace } from "./watch-place.ts";
import { readWatching } from "./watching.ts";
import { forgetVideos, keepHistory, readOwn, readSavedIds, saveVideo } from "./own-videos.ts";

/** Rows per page by default. */
const ROWS = 10;
/** The number of recommendations. */
const MORE = 10;

/** The video hall over HTTP; what it plays goes through the gate (media-routes.ts). */
export function videoRoutes(app: FastifyInstance, deps: Deps): void {
  const changes = eventStamp(deps.bus, "videos.changed");
  const videos = new VideoCache(deps, changes);
  listRoutes(app, deps, videos);
  infoRoute(app, deps, videos, new VideoFiles(deps.db.read, changes));
  placeRoutes(app, deps);
  ownRoutes(app, deps);
}

/** A video as its caller sees it in lists. */
const cardFor = (deps: Deps, { locale, caller }: Pick<Call<unknown>, "locale" | "caller">, video: ShownVideo) =>
  videoCard(video, locale, deps.posterUrl(video, caller.sessionId));

function listRoutes(app: FastifyInstance, deps: Deps, videos: VideoCache): void {
  const { read } = deps.db;

  serve(app, deps, contract.categoryList, async ({ locale }) =>
    (await videos.categories()).map(({ key, name }) => ({ key, ...localTexts({ name }, locale) })),
  );

  serve(app, deps, contract.videoList, async (call) => {
    const { id, q = "", sort = "newest" } = call.input;
    const ids = await videos.list({ key: id, words: foldWords(q), sort });
    const { limit, offset } = pageOf(call.input, ROWS);
    const page = await readVideos(read, ids.slice(offset, offset + limit));
    return { list: page.map((video) => cardFor(deps, call, video)), count: ids.length };
  });

  serve(app, deps, contract.videoMore, async (call) => {
    const video = await readVideo(read, videoRowOf(call.input.id));
    const more = await readVideos(read, await videos.after(video, MORE));
    return more.map((one) => cardFor(deps, call, one));
  });
}

function infoRoute(app: FastifyInstance, deps: Deps, videos: VideoCache, files: VideoFiles): void {
  const { db, clock, settings } = deps;
  const signer = new UrlSigner(deps.keys);
  const plays = new Plays(deps);
  app.addHook("onClose", () => plays.settle());

  async function showInfo(call: Call<InputOf<typeof contract.videoInfo>>) {
    const { input, locale, caller, active, ip, agent } = call;
    const id = videoRowOf(input.id);
    const video = await readVideo(db.read, id);
    plays.record(id, caller.memberId ? `member ${caller.memberId}` : plays.guest({ ip, agent }));
    const category = (await videos.categories()).find((one) => one.id === video.categoryId);
    const expiresMs = clock.now() + PASS_MS;
    const folder = signer.folder({ sessionId: caller.sessionId, videoId: id, expiresMs });
    return {
      ...cardFor(deps, call, video),
      category: { key: category?.key ?? "", ...localTexts({ name: category?.name ?? "" }, locale) },
      vod_play_url: `${folder}/${MASTER}`,
      expires_ms: expiresMs,
      is_see: active ? (1 as const) : (0 as const),
      free_see_time: settings.get<number>("free_see_time"),
      ...extrasOf(await files.find(id), folder, { active, locale }),
    };
  }

  serve(app, deps, contract.videoInfo, showInfo);
}

/** What players show beside the picture: captions, chapters and the preview strip. */
function extrasOf(
  video: ServedVideo | null,
  folder: string,
  { active, locale }: Pick<Call<unknown>, "active" | "locale">,
) {
  const { strip = null, captions = [], chapters = [] } = video ?? {};
  return {
    chapters: chapters.map(({ start, title }) => ({ start, ...localTexts({ title }, locale) })),
    captions: captions.map(({ lang, file }) => ({ lang, url: `${folder}/${file}` })),
    strip:
      active && strip
        ? {
            url: `${folder}/${strip.file}`,
            columns: strip.columns,
            count: strip.count,
            every_ms: strip.everyMs,
            width: strip.width,
            height: strip.height,
          }
        : null,
  };
}

function placeRoutes(app: FastifyInstance, deps: Deps): void {
  serve(app, deps, contract.watchPlace, async ({ input, caller: { memberId } }) => ({
    position_ms: await readWatchPlace(deps.db.read, { memberId, videoId: videoRowOf(input.id) }),
  }));

  serveWrite(app, deps, contract.setWatchPlace, async (tx, { input, caller: { memberId } }) => {
    await setWatchPlace(tx, deps, { memberId, videoId: videoRowOf(input.id), positionMs: input.position_ms });
    return null;
  });

  serve(app, deps, contract.watching, async (call) => {
    const freeMs = call.active ? null : deps.settings.get<number>("free_see_time") * SECOND_MS;
    const begun = await readWatching(deps.db.read, { memberId: call.caller.memberId, freeMs });
    return begun.map(({ positionMs, ...video }) => ({ ...cardFor(deps, call, video), position_ms: positionMs }));
  });
}

/** What the caller saved and watched. */
function ownRoutes(app: FastifyInstance, deps: Deps): void {
  const { read } = deps.db;

  serve(app, deps, contract.savedVideoIds, async ({ caller: { memberId } }) =>
    (await readSavedIds(read, memberId)).map(videoWireId),
  );

  serve(app, deps, contract.ownVideos, async (call) => {
    const { input, caller } = call;
    const own = await readOwn(read, { memberId: caller.memberId, list: input.list }, pageOf(input, ROWS));
    const cards = (
      await readVideos(
        read,
        own.rows.map(({ id }) => id),
      )
    ).map((video) => cardFor(deps, call, video));
    const byId = new Map(cards.map((card) => [card.id, card]));
    const list = own.rows.map(({ id, at }) => ({ id: videoWireId(id), time: toSeconds(at) }));
    return { list: list.map((row) => ({ ...row, card: byId.get(row.id) ?? null })), count: own.count };
  });

  serveWrite(app, deps, contract.saveVideo, async (tx, { input, caller: { memberId } }) => {
    await saveVideo(tx, deps, { memberId, videoId: videoRowOf(input.id), on: input.on });
    return null;
  });

  serveWrite(app, deps, contract.forgetVideos, async (tx, { caller: { memberId } }) => {
    await forgetVideos(tx, memberId);
    return null;
  });

  serveWrite(app, deps, contract.keepHistory, async (tx, { input: { on }, caller: { memberId } }) => {
    await keepHistory(tx, deps, { memberId, on });
    return null;
  });
}
