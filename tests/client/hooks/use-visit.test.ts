// @vitest-environment happy-dom
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { useVisit } from "#client/screens/wallet/use-visit.ts";
import { MINUTE_MS } from "#shared/time.ts";

/** The lifetime winnings of the connected member. */
let won: string | null = "0.00";
const answer = () => {
  if (won === null) return Promise.reject(new TypeError("no line"));
  const data = { play_money: "0.00", recharge: "0.00", withdrawal: "0.00", win_money: won };
  return Promise.resolve(Response.json({ code: 200, msg: "", data }));
};

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", answer);
  sessionStorage.clear();
  writeStored("token", "a-token-of-mia-0001");
  won = "0.00";
});
afterEach(() => {
  cleanup();
  forgetSession();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** The page comes to the front, or goes to the back. */
const look = (isSeen: boolean) =>
  act(() => {
    vi.spyOn(document, "hidden", "get").mockReturnValue(!isSeen);
    document.dispatchEvent(new Event("visibilitychange"));
  });
/** A logged-in member opens the app and wants a reminder each minute. */
async function come() {
  const { result, unmount } = renderHook(() => useVisit(1));
  await pass(0);
  return { reminder: () => result.current.reminder, leave: unmount };
}

describe("a visit", () => {
  it("is reminded of after each minute, with its balance", async () => {
    const { reminder } = await come();
    won = "25.00";
    await pass(MINUTE_MS - 1);
    expect(reminder()).toBeNull();
    await pass(1);
    expect(reminder()).toEqual({ minutes: 1, net: "25.00" });
  });

  it("continues over a reload", async () => {
    const { leave } = await come();
    await pass(MINUTE_MS / 2);
    leave();
    const { reminder } = await come();
    await pass(MINUTE_MS / 2);
    expect(reminder()?.minutes).toBe(1);
  });

  it("is another's when another member logs in: their time, their wins", async () => {
    const first = await come();
    await pass(MINUTE_MS / 2);
    first.leave();
    writeStored("token", "a-token-of-leo-0002");
    won = "500.00";
    const { reminder } = await come();
    await pass(MINUTE_MS / 2);
    expect(reminder()).toBeNull();
    await pass(MINUTE_MS / 2);
    expect(reminder()).toEqual({ minutes: 1, net: "0.00" });
  });

  it("that begins without a connection is reminded of all the same", async () => {
    won = null;
    const { reminder } = await come();
    won = "500.00";
    await pass(MINUTE_MS);
    expect(reminder()).toEqual({ minutes: 1, net: "0.00" });
  });

  it("counts no time in which nobody sees the page, and is reminded of once it was seen for long enough", async () => {
    const { reminder } = await come();
    await pass(MINUTE_MS / 2);
    look(false);
    await pass(600 * MINUTE_MS);
    expect(reminder()).toBeNull();
    look(true);
    await pass(MINUTE_MS / 2 - 1);
    expect(reminder()).toBeNull();
    await pass(1);
    expect(reminder()?.minutes).toBe(1);
  });

  it("counts none either over a reload in the background", async () => {
    const { leave } = await come();
    await pass(MINUTE_MS / 2);
    look(false);
    leave();
    const { reminder } = await come();
    await pass(600 * MINUTE_MS);
    expect(reminder()).toBeNull();
    look(true);
    await pass(MINUTE_MS / 2);
    expect(reminder()?.minutes).toBe(1);
  });

  it("does not go on while the device sleeps, whatever its clock says then", async () => {
    const { reminder } = await come();
    await pass(MINUTE_MS / 2);
    const slept = performance.now() + 600 * MINUTE_MS;
    vi.setSystemTime(Date.now() + 600 * MINUTE_MS);
    const clock = vi.spyOn(performance, "now").mockReturnValue(slept);
    await pass(MINUTE_MS / 2);
    expect(reminder()?.minutes).toBe(1);
    clock.mockRestore();
  });

  it("goes on while a reminder stands there, and says so with the next one", async () => {
    const { reminder } = await come();
    await pass(3 * MINUTE_MS);
    expect(reminder()?.minutes).toBe(3);
  });

  it("is another's from the moment when another member is there, in this tab as in others", async () => {
    const { reminder } = await come();
    await pass(MINUTE_MS / 2);
    await act(async () => writeStored("token", "a-token-of-leo-0002"));
    await pass(MINUTE_MS - 1);
    expect(reminder()).toBeNull();
    await pass(1);
    expect(reminder()?.minutes).toBe(1);
  });
});
