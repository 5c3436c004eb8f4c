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
  { id: "tenth", name: "A tenth less", days: 90, price: "810.00" },
  { id: "fifth", name: "A fifth less", days: 90, price: "720.00" },
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
    ["A tenth less", "9 a day", "10% less per day than “30 days”"],
    ["A fifth less", "8 a day", "20% less per day than “30 days”"],
  ])("says what a day costs, and what it saves, if anything: %s", async (name, day, saves) => {
    show(<Offers />);
    const card = (await screen.findByRole("heading", { name })).closest("li")!;
    expect(within(card).getByText(day)).toBeTruthy();
    expect(within(card).queryByText(/less per day/)?.textContent ?? null).toBe(saves);
  });
});

describe("a purchase", () => {
  it("has one idempotency key until its outcome is known, also where a retry meets the limit on requests", async () => {
    const answers = [
      () => Promise.reject(new TypeError("Failed to fetch")),
      () => Promise.resolve(Response.json({ code: 429, msg: "Slower", data: null }, { status: 429 })),
      () => Promise.resolve(Response.json({ code: 200, msg: "", data: { member_until: 1, money: "0.00", chain: "" } })),
    ];
    const keys: (string | null)[] = [];
    vi.stubGlobal("fetch", (path: string, init: RequestInit) => {
      if (path.includes("buyPlan")) {
        keys.push(new Headers(init.headers).get("idempotency-key"));
        return answers.shift()!();
      }
      const data = path.includes("plans") ? PLANS : { id: "mem_1", money: "5000.00" };
      return Promise.resolve(Response.json({ code: 200, msg: "", data }));
    });
    const { user } = show(<Offers />);
    await user.click(await screen.findByRole("button", { name: /300/ }));
    const sheet = await screen.findByRole("dialog");
    const buy = async () => user.click(await within(sheet).findByRole("button", { name: /300/ }));
    await buy();
    await within(sheet).findByRole("alert");
    await buy();
    await within(sheet).findByText("Slower");
    await buy();
    await expect.poll(() => keys.length).toBe(3);
    expect(new Set(keys).size).toBe(1);
  });
});
