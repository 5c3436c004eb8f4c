// @vitest-environment happy-dom
import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { Offers } from "#client/screens/wallet/Offers.tsx";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

const PLANS = [
  { id: "half", name: "Half a year", days: 180, price: "1800.00" },
  { id: "month", name: "30 days", days: 30, price: "300.00" },
  { id: "quarter", name: "90 days", days: 90, price: "800.00" },
  { id: "dear", name: "31 days", days: 31, price: "400.00" },
];

beforeEach(() => {
  writeStored("token", "mia-0001");
  vi.stubGlobal("fetch", (path: string) => {
    const data = path.includes("plans") ? PLANS : { id: "mem_1", money: "12.00" };
    return Promise.resolve(Response.json({ code: 200, msg: "", data }));
  });
});
afterEach(() => {
  forgetSession();
  vi.unstubAllGlobals();
});

describe("a plan", () => {
  it.each([
    ["Half a year", "10 a day", null],
    ["30 days", "10 a day", null],
    ["90 days", "≈ 8.89 a day", "11% less per day than “30 days”"],
    ["31 days", "≈ 12.90 a day", null],
  ])("says what a day costs, and what it saves, if anything: %s", async (name, day, saves) => {
    show(<Offers />);
    const card = (await screen.findByRole("heading", { name })).closest("li")!;
    expect(within(card).getByText(day)).toBeTruthy();
    expect(within(card).queryByText(/less per day/)?.textContent ?? null).toBe(saves);
  });
});
