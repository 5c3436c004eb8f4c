import { describe, expect, it } from "vitest";
import { storeDemoVideos, readDemoVideos, seedVideos } from "#server/demo/videos.ts";
import { faultOfCaptions } from "#server/domains/video/captions.ts";
import { LOCALES } from "#shared/locales.ts";
import { pictureSrcset } from "#shared/picture.ts";
import { world } from "../../support/world.ts";
import { activePlayer, fetchMedia, playing, read, statusesOf } from "./video-world.ts";

describe("the videos of the demo", () => {
  it("are in their categories, are marked as demo, and play whole for members", async () => {
    const w = await world();
    const demo = readDemoVideos();
    const stored = await storeDemoVideos(w.deps, demo);
    await w.deps.db.transact((tx) => seedVideos(tx, w.deps, stored));
    const categories = await read(w, "/video/itemlist");
    expect(categories).toHaveLength(demo.categories.length);
    const { list, count } = await read(w, "/video/getVideoList", { limit: "50" });
    expect(count).toBe(demo.videos.length);
    const { token } = await activePlayer(w, "mia_1");
    expect(await w.deps.storage.list("pictures/demo")).toEqual([]);
    let captioned = 0;
    const chaptered: string[] = [];
    for (const [i, { id, vod_name, vod_pic, vod_shape, demo: isDemo }] of list.entries()) {
      expect([vod_name, isDemo]).toEqual([(demo.videos[i]!.title as { en_us: string }).en_us, 1]);
      for (const format of ["webp", "avif"] as const) {
        const sources = pictureSrcset(vod_pic, vod_shape!.widths, format).split(", ");
        expect(
          await statusesOf(
            w,
            "",
            sources.map((source) => source.split(" ")[0]!),
          ),
        ).toEqual(new Set([200]));
      }
      const folder = await playing(w, Number(id.slice(4)), token);
      const { captions, chapters } = await read(w, "/video/getVideoInfo", { id }, token);
      if (chapters.length > 0) chaptered.push(vod_name);
      expect([0, LOCALES.length]).toContain(captions.length);
      for (const { url } of captions) expect(faultOfCaptions((await fetchMedia(w, url)).text)).toBeNull();
      captioned += captions.length;
      expect((await fetchMedia(w, `${folder}index.m3u8`)).text).toMatch(
        /,AVERAGE-BANDWIDTH=\d+,.*,FRAME-RATE=24\.000,/,
      );
      const { text } = await fetchMedia(w, `${folder}0.m3u8`);
      const files = text.match(/[0-9a-f]{32}\.\w+/g)!;
      expect(files).toHaveLength(demo.videos[i]!.durationMs / 4000 + 1);
      for (const file of files) expect((await fetchMedia(w, folder + file)).status).toBe(200);
    }
    expect(captioned).toBe(4 * LOCALES.length);
    expect(chaptered).toEqual(["The curtain opens"]);
    await w.close();
  });
});
