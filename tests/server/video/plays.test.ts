import { setTimeout as wait } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR_MS } from "#shared/time.ts";
import { world, type World } from "../../support/world.ts";
import { category, fetchMedia, read, video } from "./video-world.ts";

let w: World;
let other: Sqlite.Database;

beforeAll(async () => {
  w = await world();
  await category(w, "sea");
  await video(w);
  other = new Sqlite(w.config.databaseFile);
});
afterAll(async () => {
  other.close();
  await w.close();
});

const info = (id = "vid_1") => read(w, "/video/getVideoInfo", { id });
const count = async (video = "vid_1") =>
  (await read(w, "/video/getVideoList")).list.find(({ id }: { id: string }) => id === video).count;
const complaints = () => w.logged.filter((line) => line.includes("plays could not be counted"));

describe("a video whose opening cannot be counted", () => {
  it("plays all the same, and is counted another time", async () => {
    other.exec("alter table video_plays rename to hidden");
    const said = await info();
    expect([said.count, (await fetchMedia(w, said.vod_play_url)).status]).toEqual([0, 200]);
    await expect.poll(complaints).toHaveLength(1);
    other.exec("alter table hidden rename to video_plays");
    await info();
    await expect.poll(() => count()).toBe(1);
  });

  it("plays before it is counted, while somebody else writes", async () => {
    w.pass(HOUR_MS);
    other.exec("begin immediate");
    const said = await info();
    expect([other.inTransaction, said.count, (await fetchMedia(w, said.vod_play_url)).status]).toEqual([true, 1, 200]);
    other.exec("rollback");
    await expect.poll(() => count()).toBe(2);
  });

  it("is counted by a server that stops before it could, and who came meanwhile too", async () => {
    await video(w, "Dunes");
    w.pass(HOUR_MS);
    other.exec("begin immediate");
    await info("vid_1");
    await info("vid_2");
    const restarted = w.restart();
    await wait(100);
    other.exec("rollback");
    await restarted;
    expect([await count("vid_1"), await count("vid_2")]).toEqual([3, 1]);
  });
});
