import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { videoPlays } from "#db/schema/video.ts";
import { removeVideo } from "#server/domains/video/publish.ts";
import { statePlays } from "#server/domains/video/state-plays.ts";
import { HOUR_MS, toSeconds } from "#shared/time.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { activePlayer, category, playing, read, video } from "./video-world.ts";

let w: World;
let mia: Player;
let noah: Player;

beforeAll(async () => {
  w = await world();
  await category(w, "sea", "Sea");
  await category(w, "city", "City");
  for (let i = 1; i <= 24; i++) await video(w, `Film ${i}`, i % 3 === 0 ? 2 : 1);
  mia = await activePlayer(w, "mia_1");
  noah = await w.player("noah_1");
});
afterAll(() => w.close());

const list = (input: Record<string, string> = {}) => read(w, "/video/getVideoList", input);
const names = (rows: { vod_name: string }[]) => rows.map(({ vod_name }) => vod_name);
const info = (id: number, token?: string) => read(w, "/video/getVideoInfo", { id: `vid_${id}` }, token);
const codeOf = async (path: string, input: Record<string, string>) =>
  (await w.call(path, input, { method: "GET" })).code;

describe("the video hall", () => {
  it("has categories in the operator's order, renamed by their key", async () => {
    await category(w, "sea", "The sea");
    expect(await read(w, "/video/itemlist")).toEqual([
      { key: "sea", name: "The sea" },
      { key: "city", name: "City" },
    ]);
  });

  it("lists the newest first, by pages, all of them or a category's", async () => {
    const first = await list();
    expect([first.count, first.list.length, first.list[0]!.vod_name]).toEqual([24, 10, "Film 24"]);
    expect(names((await list({ page: "3" })).list)).toEqual(["Film 4", "Film 3", "Film 2", "Film 1"]);
    expect((await list({ page: "4" })).list).toEqual([]);
    const city = await list({ id: "city", limit: "3", page: "2" });
    expect([city.count, names(city.list)]).toEqual([8, ["Film 15", "Film 12", "Film 9"]]);
    expect(first.list[0]).toEqual({
      id: "vid_24",
      vod_name: "Film 24",
      vod_pic: expect.stringMatching(/^\/media\/v\/0\.\d+\.[\w-]{43}\/24\/[0-9a-f]{32}-640\.webp$/),
      vod_shape: { widths: [320, 640], ratio: 0.56, blur: "abcd" },
      count: 0,
      time: toSeconds(w.now()),
      duration: 40,
      demo: 0,
    });
  });

  it("recommends what follows in the category, then from its beginning, then others", async () => {
    const more = names(await read(w, "/video/getVideoInfoItem", { id: "vid_6" }));
    const alike = ["Film 3", "Film 24", "Film 21", "Film 18", "Film 15", "Film 12", "Film 9"];
    expect(more).toEqual([...alike, "Film 23", "Film 22", "Film 20"]);
  });

  it("shows the newest on the home screen", async () => {
    const { movielist_0: newest } = await read(w, "/system/config");
    expect([newest.length, newest[0]!.vod_name]).toEqual([8, "Film 24"]);
  });

  it("refuses unknown videos and categories", async () => {
    expect(await codeOf("/video/getVideoList", { id: "none" })).toBe(404);
    for (const path of ["/video/getVideoInfo", "/video/getVideoInfoItem"]) {
      expect(await codeOf(path, { id: "vid_99" })).toBe(404);
      expect(await codeOf(path, { id: "lst_1" })).toBe(404);
      expect(await codeOf(path, {})).toBe(400);
    }
  });

  it("forgets a removed video, and never reuses its number", async () => {
    const { id } = await video(w, "Short-lived");
    const folder = await playing(w, id);
    await w.deps.db.transact((tx) => removeVideo(tx, w.deps, id));
    await w.site.relay.wake();
    expect((await list()).list[0]!.vod_name).toBe("Film 24");
    expect((await w.site.app.inject(`${folder}index.m3u8`)).statusCode).toBe(403);
    expect((await video(w, "Film 25")).id).toBe(id + 1);
  });
});

describe("a video's page", () => {
  it("shows whether all of it may be seen, and until when its address plays", async () => {
    const member = await info(1, mia.token);
    expect([member.is_see, member.free_see_time, member.expires_ms]).toEqual([1, 15, w.now() + 300_000]);
    expect(member.strip).toMatchObject({ columns: 10, count: 40, every_ms: 1_000 });
    expect(member.category).toEqual({ key: "sea", name: "The sea" });
    for (const other of [await info(1), await info(1, noah.token)]) {
      expect([other.is_see, other.strip]).toEqual([0, null]);
      expect(other.captions).toHaveLength(1);
    }
    expect((await info(1)).vod_play_url).toMatch(/^\/media\/v\/0\.\d+\.[\w-]{43}\/1\/index\.m3u8$/);
  });
});

describe("the number of views", () => {
  const counts = async (video: number) =>
    (await list({ limit: "50" })).list.find(({ id }) => id === `vid_${video}`)!.count;

  it("grows by one for each viewer in an hour, however often they watch, and survives a restart", async () => {
    await info(10, mia.token);
    await Promise.all([...Array(20)].map(() => info(10, noah.token)));
    await Promise.all([...Array(20)].map(() => info(10)));
    await expect.poll(() => counts(10)).toBe(3);
    await w.crash();
    for (const token of [mia.token, noah.token, undefined]) await info(10, token);
    await w.restart();
    expect(await counts(10)).toBe(3);
    expect((await info(10)).count).toBe(3);
  });

  it("grows again in the next hour, and forgets the viewer", async () => {
    w.pass(HOUR_MS);
    await statePlays(w.deps.db, w.now());
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => info(id)));
    await w.restart();
    expect(await counts(10)).toBe(4);
    const hours = new Set((await w.deps.db.read.select().from(videoPlays)).map(({ hour }) => hour));
    expect(hours).toEqual(new Set([Math.floor(w.now() / HOUR_MS)]));
  });

  it("reveals nothing of a guest's device or address", async () => {
    const rows = await w.deps.db.read.select().from(videoPlays);
    expect(JSON.stringify(rows)).not.toContain("127.0.0.1");
    expect(JSON.stringify(rows)).not.toContain("lightMyRequest");
  });
});

describe("the position in a video", () => {
  const place = (player: Player, id = "vid_2") => player.call("/video/place", { id }, { method: "GET" });

  it("is remembered for each member and video, at the end at the latest", async () => {
    expect((await place(mia)).data).toEqual({ position_ms: 0 });
    expect((await mia.call("/video/place", { id: "vid_2", position_ms: "12345" })).code).toBe(200);
    expect((await place(mia)).data).toEqual({ position_ms: 12_345 });
    await mia.call("/video/place", { id: "vid_2", position_ms: "80000" });
    expect((await place(mia)).data).toEqual({ position_ms: 40_000 });
    expect((await place(noah)).data).toEqual({ position_ms: 0 });
  });

  it("needs a session and an existing video", async () => {
    expect((await w.call("/video/place", { id: "vid_2", position_ms: "1" })).code).toBe(401);
    expect((await mia.call("/video/place", { id: "vid_99", position_ms: "1" })).code).toBe(404);
    expect((await place(mia, "vid_99")).code).toBe(404);
    for (const position_ms of ["-1", "1.5", "86400001", "x", ""]) {
      expect((await mia.call("/video/place", { id: "vid_2", position_ms })).fields).toHaveProperty("position_ms");
    }
  });
});
