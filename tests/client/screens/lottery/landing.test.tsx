// @vitest-environment happy-dom
import { act, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FLIGHT_MS } from "#client/screens/lottery/use-landed.ts";
import { OWN, RESULT, ROUND, sitDown } from "../../../support/SeatedTable.tsx";
import { setStage } from "../../../support/Stage.tsx";

setStage();
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "requestAnimationFrame"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** What the table tells of the draw. */
function told() {
  const felt = screen.getByRole("region", { name: `Round ${ROUND}` });
  const tile = document.querySelector<HTMLElement>('[data-option="A"]')!;
  const strip = within(felt).getByRole("button", { name: /My/ });
  return {
    words: within(felt).queryByText("Sum 15 · Big · Odd") !== null,
    lit: within(tile).queryByText(/just came up/) !== null,
    strip: strip.textContent.includes("+9"),
    past: within(screen.getByRole("list")).queryByText("15") !== null,
    balance: screen.getByRole("banner").textContent.includes("139"),
    result: screen.queryByRole("heading", { name: `My result, round ${ROUND}` }) !== null,
  };
}

const NOTHING = { words: false, lit: false, strip: false, past: false, balance: false, result: false };
const ALL = { words: true, lit: true, strip: true, past: true, balance: true, result: true };

it("nothing tells a draw before its dice lie, and everything as they do", async () => {
  const { push, open } = await sitDown({ own: [OWN] });
  await push(RESULT);
  expect(document.querySelectorAll(".animate-roll")).toHaveLength(3);
  expect(told()).toEqual(NOTHING);
  await pass(FLIGHT_MS - 1);
  expect(told()).toEqual(NOTHING);
  await pass(1);
  expect(told()).toEqual(ALL);
  await open("20260302-0003");
  expect(screen.getByRole("heading", { name: `My result, round ${ROUND}` })).toBeTruthy();
});

it("the stakes stay on the tiles if the next round opens while the dice fly", async () => {
  const { push, open } = await sitDown({ own: [OWN] });
  await push(RESULT);
  await open("20260302-0003");
  const tile = document.querySelector<HTMLElement>('[data-option="A"]')!;
  expect(within(tile).getByText(/your stake 20/)).toBeTruthy();
});

it("where motion is reduced, nothing flies, and a draw is told at once", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  const { push } = await sitDown({ own: [OWN] });
  await push(RESULT);
  expect(document.querySelector(".animate-roll")).toBeNull();
  expect(told()).toEqual(ALL);
});
