// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { Today } from "#client/screens/member/Today.tsx";
import { getLimits, LIMIT_FIELDS, type Limits } from "#shared/contract/wallet.ts";
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
let set: Partial<Limits>;

beforeEach(() => {
  today = ["5.00", "5.00"];
  set = {};
  writeStored("token", "mia-0001");
  vi.stubGlobal("fetch", (url: string) => {
    const days = [dayOf(FROM - 86_400, "9.00", "90.00"), dayOf(FROM, ...today)];
    const data = url.includes(getLimits.path) ? limitsWith(set) : days;
    return Promise.resolve(Response.json({ code: 200, msg: "", data }));
  });
});
afterEach(() => {
  forgetSession();
  vi.unstubAllGlobals();
});

const NONE = Object.fromEntries(LIMIT_FIELDS.map((name) => [name, null]));
const limitsWith = (set: Partial<Limits>) => ({ ...NONE, pending: [], ...set, left: { ...NONE, ...set.left } });

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

describe("the limit that leaves least", () => {
  it("is a bar that fills with what is used, on the way to the limits", async () => {
    const left = { stake_day: "25.00", loss_week: "80.00" } as Limits["left"];
    set = { stake_day: 100, loss_week: 100, left };
    show(<Today />);
    const bar = await screen.findByRole("meter", { name: /^Stakes\W+Per day$/ });
    expect([bar.getAttribute("aria-valuenow"), bar.getAttribute("aria-valuetext")]).toEqual(["75", "25 left"]);
    expect(screen.getByRole("link", { name: /25 left/ }).getAttribute("href")).toBe("/Limits");
  });

  it("is no bar without one: the way to the limits alone", async () => {
    show(<Today />);
    await screen.findByRole("link", { name: "Limits and breaks" });
    expect(screen.queryByRole("meter")).toBeNull();
  });
});
