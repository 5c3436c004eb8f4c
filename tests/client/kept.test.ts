// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { keepOfSession, readKept, readOfSession, writeKept } from "#client/storage/tab-storage.ts";

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
    expect(readKept("amount")).toBe("");
    writeKept("amount", "25");
    expect([readKept("amount"), sessionStorage.getItem("amount")]).toEqual(["25", "25"]);
    writeKept("amount", "");
    expect([readKept("amount"), sessionStorage.length]).toEqual(["", 0]);
  });

  it("is kept as long as the page lives where the browser keeps nothing", () => {
    vi.stubGlobal("sessionStorage", undefined);
    writeKept("amount", "25");
    expect(readKept("amount")).toBe("25");
  });
});

describe("what a tab keeps of a session", () => {
  it("is there as it was until it is taken back", () => {
    keepOfSession("bet", { options: ["A"], stake: "10" });
    expect(readOfSession("bet")).toEqual({ options: ["A"], stake: "10" });
    keepOfSession("bet", null);
    expect([readOfSession("bet"), sessionStorage.length]).toEqual([null, 0]);
  });

  it("is nothing to whoever logs in next, nor to a guest", () => {
    keepOfSession("bet", { stake: "10" });
    writeStored("token", LEOS);
    expect(readOfSession("bet")).toBeNull();
    forgetSession();
    expect(readOfSession("bet")).toBeNull();
  });

  it("does not give the session away", () => {
    keepOfSession("bet", { stake: "10" });
    expect(sessionStorage.getItem("bet")).not.toContain(MIAS);
  });

  it("is nothing when it makes no sense", () => {
    writeKept("bet", "{");
    expect(readOfSession("bet")).toBeNull();
  });
});
