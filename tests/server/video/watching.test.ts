import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { videos } from "#db/schema/video.ts";
import { removeVideo } from "#server/domains/video/publish.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { activePlayer, category, video } from "./video-world.ts";

/** Films of 40 seconds; the last one is longer. */
const FILMS = 15;
const LONG_MS = 200_000;

let w: World;
beforeAll(async () => {
  w = await world();
  await category(w, "sea");
  for (let i = 1; i <= FILMS; i++) await video(w, `Film ${i}`);
  await w.deps.db.transact((tx) => tx.update(videos).set({ durationMs: LONG_MS }).where(eq(videos.id, FILMS)));
});
afterAll(() => w.close());

/** Stops watching, a second after the previous stop. */
async function stop({ call }: Player, film: number, position_ms: number): Promise<void> {
  w.pass(1_000);
  expect((await call("/video/place", { id: `vid_${film}`, position_ms: String(position_ms) })).code).toBe(200);
}

async function watching({ call }: Player): Promise<[string, number][]> {
  const { data } = await call("/video/watching", {}, { method: "GET" });
  return data.map((one) => [one.vod_name, one.position_ms]);
}

describe("the list to continue watching", () => {
  it("has the latest first, as a card with its position", async () => {
    const mia = await activePlayer(w, "mia_1");
    expect(await watching(mia)).toEqual([]);
    await stop(mia, 1, 6_000);
    await stop(mia, 2, 20_000);
    await stop(mia, 1, 12_345);
    expect(await watching(mia)).toEqual([
      ["Film 1", 12_345],
      ["Film 2", 20_000],
    ]);
    const { data } = await mia.call("/video/watching", {}, { method: "GET" });
    const { data: lists } = await mia.call("/video/getVideoList", { limit: "50" }, { method: "GET" });
    const card = lists.list.find(({ id }: { id: string }) => id === "vid_1");
    expect(data[0]).toEqual({ ...card, position_ms: 12_345 });
  });

  it("has neither barely started films nor finished ones", async () => {
    const noah = await activePlayer(w, "noah_1");
    for (const [film, position] of [
      [3, 4_999],
      [4, 35_001],
      [5, 40_000],
      [FILMS, LONG_MS * 0.95],
    ]) {
      await stop(noah, film!, position!);
    }
    expect(await watching(noah)).toEqual([]);
    await stop(noah, 3, 5_000);
    await stop(noah, 4, 35_000);
    await stop(noah, FILMS, LONG_MS * 0.95 - 1);
    expect((await watching(noah)).map(([name]) => name)).toEqual([`Film ${FILMS}`, "Film 4", "Film 3"]);
  });

  it("has only what a viewer without membership may go on with", async () => {
    const ines = await w.player("ines_1");
    // Fifteen seconds are free.
    await stop(ines, 1, 10_000);
    await stop(ines, 2, 10_001);
    await stop(ines, 3, 20_000);
    expect(await watching(ines)).toEqual([["Film 1", 10_000]]);
  });

  it("has at most twelve", async () => {
    const olga = await activePlayer(w, "olga_1");
    for (let film = 1; film <= 14; film++) await stop(olga, film, 10_000);
    const names = (await watching(olga)).map(([name]) => name);
    expect(names).toEqual(Array.from({ length: 12 }, (_, i) => `Film ${14 - i}`));
  });

  it("is private to each member", async () => {
    const paul = await activePlayer(w, "paul_1");
    const quin = await activePlayer(w, "quin_1");
    await stop(paul, 6, 10_000);
    expect([await watching(paul), await watching(quin)]).toEqual([[["Film 6", 10_000]], []]);
    expect((await w.call("/video/watching", {}, { method: "GET" })).code).toBe(401);
  });

  it("drops a removed video", async () => {
    const rosa = await activePlayer(w, "rosa_1");
    const { id } = await video(w, "Short-lived");
    await stop(rosa, id, 10_000);
    await stop(rosa, 7, 10_000);
    expect(await watching(rosa)).toHaveLength(2);
    await w.deps.db.transact((tx) => removeVideo(tx, w.deps, id));
    expect(await watching(rosa)).toEqual([["Film 7", 10_000]]);
  });
});
