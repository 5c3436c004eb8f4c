import { describe, expect, it } from "vitest";
import {
  HashLanes,
  MOST_IN_LANE,
  MOST_IN_MEMORY,
  MOST_OF_ONE,
  type Asker,
} from "#server/domains/account/hash-lanes.ts";
import { Refusal } from "#shared/refusal.ts";

/** Lanes of one slot. `finish` ends the oldest hash that runs, and `begun` are the names in the order they began. */
function lanesOfOne({ isLimited = true } = {}) {
  const lanes = new HashLanes({ isLimited, slots: 1 });
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (lane: Asker["lane"], client: string, name = client) => {
    const hashed = lanes.run({ lane, client }, async () => {
      begun.push(name);
      await new Promise<void>((end) => ends.push(end));
    });
    return hashed.then(
      () => null,
      (error: unknown) => error as Refusal,
    );
  };
  const finish = async (times: number) => {
    for (let i = 0; i < times; i++) {
      ends.shift()!();
      await new Promise((turn) => setImmediate(turn));
    }
  };
  return { begun, ask, finish };
}

describe("hashes in lanes", () => {
  it("let a log-in wait for one sign-up, however many strangers sign up", async () => {
    const { begun, ask, finish } = lanesOfOne();
    for (let i = 0; i < MOST_IN_LANE; i++) void ask("signup", `192.0.2.${i}`);
    void ask("login", "victim");
    await finish(1);
    expect(begun).toEqual(["192.0.2.0", "victim"]);
  });

  it("let a known device and a passcode past a flood of log-ins", async () => {
    const { begun, ask, finish } = lanesOfOne();
    for (let i = 0; i < MOST_IN_LANE; i++) void ask("login", `192.0.2.${i}`);
    void ask("device", "phone");
    void ask("session", "7");
    await finish(3);
    expect(begun.slice(0, 3)).toContain("phone");
    expect(begun.slice(0, 3)).toContain("7");
  });

  it("serve the clients of a lane in turns", async () => {
    const { begun, ask, finish } = lanesOfOne();
    for (let i = 0; i < 30; i++) void ask("login", "flood");
    void ask("login", "victim");
    await finish(2);
    expect(begun).toEqual(["flood", "flood", "victim"]);
  });

  it("refuse a client beyond its share, and say when to come again", async () => {
    const { ask } = lanesOfOne();
    for (let i = 0; i <= MOST_OF_ONE; i++) void ask("login", "flood");
    const refused = await ask("login", "flood");
    expect(refused).toBeInstanceOf(Refusal);
    expect([refused!.reason, refused!.detail.retryAfterS]).toEqual(["attempts.many", expect.any(Number)]);
    expect(refused!.detail.retryAfterS).toBeGreaterThan(0);
  });

  it("take more of a client than of a whole lane where load is tested, and no more than memory bears", async () => {
    const { ask } = lanesOfOne({ isLimited: false });
    const taken = Array.from({ length: MOST_IN_MEMORY + 1 }, () => ask("signup", "tester"));
    expect((await ask("signup", "tester"))?.reason).toBe("attempts.many");
    expect(await Promise.race([...taken, Promise.resolve("waiting")])).toBe("waiting");
  });

  it("make room in a full lane for a client that has less", async () => {
    const { begun, ask, finish } = lanesOfOne();
    const flood = Array.from({ length: MOST_IN_LANE + 1 }, (_, i) => ask("login", `flood ${i % 10}`));
    void ask("login", "victim");
    expect((await Promise.race(flood))?.reason).toBe("attempts.many");
    await finish(11);
    expect(begun).toContain("victim");
  });

  it("refuse a newcomer where everybody in a full lane has one place", async () => {
    const { ask } = lanesOfOne();
    for (let i = 0; i <= MOST_IN_LANE; i++) void ask("login", `192.0.2.${i}`);
    expect((await ask("login", "victim"))?.reason).toBe("attempts.many");
  });

  it("go on after a hash that failed", async () => {
    const lanes = new HashLanes({ isLimited: true, slots: 1 });
    const asker = { lane: "login", client: "one" } as const;
    await expect(lanes.run(asker, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
    expect(await lanes.run(asker, () => Promise.resolve("next"))).toBe("next");
  });
});
