// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetSession, onStored, readStored, writeStored } from "#client/api/stored.ts";

const full = () => {
  throw new DOMException("no room", "QuotaExceededError");
};
const forbidden = () => {
  throw new DOMException("not here", "SecurityError");
};

const told = vi.fn<() => void>();
let stop: () => void;
beforeEach(() => {
  forgetSession();
  localStorage.clear();
  told.mockClear();
  stop = onStored(told);
});
afterEach(() => {
  stop();
  vi.restoreAllMocks();
});

describe("what the device keeps", () => {
  it("is there until it is forgotten, with the session alone", () => {
    for (const name of ["token", "tokensso", "viodeLang", "theme", "account"] as const) writeStored(name, name);
    expect(localStorage.getItem("token")).toBe("token");
    forgetSession();
    expect([readStored("token"), readStored("tokensso")]).toEqual([null, null]);
    for (const name of ["viodeLang", "theme", "account"] as const) expect(readStored(name)).toBe(name);
  });

  it("is told of when it changes, here or in another tab, until that is no longer wanted", () => {
    writeStored("token", "a");
    forgetSession();
    expect(told).toHaveBeenCalledTimes(2);
    window.dispatchEvent(new StorageEvent("storage", { key: "token" }));
    expect(told).toHaveBeenCalledTimes(3);
    stop();
    writeStored("token", "b");
    expect(told).toHaveBeenCalledTimes(3);
  });
});

describe("a browser that keeps nothing", () => {
  it.each([
    ["because it is full", () => void vi.spyOn(Storage.prototype, "setItem").mockImplementation(full)],
    [
      "because it must not",
      () => {
        for (const name of ["getItem", "setItem", "removeItem"] as const)
          vi.spyOn(Storage.prototype, name).mockImplementation(forbidden);
      },
    ],
  ])("%s, still lets one log in and out", (_, refuse) => {
    refuse();
    writeStored("token", "a");
    expect([readStored("token"), readStored("tokensso")]).toEqual(["a", null]);
    forgetSession();
    expect(readStored("token")).toBeNull();
    expect(told).toHaveBeenCalledTimes(2);
  });

  it("and then has room again, reads what was written last", () => {
    const refusing = vi.spyOn(Storage.prototype, "setItem").mockImplementation(full);
    writeStored("token", "old");
    refusing.mockRestore();
    writeStored("token", "new");
    expect(readStored("token")).toBe("new");
    localStorage.clear();
    expect(readStored("token")).toBeNull();
  });
});
