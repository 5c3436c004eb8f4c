import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOUR_MS } from "#shared/time.ts";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { ENGINE } from "../../support/databases.ts";
import { world, type World } from "../../support/world.ts";
import { category, fetchMedia, read, video } from "./video-world.ts";

let w: World;
let other: OwnConnection;

beforeAll(async () => {
  w = await world();
  await category(w, "sea");
  await video(w);
  other = await openConnection(w.config.database);
});
afterAll(async () => {
  await other.close();
  await w.close();
});

/** Holds the write lock, so that no play is counted meanwhile. */
const HOLD = { sqlite: "begin immediate", postgres: "begin; lock table video_plays in exclusive mode" }[ENGINE];

const info = (id = "vid_1") => read(w, "/video/getVideoInfo", { id });
const count = async (video = "vid_1") =>
  (await read(w, "/video/getVideoList")).list.find(({ id }) => id === video)!.count;
const loggedFailures = () => w.logged.filter((line) => line.includes("plays could not be counted"));

describe("a video whose view cannot be counted", () => {
  it("plays all the same, and is counted later", async () => {
    await other.run("alter table video_plays rename to hidden");
    const { headers, data: video } = await w.call("/video/getVideoInfo", { id: "vid_1" }, { method: "GET" });
    expect([video.count, (await fetchMedia(w, video.vod_play_url)).status]).toEqual([0, 200]);
    await expect.poll(loggedFailures).toHaveLength(1);
    const failure = JSON.parse(loggedFailures()[0]!) as Record<string, unknown>;
    expect(failure).toMatchObject({ requestIds: [headers["x-request-id"]] });
    expect(failure).not.toHaveProperty("requestId");
    await other.run("alter table hidden rename to video_plays");
    await info();
    await expect.poll(() => count()).toBe(1);
  });

  it("plays before it is counted, while another process writes", async () => {
    w.pass(HOUR_MS);
    await other.run(HOLD);
    const answer = await info();
    expect([answer.count, (await fetchMedia(w, answer.vod_play_url)).status]).toEqual([1, 200]);
    await wait(100);
    expect(await count()).toBe(1);
    await other.run("rollback");
    await expect.poll(() => count()).toBe(2);
  });

  it("is counted at shutdown by a server that could not before, with the views that came meanwhile", async () => {
    await video(w, "Dunes");
    w.pass(HOUR_MS);
    await other.run(HOLD);
    await info("vid_1");
    await info("vid_2");
    const restarted = w.restart();
    await wait(100);
    await other.run("rollback");
    await restarted;
    expect([await count("vid_1"), await count("vid_2")]).toEqual([3, 1]);
  });
});
