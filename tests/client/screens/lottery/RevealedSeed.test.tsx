// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { fairRound } from "#shared/contract/fair.ts";
import { GAME, RESULT, sitDown } from "../../../support/SeatedTable.tsx";
import { setStage } from "../../../support/Stage.tsx";

// Before the stage: the table is taken down while it can still say that it no longer waits.
afterEach(() => void vi.unstubAllGlobals());
setStage();

const DRAWN = GAME.now_expect!;

/** Which draws the table asked the house about, and what it does once it has nothing else to do. */
let asked: string[] = [];
let rest: (() => void)[] = [];
beforeEach(() => {
  [asked, rest] = [[], []];
  vi.stubGlobal("requestIdleCallback", (work: () => void) => rest.push(work));
  vi.stubGlobal("cancelIdleCallback", () => {});
  vi.stubGlobal("fetch", async (path: string) => {
    const { pathname, searchParams } = new URL(path, "http://trio");
    if (pathname !== `/api${fairRound.path}`) return Promise.reject(new TypeError("no line"));
    const expect = searchParams.get("expect")!;
    asked.push(expect);
    return Response.json({ code: 200, msg: "", data: { key: GAME.key, expect, seed: `0ace${"0".repeat(56)}face` } });
  });
});

const check = () => screen.getByRole("link", { name: "Check this draw" }).textContent;
const haveRest = () => act(async () => rest.forEach((work) => work()));

it("a table that is opened anew shows the seed of its last draw beside the check, once it stands", async () => {
  await sitDown();
  expect(asked).toEqual([]);
  expect(check()).not.toContain("0ace");
  await haveRest();
  await vi.waitFor(() => expect(check()).toContain("0ace…face"), 10_000);
  expect(asked).toEqual([DRAWN]);
});

it("a seed that came with its draw is not asked for", async () => {
  const { push } = await sitDown();
  await push(RESULT);
  await haveRest();
  expect(check()).toContain("5eed…feed");
  expect(asked).toEqual([]);
});
