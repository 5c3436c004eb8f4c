import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { world, type World } from "../../support/world.ts";
import { ask, everything, operate } from "../admin/operate.ts";
import { category, read, video } from "./video-world.ts";

let w: World;

beforeAll(async () => {
  w = await world();
  await category(w, "sea");
  await video(w);
});
afterAll(() => w.close());

const shown = async (lang = "en_us") =>
  (await w.call("/video/getVideoInfo", { id: "vid_1" }, { method: "GET", lang })).data.chapters;
const CHAPTERS = [
  { start: 0, title: "Calm" },
  { start: 20, title: { en_us: "Storm", ko_kr: "폭풍" } },
];
const LAST_SECOND = 39;

describe("an operator gives a video chapters", () => {
  it("which every viewer reads in their language, those beyond the preview too", async () => {
    expect(await shown()).toEqual([]);
    const set = await ask(w, "video:chapters", "vid_1", JSON.stringify(CHAPTERS));
    expect(set).toEqual({ ok: true, id: "vid_1", chapters: 2 });
    const korean = [
      { start: 0, title: "Calm" },
      { start: 20, title: "폭풍" },
    ];
    await expect.poll(() => shown("ko_kr")).toEqual(korean);
    expect((await shown("th_th"))[1]).toEqual({ start: 20, title: "Storm", langs: { title: "en" } });
    expect((await read(w, "/video/getVideoInfo", { id: "vid_1" })).is_see).toBe(0);
  });

  it("in place of those before, and may remove them", async () => {
    await operate(w, "video:chapters", "vid_1", JSON.stringify([{ start: 0, title: "All of it" }]));
    await expect.poll(() => shown()).toEqual([{ start: 0, title: "All of it" }]);
    await operate(w, "video:chapters", "vid_1", "[]");
    await expect.poll(() => shown()).toEqual([]);
  });

  it("up to the video's last second", async () => {
    const until = (start: number) => JSON.stringify([CHAPTERS[0], { start, title: "End" }]);
    expect((await operate(w, "video:chapters", "vid_1", until(LAST_SECOND + 1))).err).toContain(
      "vid_1 ends before second 40",
    );
    expect((await operate(w, "video:chapters", "vid_1", until(LAST_SECOND))).exit).toBe(0);
  });

  it.each([
    ["no JSON", "{", "CHAPTERS is not valid JSON"],
    ["no list", '{"start":0,"title":"A"}', "CHAPTERS: "],
    ["a first one that starts later", '[{"start":1,"title":"A"}]', "CHAPTERS: the first chapter starts at 0"],
    [
      "two that start together",
      '[{"start":0,"title":"A"},{"start":5,"title":"B"},{"start":5,"title":"C"}]',
      "CHAPTERS: each chapter starts after the one before it",
    ],
    ["half a second", '[{"start":0,"title":"A"},{"start":1.5,"title":"B"}]', "CHAPTERS 2 start: "],
    ["a title of nothing", '[{"start":0,"title":" "}]', "CHAPTERS 1 title: "],
    ["an unknown language", '[{"start":0,"title":{"xx":"A"}}]', "CHAPTERS 1 title: "],
    ["another field", '[{"start":0,"title":"A","end":3}]', "CHAPTERS 1: "],
    ["more than fifty", JSON.stringify([...Array(51)].map((_, start) => ({ start, title: "A" }))), "CHAPTERS: "],
  ])("but not %s, and then nothing changes", async (_, words, why) => {
    const before = await everything(w);
    const { exit, err } = await operate(w, "video:chapters", "vid_1", words);
    expect([exit, err]).toEqual([2, expect.stringContaining(why)]);
    expect(await everything(w)).toEqual(before);
  });

  it.each(["vid_99", "lst_1"])("of a video that is there, which %s is not", async (id) => {
    const { exit, err } = await operate(w, "video:chapters", id, JSON.stringify(CHAPTERS));
    expect([exit, err]).toEqual([1, expect.stringContaining(`there is no video ${id}`)]);
  });
});
