import { describe, expect, it } from "vitest";
import { Kept } from "#db/kept.ts";

/** A database whose state is changed by hand. */
function standing() {
  const state = { stamp: 1, looks: 0 };
  const kept = new Kept<string>({ stamp: () => state.stamp });
  const ask = (name: string) => kept.get(name, async () => `${name} at ${state.stamp}, look ${++state.looks}`);
  return { state, ask };
}

describe("what was read of the database", () => {
  it("is not read again while nobody commits anything", async () => {
    const { ask } = standing();
    expect([await ask("a"), await ask("b"), await ask("a")]).toEqual([
      "a at 1, look 1",
      "b at 1, look 2",
      "a at 1, look 1",
    ]);
  });

  it("is read anew after a commit", async () => {
    const { ask, state } = standing();
    await ask("a");
    state.stamp = 2;
    expect(await ask("a")).toBe("a at 2, look 2");
  });

  it("is not kept when somebody committed while it was read", async () => {
    const { state } = standing();
    const kept = new Kept<string>({ stamp: () => state.stamp });
    const first = kept.get("a", async () => {
      state.stamp = 2;
      await kept.get("b", async () => "b");
      return "before";
    });
    expect(await first).toBe("before");
    expect(await kept.get("a", async () => "after")).toBe("after");
  });

  it("is not kept when reading failed", async () => {
    const { state } = standing();
    const kept = new Kept<string>({ stamp: () => state.stamp });
    await expect(kept.get("a", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(await kept.get("a", async () => "back")).toBe("back");
  });
});
