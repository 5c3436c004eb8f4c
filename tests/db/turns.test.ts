import { describe, expect, it } from "vitest";
import { Turns } from "#db/turns.ts";

describe("turns", () => {
  /** Notes who was let in, and holds each until it is told to go on. */
  function queue(most: number) {
    const turns = new Turns(most);
    const began: string[] = [];
    const ends = new Map<string, () => void>();
    const ask = (name: string, turn: "first" | "in-order" = "in-order") =>
      turns.take(turn, async () => {
        began.push(name);
        await new Promise<void>((resolve) => ends.set(name, resolve));
        return name;
      });
    return { turns, began, ask, end: (name: string) => ends.get(name)!() };
  }

  it("are as many at once as may be", async () => {
    const { began, ask, end } = queue(2);
    const all = ["a", "b", "c", "d"].map((name) => ask(name));
    expect(began).toEqual(["a", "b"]);
    end("b");
    await all[1];
    await expect.poll(() => began).toEqual(["a", "b", "c"]);
    for (const name of ["a", "c"]) end(name);
    await expect.poll(() => began).toEqual(["a", "b", "c", "d"]);
    end("d");
    await expect(Promise.all(all)).resolves.toEqual(["a", "b", "c", "d"]);
  });

  it("of the first go before all others, each in the order of arrival", async () => {
    const { began, ask, end } = queue(1);
    const all = [ask("a"), ask("b"), ask("c"), ask("d", "first"), ask("e", "first")];
    for (const name of ["a", "d", "e", "b", "c"]) {
      await expect.poll(() => began.at(-1)).toBe(name);
      end(name);
    }
    await Promise.all(all);
    expect(began).toEqual(["a", "d", "e", "b", "c"]);
  });

  it("of the first that come one after the other starve nobody", async () => {
    const turns = new Turns(1);
    const began: string[] = [];
    const go = (name: string, turn: "first" | "in-order") => turns.take(turn, async () => void began.push(name));
    const house = async () => {
      for (let i = 0; i < 4; i++) await go("house", "first");
    };
    await Promise.all([house(), ...["a", "b", "c"].map((name) => go(name, "in-order"))]);
    expect(began).toEqual(["house", "a", "house", "b", "house", "c", "house"]);
  });

  it("are never more than may be, whenever in one's end somebody else comes", async () => {
    const turns = new Turns(1);
    let [running, most, done] = [0, 0, 0];
    const work = async () => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      done++;
    };
    const HOPS = 20;
    const come = async (hops: number) => {
      for (let hop = 0; hop < hops; hop++) await Promise.resolve();
      await turns.take("in-order", work);
    };
    await Promise.all(Array.from({ length: 5 * HOPS }, (_, i) => come(i % HOPS)));
    expect([most, done]).toEqual([1, 5 * HOPS]);
  });

  it("go on after a failure", async () => {
    const turns = new Turns(1);
    const failed = turns.take("in-order", async () => {
      throw new Error("no");
    });
    const next = turns.take("in-order", async () => "next");
    await expect(failed).rejects.toThrow("no");
    await expect(next).resolves.toBe("next");
    await expect(turns.take("in-order", async () => "idle")).resolves.toBe("idle");
  });
});
