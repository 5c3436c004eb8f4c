import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, it } from "vitest";
import { videos } from "#db/schema/video.ts";
import { SECOND_MS } from "#shared/time.ts";
import { world, type World } from "../../support/world.ts";
import { category, read, video } from "./video-world.ts";

let w: World;
beforeAll(async () => {
  w = await world();
  await category(w, "sea");
  await category(w, "city");
  for (const [title, place] of [
    ["Northern lights over the lake", 1],
    ["Hà Nội: phố đèn lồng", 2],
    ["서울의 밤", 2],
    ["Lights of the harbour", 1],
  ] as const)
    await video(w, title, place);
  const set = (id: number, durationMs: number, plays: number) =>
    w.deps.db.transact(async (tx) => {
      await tx.update(videos).set({ durationMs, plays }).where(eq(videos.id, id));
      await w.deps.announce(tx, "videos.changed", {});
    });
  for (const [id, seconds, plays] of [
    [1, 30, 5],
    [2, 90, 9],
    [3, 60, 5],
    [4, 30, 0],
  ] as const)
    await set(id, seconds * SECOND_MS, plays);
  await w.site.relay.wake();
});
afterAll(() => w.close());

async function found(input: Record<string, string>): Promise<string[]> {
  const { list, count } = await read(w, "/video/getVideoList", input);
  expect(count).toBe(list.length);
  return list.map(({ id }) => id.slice("vid_".length));
}

it.each([
  ["LIGHTS", ["4", "1"]],
  ["lake lights", ["1"]],
  ["ight", ["4", "1"]],
  ["ha noi", ["2"]],
  ["ĐÈN", ["2"]],
  ["울", ["3"]],
  ["nothing", []],
  ["lights nothing", []],
])("a title is found by %j, in any case and without marks", async (q, ids) => {
  expect(await found({ q })).toEqual(ids);
});

it("a search stays within its category", async () => {
  expect(await found({ q: "lights", id: "city" })).toEqual([]);
  expect(await found({ q: "n", id: "city" })).toEqual(["2"]);
});

it.each([
  ["newest", ["4", "3", "2", "1"]],
  ["plays", ["2", "3", "1", "4"]],
  ["longest", ["2", "3", "4", "1"]],
  ["shortest", ["4", "1", "3", "2"]],
])("the videos are listed with the %s first", async (sort, ids) => {
  expect(await found({ sort })).toEqual(ids);
});

it("the order of the most watched is at most ten seconds old", async () => {
  await w.deps.db.transact((tx) => tx.update(videos).set({ plays: 20 }).where(eq(videos.id, 4)));
  w.pass(10 * SECOND_MS);
  expect((await found({ sort: "plays" }))[0]).toBe("4");
});
