// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { Membership } from "#client/screens/wallet/Membership.tsx";
import { setStage, show } from "../../../support/Stage.tsx";

setStage();

/** Noon of 2026-03-02. */
const NOON = 1_772_452_800;
let membership: { is_see: 0 | 1; member_until: number };

beforeEach(() => {
  writeStored("token", "mia-0001");
  vi.stubGlobal("fetch", () => {
    const data = { id: "mem_1", money: "12.00", ...membership };
    return Promise.resolve(Response.json({ code: 200, msg: "", data }));
  });
});
afterEach(() => {
  forgetSession();
  vi.unstubAllGlobals();
});

describe("the membership card", () => {
  it.each([
    [1, NOON, "Your membership runs until March 2, 2026"],
    [0, NOON, "Your membership ended on March 2, 2026"],
    [0, 0, "You have no membership"],
  ] as const)("shows its state (is_see %d until %d): %s", async (is_see, member_until, says) => {
    membership = { is_see, member_until };
    show(<Membership />);
    expect((await screen.findByRole("status")).textContent).toBe(says);
    expect(screen.getByText("12")).toBeTruthy();
  });
});
