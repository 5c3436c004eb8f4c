import { afterEach, beforeEach, expect, it } from "vitest";
import { headOfClosing } from "#server/domains/log/read-log.ts";
import { MINUTE_GAME, world, type World } from "../../support/world.ts";
import { no } from "./clock-ways.ts";

const KEYS = ["k3-a", "k3-b", "k3-c"];

let w: World;
beforeEach(async () => {
  w = await world();
  for (const key of KEYS) await w.game({ ...MINUTE_GAME, key });
  await w.settle();
});
afterEach(() => w.close());

/** The size of the head that told each game's first round as closed. */
const heads = () => Promise.all(KEYS.map((game) => headOfClosing(w.deps.db.read, { game, round: no(1) })));

it("one head tells the closings of all games that close together", async () => {
  await w.live(57_000);
  const [first, ...others] = await heads();
  expect(first).toEqual(expect.any(Number));
  expect(others).toEqual([first, first]);
});

it("the head that tells them is there before any of them is drawn, though all are late", async () => {
  await w.live(90_000);
  expect(new Set(await heads()).size).toBe(1);
  for (const key of KEYS)
    expect((await w.call("/fair/round", { key, expect: no(1) }, { method: "GET" })).code).toBe(200);
});
