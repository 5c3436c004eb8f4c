// @vitest-environment happy-dom
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { act, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { FLIGHT_MS } from "#client/screens/lottery/use-landed.ts";
import { WAITING } from "../../../support/own-round.ts";
import { OWN, RESULT, ROUND, sitDown } from "../../../support/SeatedTable.tsx";
import { ROOT } from "../../../support/source-files.ts";
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

it("a bet placed while the dice fly stands on its tile at once, and after they lie", async () => {
  const next = "20260302-0003";
  const placing = { expect: next, total: "10.00", balance: "90.00", receipt: "right" } as const;
  const onB = { ...WAITING, expect: next, options: [{ ...WAITING.options[0]!, type: "B", money: "10.00" }] };
  const { push, open, send } = await sitDown({ own: [OWN, onB] }, async () => placing);
  await push(RESULT);
  await open(next);
  const tile = within(document.querySelector<HTMLElement>('[data-option="B"]')!);
  expect(tile.queryByText(/your stake/)).toBeNull();
  await send({ type: "toggle", option: "B" });
  await send({ type: "stake", typed: "10" });
  await send({ type: "place", balance: 10_000 });
  expect(tile.getByText(/your stake 10/)).toBeTruthy();
  await pass(FLIGHT_MS);
  expect(tile.getByText(/your stake 10/)).toBeTruthy();
});

it("the seed stands beside the check as the dice are thrown", async () => {
  const { push } = await sitDown();
  const check = () => screen.getByRole("link", { name: "Check this draw" });
  await push(RESULT);
  expect(check().textContent).toContain("5eed…feed");
});

it("where motion is reduced, nothing flies, and a draw is told at once", async () => {
  vi.stubGlobal("matchMedia", () => ({ matches: true }));
  const { push } = await sitDown({ own: [OWN] });
  await push(RESULT);
  expect(document.querySelector(".animate-roll")).toBeNull();
  expect(told()).toEqual(ALL);
});

it("the flight lasts as long as the styles and the spread of the dice say", () => {
  const numberIn = (path: string, form: RegExp) => Number(form.exec(readFileSync(join(ROOT, path), "utf8"))![1]);
  const roll = numberIn("client/styles/tokens.css", /--animate-roll: roll (\d+)ms/);
  const spread = numberIn("client/components/Dice.tsx", /const SPREAD_MS = (\d+);/);
  expect(FLIGHT_MS).toBe(spread + roll);
});
