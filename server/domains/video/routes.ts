import type { FastifyInstance } from "fastify";
import { eventStamp } from "#db/database-cache.ts";
import type { Deps } from "#server/app/deps.ts";
import { serve, serveWrite, type Call } from "#server/http/serve.ts";
import type { InputOf } from "#shared/contract/endpoint.ts";
import * as contract from "#shared/contract/video.ts";
import { localText } from "#shared/locales.ts";
import { pageOf } from "#shared/paging.ts";
import { videoCard, type ShownVideo } from "#shared/video.ts";
import { VideoFiles, type ServedVideo } from "./video-files.ts";
import { PASS_MS, UrlSigner } from "./url-signer.ts";
import { MASTER } from "./playlists.ts";
import { VideoCache } from "./video-cache.ts";
import { readVideo, readVideos, videoRowOf } from "./read-videos.ts";
import { Plays } from "./record-plays.ts";
import { readWatchPlace, setWatchPlace } from "./watch-place.ts";
import { readWatching } from "./watching.ts";

/** Rows per page by default. */
const ROWS = 10;
/** The number of recommendations. */
const MORE = 10;

/** The video hall over HTTP; what it plays goes through the gate (media-routes.ts). */
export function videoRoutes(app: FastifyInstance, deps: Deps): void {
  const changes = eventStamp(deps.bus, "videos.changed");
  const videos = new VideoCache(deps.db.read, changes);
  listRoutes(app, deps, videos);
  infoRoute(app, deps, videos, new VideoFiles(deps.db.read, changes));
  placeRoutes(app, deps);
}

/** A video as its caller sees it in lists. */
const cardFor = (deps: Deps, { locale, caller }: Pick<Call<unknown>, "locale" | "caller">, video: ShownVideo) =>
  videoCard(video, locale, deps.posterUrl(video, caller.sessionId));

function listRoutes(app: FastifyInstance, deps: Deps, videos: VideoCache): void {
  const { read } = deps.db;

  serve(app, deps, contract.categoryList, async ({ locale }) =>
    (await videos.categories()).map(({ key, name }) => ({ key, name: localText(name, locale) })),
  );

  serve(app, deps, contract.videoList, async (call) => {
    const ids = await videos.list(call.input.id);
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
      category: { key: category?.key ?? "", name: category ? localText(category.name, locale) : "" },
      vod_play_url: `${folder}/${MASTER}`,
      expires_ms: expiresMs,
      is_see: active ? (1 as const) : (0 as const),
      free_see_time: settings.get<number>("free_see_time"),
      ...extrasOf(await files.find(id), folder, active),
    };
  }

  serve(app, deps, contract.videoInfo, showInfo);
}

/** Captions and the preview strip, which players show beside the picture. */
function extrasOf(video: ServedVideo | null, folder: string, active: boolean) {
  const { strip = null, captions = [] } = video ?? {};
  return {
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

  serve(app, deps, contract.watching, async (call) =>
    (await readWatching(deps.db.read, call.caller.memberId)).map(({ positionMs, ...video }) => ({
      ...cardFor(deps, call, video),
      position_ms: positionMs,
    })),
  );
}
