// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetSession, onStored, readStored, writeStored } from "#client/storage/local-storage.ts";

const refuse = () => {
  throw new DOMException("not here", "QuotaExceededError");
};
/** A browser whose storage refuses these methods. */
function refusing(...names: ("getItem" | "setItem" | "removeItem")[]): void {
  const { localStorage } = window;
  const storage = {
    getItem: (name: string) => localStorage.getItem(name),
    setItem: (name: string, value: string) => localStorage.setItem(name, value),
    removeItem: (name: string) => localStorage.removeItem(name),
  };
  for (const name of names) storage[name] = refuse;
  vi.stubGlobal("localStorage", storage);
}

const listener = vi.fn<() => void>();
let stop: () => void;
beforeEach(() => {
  forgetSession();
  localStorage.clear();
  listener.mockClear();
  stop = onStored(listener);
});
afterEach(() => {
  stop();
  vi.unstubAllGlobals();
});

describe("the device's storage", () => {
  it("lasts until it is cleared, with the session alone", () => {
    for (const name of ["token", "tokensso", "viodeLang", "theme", "account"] as const) writeStored(name, name);
    expect(localStorage.getItem("token")).toBe("token");
    forgetSession();
    expect([readStored("token"), readStored("tokensso")]).toEqual([null, null]);
    for (const name of ["viodeLang", "theme", "account"] as const) expect(readStored(name)).toBe(name);
  });

  it("reports changes, here or in another tab, until it is unsubscribed", () => {
    writeStored("token", "a");
    forgetSession();
    expect(listener).toHaveBeenCalledTimes(2);
    window.dispatchEvent(new StorageEvent("storage", { key: "token" }));
    expect(listener).toHaveBeenCalledTimes(3);
    stop();
    writeStored("token", "b");
    expect(listener).toHaveBeenCalledTimes(3);
  });
});

describe("a browser that stores nothing", () => {
  it.each([
    ["because it is full", () => refusing("setItem")],
    ["because it must not", () => refusing("getItem", "setItem", "removeItem")],
    ["because it has no place at all", () => vi.stubGlobal("localStorage", undefined)],
  ])("%s, still lets a member log in and out", (_, begin) => {
    begin();
    writeStored("token", "a");
    expect([readStored("token"), readStored("tokensso")]).toEqual(["a", null]);
    forgetSession();
    expect(readStored("token")).toBeNull();
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it("and then has room again, stores what is written then, and nothing else", () => {
    refusing("setItem");
    writeStored("token", "old");
    vi.unstubAllGlobals();
    writeStored("token", "new");
    expect(readStored("token")).toBe("new");
    localStorage.clear();
    expect(readStored("token")).toBeNull();
  });
});
