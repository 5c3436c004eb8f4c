// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { writeTabOfSession, readTab, readTabOfSession, writeTab } from "#client/storage/tab-storage.ts";

const MIAS = "a-token-of-mia-0001";
const LEOS = "a-token-of-leo-0002";

beforeEach(() => {
  sessionStorage.clear();
  writeStored("token", MIAS);
});
afterEach(() => {
  vi.unstubAllGlobals();
  forgetSession();
});

describe("the tab's storage", () => {
  it("lasts until it is emptied", () => {
    expect(readTab("amount")).toBe("");
    writeTab("amount", "25");
    expect([readTab("amount"), sessionStorage.getItem("amount")]).toEqual(["25", "25"]);
    writeTab("amount", "");
    expect([readTab("amount"), sessionStorage.length]).toEqual(["", 0]);
  });

  it("lasts as long as the page where the browser stores nothing", () => {
    vi.stubGlobal("sessionStorage", undefined);
    writeTab("amount", "25");
    expect(readTab("amount")).toBe("25");
  });
});

describe("the tab's storage of a session", () => {
  it("is as it was until it is removed", () => {
    writeTabOfSession("bet", { options: ["A"], stake: "10" });
    expect(readTabOfSession("bet")).toEqual({ options: ["A"], stake: "10" });
    writeTabOfSession("bet", null);
    expect([readTabOfSession("bet"), sessionStorage.length]).toEqual([null, 0]);
  });

  it("is empty for the next member, and for a guest", () => {
    writeTabOfSession("bet", { stake: "10" });
    writeStored("token", LEOS);
    expect(readTabOfSession("bet")).toBeNull();
    forgetSession();
    expect(readTabOfSession("bet")).toBeNull();
  });

  it("does not reveal the session", () => {
    writeTabOfSession("bet", { stake: "10" });
    expect(sessionStorage.getItem("bet")).not.toContain(MIAS);
  });

  it("is empty when it is invalid", () => {
    writeTab("bet", "{");
    expect(readTabOfSession("bet")).toBeNull();
  });
});
