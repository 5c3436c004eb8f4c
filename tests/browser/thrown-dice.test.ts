import { expect } from "vitest";
import { browserTest } from "../support/browser-test.ts";

const GAME = { key: "k3-10s", name: "Ten seconds", periodS: 10, closeS: 2 };
const test = browserTest({ games: [GAME] });

/** The places of the pips of thrown dice, so many ms after they were thrown. */
const pipsAt = (ms: number) => {
  const dice = [...document.querySelectorAll("main .animate-roll")];
  for (const animation of dice.flatMap((die) => die.getAnimations({ subtree: true }))) {
    animation.pause();
    animation.currentTime = ms;
  }
  const placeOf = (pip: Element) => `${getComputedStyle(pip).cx} ${getComputedStyle(pip).cy}`;
  return dice.map((die) => new Set([...die.querySelectorAll("circle")].map(placeOf)).size);
};

test("thrown dice show one pip each while they fly, and their faces once they lie", async ({ enter }) => {
  const { page } = await enter("thrower");
  await page.goto(`/Lottery?key=${GAME.key}`);
  await page.locator("main .animate-roll").first().waitFor();
  expect(await page.evaluate(pipsAt, 500)).toEqual([1, 1, 1]);
  const drawn = await page
    .locator("main .animate-roll")
    .evaluateAll((dice) => dice.map((die) => die.querySelectorAll("circle").length));
  expect(await page.evaluate(pipsAt, 900)).toEqual(drawn);
});
