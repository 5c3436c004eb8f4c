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

describe("what a tab keeps", () => {
  it("is there until it is emptied", () => {
    expect(readTab("amount")).toBe("");
    writeTab("amount", "25");
    expect([readTab("amount"), sessionStorage.getItem("amount")]).toEqual(["25", "25"]);
    writeTab("amount", "");
    expect([readTab("amount"), sessionStorage.length]).toEqual(["", 0]);
  });

  it("is kept as long as the page lives where the browser keeps nothing", () => {
    vi.stubGlobal("sessionStorage", undefined);
    writeTab("amount", "25");
    expect(readTab("amount")).toBe("25");
  });
});

describe("what a tab keeps of a session", () => {
  it("is there as it was until it is taken back", () => {
    writeTabOfSession("bet", { options: ["A"], stake: "10" });
    expect(readTabOfSession("bet")).toEqual({ options: ["A"], stake: "10" });
    writeTabOfSession("bet", null);
    expect([readTabOfSession("bet"), sessionStorage.length]).toEqual([null, 0]);
  });

  it("is nothing to whoever logs in next, nor to a guest", () => {
    writeTabOfSession("bet", { stake: "10" });
    writeStored("token", LEOS);
    expect(readTabOfSession("bet")).toBeNull();
    forgetSession();
    expect(readTabOfSession("bet")).toBeNull();
  });

  it("does not give the session away", () => {
    writeTabOfSession("bet", { stake: "10" });
    expect(sessionStorage.getItem("bet")).not.toContain(MIAS);
  });

  it("is nothing when it makes no sense", () => {
    writeTab("bet", "{");
    expect(readTabOfSession("bet")).toBeNull();
  });
});
