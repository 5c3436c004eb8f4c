// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { LimitsWay } from "#client/screens/lottery/LimitsWay.tsx";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { LIMIT_FIELDS, type Limits } from "#shared/contract/wallet.ts";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();
afterEach(() => {
  forgetSession();
  vi.unstubAllGlobals();
});

const NONE = Object.fromEntries(LIMIT_FIELDS.map((name) => [name, null]));

function showWith(set: Partial<Limits>, left: Partial<Limits["left"]>): void {
  writeStored("token", "mia-0001");
  const data = { ...NONE, pending: [], ...set, left: { ...NONE, ...left } };
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ code: 200, msg: "", data })));
  show(<LimitsWay />);
}

it("the way to the limits says how much the tightest on bets leaves, and shows how much of it is used", async () => {
  showWith({ stake_day: 40, recharge_day: 5 }, { stake_day: "10.00", recharge_day: "5.00" });
  const bar = await screen.findByRole("meter", { name: /^Stakes\W+Per day$/ });
  expect([bar.getAttribute("aria-valuenow"), bar.getAttribute("aria-valuetext")]).toEqual(["75", "10 left"]);
  const way = screen.getByRole("link", { name: /10 left/ });
  expect(way.getAttribute("href")).toBe("/Limits");
  expect(way.contains(bar)).toBe(false);
});

it("the way to the limits is the same without one", async () => {
  showWith({}, {});
  await screen.findByRole("link", { name: "Limits and breaks" });
  expect(screen.queryByRole("meter")).toBeNull();
});
