import { createActor, fromPromise, SimulatedClock } from "xstate";
import { describe, expect, it } from "vitest";
import { REST_MS, TURN_MS, wheelSpin, type Begun, type Won } from "#client/machines/wheel-spin.ts";
import { settle } from "./table.ts";

const WON: Won = {
  id: "points-10",
  title: "10 points",
  image: "/prizes/points-10.svg",
  msgmemo: "<p>!</p>",
  spins_left: 2,
};
const WHEEL = [WON, { ...WON, id: "thanks" }].map(({ id, title, image }) => {
  return { id, title, image, weight: 1, probability: 0.5 };
});
const lost = () => Promise.reject(Object.assign(new Error("no answer"), { lost: true }));
const refused = () => Promise.reject(new Error("no spins"));

interface Server {
  /** What comes of each time that is asked; the last one again and again. */
  answers?: (() => Promise<Won>)[];
  key?: string;
  isStill?: boolean;
}

/** A member before the wheel, with a clock that the test turns by hand. */
function stand({ answers = [async () => WON], key, isStill }: Server = {}) {
  const clock = new SimulatedClock();
  const keys: string[] = [];
  const prices: string[] = [];
  const told: string[] = [];
  let made = 0;
  const spin = fromPromise<Won, Begun>(({ input }) => {
    keys.push(input.key);
    prices.push(input.price);
    return answers[Math.min(keys.length, answers.length) - 1]!();
  });
  const input = {
    wheel: WHEEL,
    newKey: () => `key-${++made}`,
    begun: key === undefined ? null : { key, price: "5.00" },
    ...(isStill === undefined ? {} : { isStill }),
  };
  const actor = createActor(wheelSpin.provide({ actors: { spin } }), { input, clock });
  actor.on("*", ({ type }) => told.push(type));
  actor.start();
  return {
    send: (type: "spin" | "retry" | "close", wheel = WHEEL) => actor.send({ type, wheel, price: "50.00" }),
    keys,
    prices,
    told,
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
  it("asks once, turns for five seconds, rests half a second, and shows what was won until OK", async () => {
    const wheel = await spun();
    expect([wheel.state(), wheel.known().won, wheel.known().turns]).toEqual(["turning", WON, 1]);
    await wheel.pass(TURN_MS - 1);
    expect(wheel.state()).toBe("turning");
    await wheel.pass(1);
    expect(wheel.state()).toBe("resting");
    await wheel.pass(REST_MS - 1);
    expect([wheel.state(), wheel.told]).toEqual(["resting", ["answered"]]);
    await wheel.pass(1);
    expect([wheel.state(), wheel.told]).toEqual(["shown", ["answered", "stopped"]]);
    wheel.send("close");
    expect([wheel.state(), wheel.known().won, wheel.known().key]).toEqual(["ready", null, null]);
    expect([TURN_MS, REST_MS, wheel.keys]).toEqual([5_000, 500, ["key-1"]]);
  });

  it("is one at a time: whatever is pressed before OK does nothing", async () => {
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

  it("is shown at once where nothing is to move", async () => {
    const wheel = await spun({ isStill: true });
    await wheel.pass(0, 0);
    expect(wheel.state()).toBe("shown");
  });

  it("that wins what is not on the wheel as it was drawn is shown at once: it stops at nothing else", async () => {
    const wheel = stand();
    wheel.send("spin", WHEEL.slice(1));
    await settle();
    await wheel.pass(0, 0);
    expect([wheel.state(), wheel.known().won]).toEqual(["shown", WON]);
  });

  it("is not closed before it is shown", async () => {
    const wheel = await spun();
    wheel.send("close");
    expect([wheel.state(), wheel.known().won]).toEqual(["turning", WON]);
  });
});

describe("a lost answer", () => {
  it("is asked for again after two seconds, with the same key", async () => {
    const wheel = await spun({ answers: [lost, lost, async () => WON] });
    expect(wheel.state()).toBe("unsure");
    await wheel.pass(1_999);
    expect(wheel.keys).toHaveLength(1);
    await wheel.pass(1, 2_000);
    expect([wheel.state(), wheel.keys]).toEqual(["turning", ["key-1", "key-1", "key-1"]]);
    expect(wheel.prices).toEqual(["50.00", "50.00", "50.00"]);
  });

  it("is asked for at once when the line is back, also while a question hangs", async () => {
    const hangs = () => new Promise<Won>(() => {});
    const wheel = await spun({ answers: [lost, hangs, async () => WON] });
    wheel.send("retry");
    await settle();
    expect(wheel.state()).toBe("asking");
    wheel.send("retry");
    await settle();
    expect([wheel.state(), wheel.keys]).toEqual(["turning", ["key-1", "key-1", "key-1"]]);
  });

  it("cannot be spun away", async () => {
    const wheel = await spun({ answers: [lost] });
    wheel.send("spin");
    await settle();
    expect([wheel.state(), wheel.keys]).toEqual(["unsure", ["key-1"]]);
  });

  it("of a screen that was left is asked for by the next, with that key", async () => {
    const wheel = stand({ key: "key-0" });
    expect(wheel.state()).toBe("asking");
    await settle();
    expect([wheel.state(), wheel.keys, wheel.known().key]).toEqual(["turning", ["key-0"], "key-0"]);
    expect(wheel.prices).toEqual(["5.00"]);
  });
});

describe("a refusal", () => {
  it("is told with its reason and keeps the lock, whatever is pressed and however long", async () => {
    const wheel = await spun({ answers: [refused] });
    expect([wheel.state(), wheel.told, wheel.known().key]).toEqual(["refused", ["refused"], null]);
    expect((wheel.known().refusal as Error).message).toBe("no spins");
    for (const type of ["spin", "retry", "close"] as const) wheel.send(type);
    await wheel.pass(3_600_000);
    expect([wheel.state(), wheel.keys]).toEqual(["refused", ["key-1"]]);
  });

  it("for too many questions says nothing of a spin that was asked for before", async () => {
    const tooMany = () => Promise.reject(Object.assign(new Error("too many"), { code: 429 }));
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
