import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { world, type World } from "../../support/world.ts";
import { operate } from "./operate.ts";

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.close());

describe("a command that only reads", () => {
  it("commits nothing, and waits for no writer", async () => {
    const before = w.deps.db.stamp();
    expect(await operate(w, "member:list")).toMatchObject({ exit: 0 });
    expect(w.deps.db.stamp()).toBe(before);
  });

  it("is followed by one that writes, whose commit others see", async () => {
    const before = w.deps.db.stamp();
    expect(await operate(w, "invite:add", "READING26")).toMatchObject({ exit: 0 });
    expect(w.deps.db.stamp()).not.toBe(before);
  });
});
