import { afterEach, beforeEach, expect, it } from "vitest";
import { HOUR_MS } from "#shared/time.ts";
import type { World } from "../../support/world.ts";
import { answer } from "./clock-ways.ts";
import { readsOf, roundsWorld } from "./rounds-world.ts";

let w: World;
const { rounds } = readsOf(() => w);
beforeEach(async () => void (w = await roundsWorld()));
afterEach(() => w.close());

const CLOSED = "closed a round that was opened while the clock was ahead";

it("the log says of each round that a clock ahead had opened that it was closed early, and says it once", async () => {
  await w.live(60_000);
  expect(answer(w, CLOSED)).toBe(0);
  w.jump(HOUR_MS);
  await w.settle();
  w.jump(-HOUR_MS);
  await w.settle();
  await w.live(1_000);
  expect((await rounds()).filter(({ skippedAt }) => skippedAt !== null)).toHaveLength(1);
  expect(answer(w, CLOSED)).toBe(1);
});
