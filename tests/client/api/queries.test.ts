import { onlineManager, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { queryClient } from "#client/api/queries.ts";
import { LostCall, RefusedCall } from "#client/api/call-error.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  queryClient.clear();
  vi.useRealTimers();
});

/** How often a query with this constant error is made, in a minute. */
async function asked(error: Error): Promise<number> {
  let times = 0;
  const queryFn = () => {
    times++;
    return Promise.reject(error);
  };
  const stop = new QueryObserver(queryClient, { queryKey: ["q"], queryFn }).subscribe(() => {});
  await vi.advanceTimersByTimeAsync(60_000);
  stop();
  return times;
}
const refusal = (code: number) => new RefusedCall({ code, msg: "No", data: null });

describe("a query", () => {
  it("shows an answer that the page puts in with the tap, before any timer runs", async () => {
    const shown: unknown[] = [];
    const stop = new QueryObserver(queryClient, { queryKey: ["q"], enabled: false }).subscribe(({ data }) => {
      shown.push(data);
    });
    queryClient.setQueryData(["q"], "on");
    await Promise.resolve();
    stop();
    expect(shown).toEqual(["on"]);
  });

  it.each([400, 401, 403, 422, 429, 10001])(
    "that is refused with %i has its answer, and is not retried",
    async (code) => {
      expect(await asked(refusal(code))).toBe(1);
    },
  );

  it.each([
    ["got lost", new LostCall("no answer")],
    ["a faulty server answers", refusal(500)],
    ["a draining server answers", refusal(503)],
  ])("that %s is retried twice", async (_, error) => {
    expect(await asked(error)).toBe(3);
  });

  it("is made though the browser thinks that it is offline", async () => {
    onlineManager.setOnline(false);
    expect(await asked(refusal(400))).toBe(1);
    onlineManager.setOnline(true);
  });
});
