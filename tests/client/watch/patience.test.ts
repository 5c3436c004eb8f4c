import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Patience } from "#client/watch/patience.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A line on which each answer comes when the test says so. */
function line() {
  const asked: { signal: AbortSignal; come: (answer: string) => void; fail: (error: Error) => void }[] = [];
  const patience = new Patience();
  const wait = (name = "tile") =>
    patience.wait(name, (signal) => new Promise<string>((come, fail) => void asked.push({ signal, come, fail })));
  /** Waits in vain: nothing came in time. */
  const inVain = async (name?: string) => {
    const failed = wait(name).catch(String);
    await vi.advanceTimersByTimeAsync(8_000);
    expect(await failed).toContain("takes long");
  };
  return { asked, patience, wait, inVain };
}

describe("an answer on a slow line", () => {
  it("that comes in time is handed over, and asked for anew the next time", async () => {
    const { asked, wait } = line();
    const first = wait();
    asked[0]!.come("one");
    expect(await first).toBe("one");
    void wait();
    expect(asked).toHaveLength(2);
  });

  it("goes on where nobody waits, and is there at the next try: begun anew it would never come", async () => {
    const { asked, wait, inVain } = line();
    await inVain();
    await inVain();
    asked[0]!.come("after 20 s");
    expect(await wait()).toBe("after 20 s");
    expect([asked.length, asked[0]!.signal.aborted]).toEqual([1, false]);
    void wait();
    expect(asked).toHaveLength(2);
  });

  it("holds up nobody else", async () => {
    const { asked, wait, inVain } = line();
    await inVain("tile");
    const other = wait("bundle");
    asked[1]!.come("two");
    expect(await other).toBe("two");
  });

  it("that fails is asked for anew", async () => {
    const { asked, wait, inVain } = line();
    await inVain();
    asked[0]!.fail(new Error("cut"));
    await vi.advanceTimersByTimeAsync(0);
    const next = wait();
    asked[1]!.come("whole");
    expect(await next).toBe("whole");
  });

  it("that takes two minutes is given up, and one that nobody fetched by then is too old", async () => {
    const { asked, wait, inVain } = line();
    await inVain("hangs");
    await inVain("old");
    asked[1]!.come("old");
    await vi.advanceTimersByTimeAsync(120_000);
    expect(asked[0]!.signal.aborted).toBe(true);
    void wait("hangs");
    void wait("old");
    expect(asked).toHaveLength(4);
  });

  it("is not waited for any more once another house may answer", async () => {
    const { asked, patience, wait, inVain } = line();
    await inVain();
    patience.forgetAll();
    asked[0]!.come("of the house before");
    const next = wait();
    asked[1]!.come("of this one");
    expect(await next).toBe("of this one");
  });
});
