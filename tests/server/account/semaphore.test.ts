import { describe, expect, it } from "vitest";
import { Semaphore, Semaphores } from "#server/domains/account/semaphore.ts";

/** Asks for a place. Returns whether it was free at once, and a function that releases it. */
function come(places: Semaphore) {
  const coming = { isIn: false, leave: () => {} };
  const entering = places.acquire().then((leave) => Object.assign(coming, { isIn: true, leave }));
  return { coming, entering };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("a queue with two places, and one to wait", () => {
  it("admits two, lets one wait, and refuses the next", async () => {
    const places = new Semaphore(2, 1);
    const [first, second, third] = [come(places), come(places), come(places)];
    await expect(places.acquire()).rejects.toMatchObject({ reason: "attempts.many" });
    await settled();
    expect([first, second, third].map(({ coming }) => coming.isIn)).toEqual([true, true, false]);
    first.coming.leave();
    await third.entering;
    expect(third.coming.isIn).toBe(true);
  });

  it("frees each place once, however often it is released", async () => {
    const places = new Semaphore(2, 1);
    const [first, second] = [come(places), come(places)];
    await settled();
    for (let i = 0; i < 3; i++) first.coming.leave();
    const [third, fourth] = [come(places), come(places)];
    await settled();
    expect([third, fourth].map(({ coming }) => coming.isIn)).toEqual([true, false]);
    second.coming.leave();
    await fourth.entering;
  });
});

describe("queues by key, with one place each and one to wait", () => {
  it("let no key wait for another, and forget one that nobody holds", async () => {
    const places = new Semaphores<string>(1, 1);
    const [leaveA, leaveB] = [await places.acquire("a"), await places.acquire("b")];
    const waiting = places.acquire("a");
    await expect(places.acquire("a")).rejects.toMatchObject({ reason: "attempts.many" });
    leaveA();
    const leaveNext = await waiting;
    leaveA();
    expect(places.size).toBe(2);
    leaveB();
    leaveNext();
    expect(places.size).toBe(0);
    (await places.acquire("a"))();
  });
});
