import { describe, expect, it } from "vitest";
import { BatchQueue } from "#server/domains/ledger/batch-queue.ts";
import { Refusal } from "#shared/refusal.ts";

interface Order {
  owner: number;
  nr: number;
}

/** A batch that was asked for. The test answers it. */
interface Sent {
  orders: Order[];
  waitedMs: number;
  answer(most?: number): Promise<void>;
  fail(error: Error): Promise<void>;
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** A queue whose batches wait for the test. An order's answer is its own number. */
function openQueue({ largest = 4, lanes = 1, isOwned = true } = {}) {
  const sent: Sent[] = [];
  const queue = new BatchQueue<Order, number>({
    largest,
    lanes,
    ...(isOwned && { ownerOf: ({ owner }: Order) => owner }),
    place: (orders, waitedMs) => {
      const { promise, resolve, reject } = Promise.withResolvers<(number | undefined)[]>();
      sent.push({
        orders,
        waitedMs,
        answer: (most = orders.length) => (resolve(orders.map(({ nr }, i) => (i < most ? nr : undefined))), turn()),
        fail: (error) => (reject(error), turn()),
      });
      return promise;
    },
  });
  const place = (owner: number, nr: number) => queue.place({ owner, nr });
  return { place, sent, numbers: () => sent.map(({ orders }) => orders.map(({ nr }) => nr)) };
}

describe("a batch", () => {
  it("holds one order of each owner, and their orders keep their order", async () => {
    const { place, sent, numbers } = openQueue();
    const answers = [place(1, 1), place(1, 2), place(2, 3), place(1, 4), place(2, 5)];
    await turn();
    await sent[0]!.answer();
    await sent[1]!.answer();
    await sent[2]!.answer();
    expect(numbers()).toEqual([[1, 3], [2, 5], [4]]);
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5]);
  });

  it("says how long its first order has waited", async () => {
    const { place, sent } = openQueue();
    const begunAt = performance.now();
    const answers = [place(1, 1), place(1, 2)];
    await turn();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await sent[0]!.answer();
    await sent[1]!.answer();
    await Promise.all(answers);
    expect(sent[1]!.waitedMs).toBeGreaterThan(sent[0]!.waitedMs);
    expect(sent[1]!.waitedMs).toBeLessThan(performance.now() - begunAt);
  });

  it("holds all orders in a row without owners", async () => {
    const { place, sent, numbers } = openQueue({ isOwned: false });
    const answers = [place(1, 1), place(1, 2), place(2, 3), place(1, 4), place(2, 5)];
    await turn();
    await sent[0]!.answer();
    await sent[1]!.answer();
    expect(numbers()).toEqual([[1, 2, 3, 4], [5]]);
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4, 5]);
  });

  it("begins with those that had to wait, before an owner's later order", async () => {
    const { place, sent, numbers } = openQueue();
    for (const nr of [1, 2, 3, 4]) void place(nr, nr);
    await turn();
    void place(3, 5);
    void place(5, 6);
    await sent[0]!.answer(2);
    expect(numbers()[1]).toEqual([3, 4]);
    await sent[1]!.answer();
    expect(numbers()[2]).toEqual([5, 6]);
  });

  it("is as small as the last one that was done, and grows twofold up to the largest", async () => {
    const { place, sent } = openQueue({ largest: 6 });
    for (let nr = 1; nr <= 40; nr++) void place(nr, nr);
    await turn();
    await sent[0]!.answer(5);
    await sent[1]!.answer(1);
    for (let i = 2; i < 7; i++) await sent[i]!.answer();
    expect(sent.map(({ orders }) => orders.length)).toEqual([6, 5, 1, 2, 4, 6, 6, 6]);
  });

  it("takes all that came while the last one was under way", async () => {
    const { place, sent, numbers } = openQueue();
    void place(1, 1);
    await turn();
    void place(2, 2);
    await turn();
    void place(3, 3);
    expect(sent).toHaveLength(1);
    await sent[0]!.answer();
    expect(numbers()).toEqual([[1], [2, 3]]);
    await sent[1]!.answer();
    void place(4, 4);
    await turn();
    expect(numbers()[2]).toEqual([4]);
  });

  it("is sent beside others, up to the number of lanes", async () => {
    const { place, sent, numbers } = openQueue({ largest: 2, lanes: 2, isOwned: false });
    for (let nr = 1; nr <= 5; nr++) void place(nr, nr);
    await turn();
    expect(numbers()).toEqual([
      [1, 2],
      [3, 4],
    ]);
    void place(6, 6);
    await turn();
    expect(sent).toHaveLength(2);
    await sent[1]!.answer();
    expect(numbers()[2]).toEqual([5, 6]);
    await sent[0]!.answer();
    await sent[2]!.answer();
    void place(7, 7);
    await turn();
    void place(8, 8);
    await turn();
    expect(numbers().slice(3)).toEqual([[7], [8]]);
  });

  it("that fails fails its own orders, and the next one is sent", async () => {
    const { place, sent, numbers } = openQueue({ largest: 2 });
    const answers = Promise.allSettled([1, 2, 3].map((nr) => place(nr, nr)));
    await turn();
    const error = new Error("no room");
    await sent[0]!.fail(error);
    await sent[1]!.answer();
    expect(numbers()).toEqual([[1, 2], [3]]);
    const rejected = { status: "rejected", reason: error };
    expect(await answers).toEqual([rejected, rejected, { status: "fulfilled", value: 3 }]);
  });
});

it("a queue of 20,000 orders refuses the next one at once", async () => {
  const { place } = openQueue({ largest: 1, isOwned: false });
  for (let nr = 1; nr <= 20_000; nr++) void place(nr, nr);
  expect(() => place(0, 0)).toThrow(new Refusal("server.away", { retryAfterS: 1 }));
  await turn();
  // One is under way, so there is room for another one.
  void place(0, 0);
  expect(() => place(0, 0)).toThrow(Refusal);
});
