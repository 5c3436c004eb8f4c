import { afterEach, expect, it } from "vitest";
import { readOffered } from "#server/domains/wheel/read-prizes.ts";
import type { World } from "../../support/world.ts";
import { offer, prize, wheelWorld } from "./wheel-world.ts";

let w: World;
afterEach(() => w.close());

it("the prizes on offer stand in the order of the wheel, without those that left it", async () => {
  w = await wheelWorld(prize("b"), prize("c"), prize("a"));
  const ids = async () => (await readOffered(w.deps.db.read)).map(({ id }) => id);
  expect(await ids()).toEqual(["b", "c", "a"]);
  await offer(w, prize("c", { stock: 0 }), prize("b"));
  expect(await ids()).toEqual(["c", "b"]);
});
