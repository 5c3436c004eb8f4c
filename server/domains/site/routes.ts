import { desc } from "drizzle-orm";
import type { FastifyInstance } from "fastify";
import type { Tx } from "#db/db.ts";
import { banners, notices } from "#db/schema/site.ts";
import { videos } from "#db/schema/video.ts";
import type { Deps } from "#server/app/deps.ts";
import { serve } from "#server/http/serve.ts";
import { pageOf } from "#shared/paging.ts";
import * as contract from "#shared/contract/site.ts";
import { localTexts } from "#shared/locales.ts";
import { videoCard, type ShownVideo } from "#shared/video.ts";
import { baseInfo } from "./base-info.ts";
import { newestNotice, noticeView } from "./notices.ts";

/** The site's public information over HTTP. */
export function siteRoutes(app: FastifyInstance, deps: Deps): void {
  const { read } = deps.db;

  serve(app, deps, contract.systemBase, ({ locale }) => baseInfo(deps, locale));

  serve(app, deps, contract.systemConfig, async ({ locale, caller: { sessionId } }) => {
    const shown = await read.select().from(banners).orderBy(banners.position);
    const newest = await newestNotice(read);
    return {
      banners: shown.map(({ url, link, caption }) => ({
        url,
        link,
        ...localTexts({ caption: caption ?? "" }, locale),
      })),
      ...localTexts({ notice: newest?.text ?? "" }, locale),
      movielist_0: (await newestVideos(read)).map((video) =>
        videoCard(video, locale, deps.posterUrl(video, sessionId)),
      ),
    };
  });

  serve(app, deps, contract.noticeList, async ({ input, locale }) => {
    const { limit, offset } = pageOf(input);
    const rows = await read.select().from(notices).orderBy(desc(notices.id)).limit(limit).offset(offset);
    return rows.map((row) => noticeView(deps, row, locale));
  });
}

/** As many as the home screen recommends. */
const MOST = 8;

function newestVideos(read: Tx): Promise<ShownVideo[]> {
  const { id, title, durationMs, publishedAt, plays, poster, demo } = videos;
  return read
    .select({ id, title, durationMs, publishedAt, plays, poster, demo })
    .from(videos)
    .orderBy(desc(id))
    .limit(MOST);
}
