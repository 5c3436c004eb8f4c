// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { Today } from "#client/screens/member/Today.tsx";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

/** Midnight of 2026-03-02, by UTC. */
const FROM = 1_772_409_600;
const dayOf = (from: number, play_money: string, win_money: string) => ({
  from,
  play_money,
  win_money,
  recharge: "0.00",
  withdrawal: "0.00",
});
let today: readonly [staked: string, paid: string];

beforeEach(() => {
  writeStored("token", "mia-0001");
  vi.stubGlobal("fetch", () => {
    const data = [dayOf(FROM - 86_400, "9.00", "90.00"), dayOf(FROM, ...today)];
    return Promise.resolve(Response.json({ code: 200, msg: "", data }));
  });
});
afterEach(() => {
  forgetSession();
  vi.unstubAllGlobals();
});

/** The figure under this name, and whether it is coloured as a gain. */
const figure = (name: string) => {
  const value = screen.getByText(name).nextElementSibling!;
  return [value.textContent, value.classList.contains("text-jade")];
};

describe("the figures of the running day", () => {
  it.each([
    [["400.00", "390.00"], "-10", false],
    [["5.00", "5.00"], "0", false],
    [["5.00", "9.50"], "+4.50", true],
  ] as const)("staked and paid out %j are a net of %s", async (pair, net, isGain) => {
    today = pair;
    show(<Today />);
    await screen.findByText(/^Play since Mar 2, 2026, 12:00.AM$/);
    expect(figure("Net")).toEqual([net, isGain]);
    expect(figure("Paid out")[1]).toBe(false);
  });
});
