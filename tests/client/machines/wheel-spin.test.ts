import { createActor, fromPromise, SimulatedClock } from "xstate";
import { describe, expect, it } from "vitest";
import { REST_MS, TURN_MS, wheelSpin, type Begun, type Won } from "#client/machines/wheel-spin.ts";
import { settle } from "./table.ts";

const WON: Won = {
  id: "points-10",
  title: "10 points",
  image: "/prizes/points-10.svg",
  msgmemo: "<p>!</p>",
  nonce: 0,
  commit: "0".repeat(64),
  spins_left: 2,
};
const WHEEL = [WON, { ...WON, id: "thanks" }].map(({ id, title, image }) => {
  return { id, title, image, weight: 1, probability: 0.5, kind: "points" as const, amount: "10.00" };
});
const lost = () => Promise.reject(Object.assign(new Error("no answer"), { lost: true }));
const refused = () => Promise.reject(new Error("limit reached"));
const tooMany = () => Promise.reject(Object.assign(new Error("too many"), { code: 429 }));

interface Server {
  /** The answer to each request; the last one repeats. */
  answers?: (() => Promise<Won>)[];
  key?: string;
  isStill?: boolean;
}

/** A member at the wheel, with a clock that the test moves. */
function stand({ answers = [async () => WON], key, isStill }: Server = {}) {
  const clock = new SimulatedClock();
  const keys: string[] = [];
  const prices: string[] = [];
  const pairs: string[] = [];
  const emitted: string[] = [];
  let made = 0;
  const spin = fromPromise<Won, Begun>(({ input }) => {
    keys.push(input.key);
    prices.push(input.price);
    pairs.push(`${input.commit} ${input.words}`);
    return answers[Math.min(keys.length, answers.length) - 1]!();
  });
  const input = {
    wheel: WHEEL,
    newKey: () => `key-${++made}`,
    begun: key === undefined ? null : { key, price: "5.00", commit: "c0", words: "old-words", table: "t0" },
    ...(isStill === undefined ? {} : { isStill }),
  };
  const actor = createActor(wheelSpin.provide({ actors: { spin } }), { input, clock });
  actor.on("*", ({ type }) => emitted.push(type));
  actor.start();
  return {
    send: (type: "spin" | "retry" | "close", wheel = WHEEL) =>
      actor.send({ type, wheel, price: "50.00", commit: "c1", words: "my-words", table: "t1" }),
    keys,
    prices,
    pairs,
    emitted,
    state: () => actor.getSnapshot().value,
    known: () => actor.getSnapshot().context,
    async pass(...phases: number[]) {
      for (const ms of phases) {
        clock.increment(ms);
        await settle();
      }
    },
  };
}

async function spun(server?: Server) {
  const wheel = stand(server);
  wheel.send("spin");
  await settle();
  return wheel;
}

describe("a spin", () => {
  it("sends one request, turns for five seconds, rests half a second, and shows the prize until OK", async () => {
    const wheel = await spun();
    expect([wheel.state(), wheel.known().won, wheel.known().turns]).toEqual(["turning", WON, 1]);
    await wheel.pass(TURN_MS - 1);
    expect(wheel.state()).toBe("turning");
    await wheel.pass(1);
    expect(wheel.state()).toBe("resting");
    await wheel.pass(REST_MS - 1);
    expect([wheel.state(), wheel.emitted]).toEqual(["resting", ["answered"]]);
    await wheel.pass(1);
    expect([wheel.state(), wheel.emitted]).toEqual(["shown", ["answered", "stopped"]]);
    wheel.send("close");
    expect([wheel.state(), wheel.known().won, wheel.known().key]).toEqual(["ready", null, null]);
    expect([TURN_MS, REST_MS, wheel.keys]).toEqual([5_000, 500, ["key-1"]]);
  });

  it("is one at a time: pressing before OK does nothing", async () => {
    const wheel = stand();
    wheel.send("spin");
    wheel.send("spin");
    await settle();
    for (const ms of [0, TURN_MS, REST_MS]) {
      await wheel.pass(ms);
      wheel.send("spin");
      await settle();
    }
    expect([wheel.state(), wheel.keys]).toEqual(["shown", ["key-1"]]);
    wheel.send("close");
    wheel.send("spin");
    await settle();
    expect([wheel.keys, wheel.known().turns]).toEqual([["key-1", "key-2"], 2]);
  });

  it("is shown at once where motion is reduced", async () => {
    const wheel = await spun({ isStill: true });
    await wheel.pass(0, 0);
    expect(wheel.state()).toBe("shown");
  });

  it("that wins a prize missing on the drawn wheel is shown at once", async () => {
    const wheel = stand();
    wheel.send("spin", WHEEL.slice(1));
    await settle();
    await wheel.pass(0, 0);
    expect([wheel.state(), wheel.known().won]).toEqual(["shown", WON]);
  });

  it("cannot be closed before it is shown", async () => {
    const wheel = await spun();
    wheel.send("close");
    expect([wheel.state(), wheel.known().won]).toEqual(["turning", WON]);
  });
});

describe("a lost answer", () => {
  it("is retried after two seconds, with the same key", async () => {
    const wheel = await spun({ answers: [lost, lost, async () => WON] });
    expect(wheel.state()).toBe("unsure");
    await wheel.pass(1_999);
    expect(wheel.keys).toHaveLength(1);
    await wheel.pass(1, 2_000);
    expect([wheel.state(), wheel.keys]).toEqual(["turning", ["key-1", "key-1", "key-1"]]);
    expect(wheel.prices).toEqual(["50.00", "50.00", "50.00"]);
    expect(wheel.pairs).toEqual(["c1 my-words", "c1 my-words", "c1 my-words"]);
  });

  it("is retried at once when the connection is back, also while a request hangs", async () => {
    const hangs = () => new Promise<Won>(() => {});
    const wheel = await spun({ answers: [lost, hangs, async () => WON] });
    wheel.send("retry");
    await settle();
    expect(wheel.state()).toBe("asking");
    wheel.send("retry");
    await settle();
    expect([wheel.state(), wheel.keys]).toEqual(["turning", ["key-1", "key-1", "key-1"]]);
  });

  it("is the same spin where its retry meets the limit on requests while the first hangs", async () => {
    const hangs = () => new Promise<Won>(() => {});
    const wheel = await spun({ answers: [hangs, tooMany, async () => WON] });
    wheel.send("retry");
    await settle();
    expect([wheel.state(), wheel.emitted]).toEqual(["unsure", []]);
    await wheel.pass(2_000);
    expect([wheel.state(), wheel.keys]).toEqual(["turning", ["key-1", "key-1", "key-1"]]);
  });

  it("cannot be lost by another spin", async () => {
    const wheel = await spun({ answers: [lost] });
    wheel.send("spin");
    await settle();
    expect([wheel.state(), wheel.keys]).toEqual(["unsure", ["key-1"]]);
  });

  it("of a screen that was left is requested by the next, with that key", async () => {
    const wheel = stand({ key: "key-0" });
    expect(wheel.state()).toBe("asking");
    await settle();
    expect([wheel.state(), wheel.keys, wheel.known().key]).toEqual(["turning", ["key-0"], "key-0"]);
    expect([wheel.prices, wheel.pairs]).toEqual([["5.00"], ["c0 old-words"]]);
  });
});

describe("a refusal", () => {
  it("is shown with its reason and keeps the lock, whatever is pressed and however long", async () => {
    const wheel = await spun({ answers: [refused] });
    expect([wheel.state(), wheel.emitted, wheel.known().key]).toEqual(["refused", ["refused"], null]);
    expect((wheel.known().refusal as Error).message).toBe("limit reached");
    for (const type of ["spin", "retry", "close"] as const) wheel.send(type);
    await wheel.pass(3_600_000);
    expect([wheel.state(), wheel.keys]).toEqual(["refused", ["key-1"]]);
  });

  it.each(["commit.stale", "commit.untold", "prizes.changed", "prizes.untold", "spins.none", "spins.price"])(
    "for %s is told, and leaves the wheel ready: the next spin names what is shown then",
    async (reason) => {
      const stale = () => Promise.reject(Object.assign(new Error("load again"), { code: 409, reason }));
      const wheel = await spun({ answers: [stale, async () => WON] });
      expect([wheel.state(), wheel.emitted, wheel.known().key]).toEqual(["ready", ["refused"], null]);
      expect((wheel.known().refusal as Error).message).toBe("load again");
      wheel.send("spin");
      await settle();
      expect([wheel.state(), wheel.keys, wheel.known().refusal]).toEqual(["turning", ["key-1", "key-2"], null]);
    },
  );

  it("for too many requests says nothing of a spin that was requested before", async () => {
    const first = await spun({ answers: [tooMany] });
    expect(first.state()).toBe("refused");
    const again = await spun({ answers: [lost, tooMany, async () => WON] });
    await again.pass(2_000, 2_000);
    expect([again.state(), again.keys]).toEqual(["turning", ["key-1", "key-1", "key-1"]]);
  });

  it("after a lost answer is the answer", async () => {
    const wheel = await spun({ answers: [lost, refused] });
    await wheel.pass(2_000);
    expect(wheel.state()).toBe("refused");
  });
});
