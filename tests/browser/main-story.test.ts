import { describe, expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";

const TOP_UP = 1_000;
const STAKE = 50;
/** Two of the four even chances always win; each returns 1.95 times its stake. */
const EVENS = ["A", "B", "C", "D"];
const AFTER_WIN = (TOP_UP - 4 * STAKE + 2 * STAKE * 1.95) * 100;

const test = browserTest();

describe("the whole story on a phone", () => {
  test("register, top up, bet, see the dice, be paid without a reload, and check the draw", async ({ visitor }) => {
    const { page, words } = visitor;
    await visitor.register("storyteller");
    await visitor.topUp(TOP_UP);
    await visitor.openTable();
    await expect.poll(() => visitor.balance()).toBe(TOP_UP * 100);
    await page.evaluate(() => ((window as { stays?: true }).stays = true));
    // Writes down what would be felt.
    await page.evaluate(() => {
      const felt = ((window as { felt?: string[] }).felt = []) as string[];
      navigator.vibrate = (pulses) => felt.push(JSON.stringify(pulses)) > 0;
    });

    await visitor.bet(EVENS, STAKE);
    await expect.poll(() => visitor.balance()).toBe((TOP_UP - 4 * STAKE) * 100);
    await page.getByText(words.like("own.result")).first().waitFor();
    await expect.poll(() => visitor.balance()).toBe(AFTER_WIN);
    // Staked 200, returned 195: dice that land, and the tone of every result. Nothing brighter.
    const felt = () => page.evaluate(() => (window as { felt?: string[] }).felt);
    await expect.poll(felt).toContain("[30]");
    await expect.poll(felt).toContain("[15,40,15]");
    expect(await felt()).not.toContain("[30,60,30]");
    expect(await page.evaluate(() => (window as { stays?: true }).stays)).toBe(true);

    await page.getByRole("link", { name: words.text("round.check") }).click();
    await page.getByText(words.text("fair.numbers")).waitFor();
  });
});
