import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";
import type { Visitor } from "../support/visitor.ts";

const TOP_UP = 1_000;
const STAKE = 50;
/** Two of the four even chances always win; each returns 1.95 times its stake. */
const EVENS = ["A", "B", "C", "D"];
const AFTER_WIN = (TOP_UP - 4 * STAKE + 2 * STAKE * 1.95) * 100;

const test = browserTest();

describe("the story on other devices", () => {
  test("in Korean, with two who watch one round and see the same dice", async ({ come, enter }) => {
    const better = await come({ lang: "ko_kr" });
    await better.register("better_one");
    await better.topUp(TOP_UP);
    const watcher = await enter("watcher_one", TOP_UP, { lang: "ko_kr" });
    await Promise.all([better.openTable(4), watcher.openTable(4)]);
    const round = await better.bet(EVENS, STAKE);
    const result = (visitor: Visitor) =>
      visitor.page.getByText(visitor.words.like("round.result", { round })).first().textContent();
    const [first, second] = await Promise.all([result(better), result(watcher)]);
    expect(first).toContain(second?.trim());
    await expect.poll(() => better.balance()).toBe(AFTER_WIN);
    await expect.poll(() => watcher.balance()).toBe(TOP_UP * 100);
  });

  test.for([-5_000, 5_000])("on a device whose clock is %i ms off, with no error", async (clockOffMs, { enter }) => {
    const visitor = await enter(`clock_${clockOffMs > 0 ? "fast" : "slow"}`, TOP_UP, { clockOffMs });
    await visitor.openTable();
    await visitor.bet(["A"], STAKE);
    await expect.poll(() => visitor.balance()).toBe((TOP_UP - STAKE) * 100);
  });
});
