import { describe, expect, it } from "vitest";
import { DatabaseCache } from "#db/database-cache.ts";

/** A cache over a database whose stamp the test changes, and a query with a new answer each time. */
function byHand({ most }: { most?: number } = {}) {
  const state = { stamp: 1, reads: 0 };
  const cache = new DatabaseCache<string>({ stamp: () => state.stamp }, most);
  const ask = (name: string) => cache.get(name, async () => `${name} at ${state.stamp}, read ${++state.reads}`);
  return { state, cache, ask };
}

/** A read that answers when the test says so. */
function slowRead() {
  const answer = Promise.withResolvers<string>();
  return { ...answer, read: () => answer.promise };
}

describe("the cache of a database", () => {
  it("reads once while there is no commit", async () => {
    const { ask } = byHand();
    expect([await ask("a"), await ask("b"), await ask("a")]).toEqual([
      "a at 1, read 1",
      "b at 1, read 2",
      "a at 1, read 1",
    ]);
  });

  it("reads again after a commit", async () => {
    const { ask, state } = byHand();
    await ask("a");
    state.stamp = 2;
    expect(await ask("a")).toBe("a at 2, read 2");
  });

  it("reads once for a thousand concurrent callers", async () => {
    const { ask, state } = byHand();
    const answers = await Promise.all(Array.from({ length: 1_000 }, () => ask("a")));
    expect([state.reads, new Set(answers)]).toEqual([1, new Set(["a at 1, read 1"])]);
  });

  it("reads once for the callers during a read", async () => {
    const { cache, ask, state } = byHand();
    const slow = slowRead();
    const first = cache.get("a", slow.read);
    await Promise.resolve();
    const second = ask("a");
    slow.resolve("slow");
    expect([await first, await second, await ask("a"), state.reads]).toEqual(["slow", "slow", "slow", 0]);
  });

  it("returns no caller after a commit what was read before it", async () => {
    const { cache, ask, state } = byHand();
    const slow = slowRead();
    const before = cache.get("a", slow.read);
    state.stamp = 2;
    const after = ask("a");
    slow.resolve("before");
    expect([await before, await after]).toEqual(["before", "a at 2, read 1"]);
    expect(await ask("a")).toBe("a at 2, read 1");
  });

  it("does not cache what was read before a commit, even without a call in between", async () => {
    const { cache, ask, state } = byHand();
    const slow = slowRead();
    const before = cache.get("a", slow.read);
    state.stamp = 2;
    slow.resolve("before");
    await before;
    expect(await ask("a")).toBe("a at 2, read 1");
  });

  it("caches no failure, but shares it among concurrent callers", async () => {
    const { cache, ask } = byHand();
    let tries = 0;
    const fail = () => {
      tries++;
      return Promise.reject(new Error("away"));
    };
    const outcomes = await Promise.allSettled([cache.get("a", fail), cache.get("a", fail)]);
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect([tries, await ask("a")]).toEqual([1, "a at 1, read 1"]);
  });

  it("caches no failure of a read that throws at once", async () => {
    const { cache, ask } = byHand();
    const refuse = () => {
      throw new Error("too many");
    };
    await expect(cache.get("a", refuse)).rejects.toThrow("too many");
    expect(await ask("a")).toBe("a at 1, read 1");
  });

  it("does not let an old failure end a new read", async () => {
    const { cache, ask, state } = byHand();
    const [old, slow] = [slowRead(), slowRead()];
    const failing = cache.get("a", old.read);
    state.stamp = 2;
    const reading = cache.get("a", slow.read);
    old.reject(new Error("away"));
    await expect(failing).rejects.toThrow("away");
    const joined = ask("a");
    slow.resolve("slow");
    expect([await reading, await joined, state.reads]).toEqual(["slow", "slow", 0]);
  });

  it("holds no more values than its limit, and drops the oldest", async () => {
    const { ask } = byHand({ most: 2 });
    for (const name of ["a", "b", "c"]) await ask(name);
    expect([await ask("b"), await ask("c"), await ask("a")]).toEqual([
      "b at 1, read 2",
      "c at 1, read 3",
      "a at 1, read 4",
    ]);
  });

  it("drops no value for a read that fails", async () => {
    const { cache, ask } = byHand({ most: 1 });
    await ask("a");
    await expect(cache.get("b", () => Promise.reject(new Error("none")))).rejects.toThrow("none");
    expect(await ask("a")).toBe("a at 1, read 1");
  });
});
