// @vitest-environment happy-dom
import { act } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { serverTime } from "#client/api/server-time.ts";
import { useLimits } from "#client/screens/wallet/use-limits.ts";
import { forgetSession, writeStored } from "#client/storage/local-storage.ts";
import { LIMIT_FIELDS, type Limits } from "#shared/contract/wallet.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS, toSeconds } from "#shared/time.ts";
import { setStage, stand } from "../../../support/Stage.tsx";

setStage();

const NOON = Date.UTC(2026, 2, 2, 12);
const NONE = Object.fromEntries(LIMIT_FIELDS.map((name) => [name, null]));
const IN_TWO_SECONDS = toSeconds(NOON) + 2;

/** What the server answers, and how often it was asked. */
let limits: object = {};
let asked = 0;

beforeEach(() => {
  vi.useFakeTimers();
  serverTime.forget();
  serverTime.update(NOON);
  writeStored("token", "mia-0001");
  asked = 0;
  vi.stubGlobal("fetch", () => {
    asked++;
    return Promise.resolve(Response.json({ code: 200, msg: "", data: limits }));
  });
});
afterEach(() => {
  forgetSession();
  serverTime.forget();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const say = (some: Partial<Limits>) =>
  (limits = { ...NONE, remind_minutes: null, exclude_until: null, pending: [], left: NONE, ...some });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
/** A screen opens, and shows the limits that the server says now. */
async function open() {
  const shown = stand(useLimits, ["/Limits"]);
  await pass(0);
  return () => shown.current.data;
}

describe("a member's limits", () => {
  it("are asked for again when a break is over", async () => {
    say({ exclude_until: IN_TWO_SECONDS });
    const shown = await open();
    say({});
    await pass(1_900);
    expect([asked, shown()?.exclude_until]).toEqual([1, IN_TWO_SECONDS]);
    await pass(2 * SECOND_MS);
    expect([asked, shown()?.exclude_until]).toEqual([2, null]);
  });

  it("are asked for again when the soonest of the pending ones is in force", async () => {
    const stakes = { name: "stake_day", value: 50, from: IN_TWO_SECONDS };
    const losses = { ...stakes, name: "loss_day", from: IN_TWO_SECONDS + 3_600 };
    say({ pending: [losses, stakes] });
    const shown = await open();
    say({ stake_day: 50, pending: [losses] });
    await pass(4 * SECOND_MS);
    expect([asked, shown()?.stake_day]).toEqual([2, 50]);
    say({ stake_day: 50, loss_day: 50 });
    await pass(HOUR_MS);
    expect([asked, shown()?.loss_day]).toEqual([3, 50]);
  });

  it("are asked for at midnight all the same", async () => {
    say({ exclude_until: toSeconds(NOON + 24 * HOUR_MS) });
    await open();
    await pass(12 * HOUR_MS + 2 * SECOND_MS);
    expect(asked).toBe(2);
  });

  it("are asked for once a minute, and not on and on, where the server still says what is past", async () => {
    say({ exclude_until: IN_TWO_SECONDS });
    await open();
    await pass(MINUTE_MS);
    expect(asked).toBe(2);
    await pass(9 * MINUTE_MS);
    expect(asked).toBe(11);
  });
});
