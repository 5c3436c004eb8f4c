import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { writeTab } from "#client/storage/tab-storage.ts";
import { fetchChunk, MissingChunk, reloadWhenBack } from "#client/app/missing-chunk.ts";

const REST_MS = 10_000;
let isUp: boolean;
const reload = vi.fn<() => void>();
beforeEach(() => {
  isUp = false;
  vi.useFakeTimers();
  writeTab("loaded anew", "");
  vi.stubGlobal("fetch", () => (isUp ? Promise.resolve({ ok: true }) : Promise.reject(new TypeError("no line"))));
});
afterEach(() => {
  reload.mockReset();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

describe("a lazy chunk", () => {
  it("is passed on when it loads, and marked as missing when it does not", async () => {
    expect(await fetchChunk(() => Promise.resolve("here"))).toBe("here");
    await expect(fetchChunk(() => Promise.reject(new TypeError("gone")))).rejects.toBeInstanceOf(MissingChunk);
  });
});

describe("a page with a missing chunk", () => {
  it("is reloaded within a second of the server being back, and not before", async () => {
    reloadWhenBack(reload);
    await pass(60_000);
    expect(reload).not.toHaveBeenCalled();
    isUp = true;
    await pass(1_000);
    expect(reload).toHaveBeenCalledTimes(1);
  });

  it("is left alone once the missing part is no longer shown", async () => {
    const stop = reloadWhenBack(reload);
    await pass(100);
    stop();
    isUp = true;
    await pass(60_000);
    expect(reload).not.toHaveBeenCalled();
  });

  it("is not reloaded again and again when that does not help", async () => {
    isUp = true;
    reloadWhenBack(reload);
    await pass(0);
    reloadWhenBack(reload);
    await pass(REST_MS - 1);
    expect(reload).toHaveBeenCalledTimes(1);
    await pass(1_001);
    expect(reload).toHaveBeenCalledTimes(2);
  });
});
