import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "#client/api/queries.ts";
import { startLastKnown } from "#client/app/last-known.ts";
import { readStored, removeStored, writeStored } from "#client/storage/local-storage.ts";
import { getUserInfo } from "#shared/contract/session.ts";

const KEY = [getUserInfo.path, {}, "en_us"];
const page = { document: new EventTarget(), window: new EventTarget() };
const stored = new Map<string, string>();
const leave = () => page.window.dispatchEvent(new Event("pagehide"));

beforeAll(() => {
  vi.stubGlobal("document", page.document);
  vi.stubGlobal("window", page.window);
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("localStorage", {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => void stored.set(name, value),
    removeItem: (name: string) => void stored.delete(name),
  });
  writeStored("token", "a token of the first");
  startLastKnown();
});
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => {
  writeStored("token", "a token of the first");
  queryClient.setQueryData(KEY, { id: "mem_1", username: "first" });
});

describe("what was last known", () => {
  it("is kept when the page is left, for the same session", () => {
    leave();
    expect(readStored("lastKnown")).toContain("first");
  });

  it("goes with the session, though another tab began the next one before this app had started", () => {
    leave();
    writeStored("token", "the second's token");
    expect([queryClient.getQueryData(KEY), readStored("lastKnown")]).toEqual([undefined, null]);
    leave();
    expect(readStored("lastKnown")).not.toContain("first");
  });

  it("is not kept under a session that has changed since the page heard of it", () => {
    removeStored("lastKnown");
    // As another tab's change arrives: stored already, and not yet announced here.
    stored.set("token", "the second's token");
    leave();
    expect(readStored("lastKnown")).toBeNull();
  });
});
