import { describe, expect, it } from "vitest";
import { EMPTY_CART } from "#client/machines/cart.ts";
import { PAUSED, PLACED, resultOf, SENT_AT, seated, settle, sitDown, word } from "./table.ts";

describe("choosing", () => {
  it("opens the panel with the first option, and closes it when the last is removed", async () => {
    const table = await seated();
    const panel = (option: string) => {
      table.send({ type: "toggle", option });
      return [table.known().cart.options.join(), table.known().isPanelOpen];
    };
    expect(panel("A")).toEqual(["A", true]);
    expect(panel("7")).toEqual(["A,7", true]);
    expect(panel("A")).toEqual(["7", true]);
    expect(panel("7")).toEqual(["", false]);
    expect(panel("B")).toEqual(["B", true]);
  });

  it("leaves a closed panel closed", async () => {
    const table = await seated();
    table.choose(["A"]);
    table.send({ type: "panel", open: false });
    table.choose(["B"]);
    expect(table.known().isPanelOpen).toBe(false);
    table.send({ type: "panel", open: true });
    expect(table.known().isPanelOpen).toBe(true);
  });

  it("accepts a stake in digits", async () => {
    const table = await seated();
    table.send({ type: "stake", typed: "0a1 2.5" });
    expect(table.known().cart.stake).toBe("125");
  });

  it("can be cleared, which keeps the stake", async () => {
    const table = await seated();
    table.choose(["A", "B"], "20");
    table.send({ type: "clear" });
    expect([table.known().cart, table.known().isPanelOpen]).toEqual([{ options: [], stake: "20" }, false]);
  });

  it("can undo its last change: an option, a whole typed stake, clearing", async () => {
    const table = await seated();
    const undone = () => {
      table.send({ type: "undo" });
      return table.known().cart;
    };
    table.choose(["A", "B"], "20");
    for (const typed of ["3", "30"]) table.send({ type: "stake", typed });
    expect(undone()).toEqual({ options: ["A", "B"], stake: "" });
    expect(undone()).toEqual({ options: ["A", "B"], stake: "" });
    table.send({ type: "toggle", option: "A" });
    expect(undone().options).toEqual(["A", "B"]);
    table.send({ type: "clear" });
    expect([undone().options, table.known().isPanelOpen]).toEqual([["A", "B"], true]);
  });

  it("can have a stake for each option, or one for all", async () => {
    const table = await seated();
    table.choose(["A", "B"], "20");
    table.send({ type: "each", on: true });
    table.send({ type: "stake", option: "B", typed: "0x5" });
    expect(table.known().cart).toEqual({ options: ["A", "B"], stake: "20", stakes: { B: "5" } });
    table.send({ type: "toggle", option: "B" });
    expect(table.known().cart).toEqual({ options: ["A"], stake: "20", stakes: {} });
    table.send({ type: "each", on: false });
    expect(table.known().cart).toEqual({ options: ["A"], stake: "20" });
  });

  it("continues while the round is drawn, and into the next one", async () => {
    const table = await seated();
    table.choose(["A"]);
    await table.pass(30_000);
    table.choose(["B"], "20");
    table.send({ type: "updated", round: word("0002", { sentAt: SENT_AT + 33_000 }) });
    expect(table.known().cart).toEqual({ options: ["A", "B"], stake: "20" });
  });
});

describe("a cart that was not placed", () => {
  const later = SENT_AT + 33_000;

  it("says which round closed, until it is touched", async () => {
    const table = await seated();
    table.choose(["A"]);
    await table.pass(30_000);
    expect(table.known().carried).toBe("0001");
    table.send({ type: "updated", round: word("0002", { sentAt: later }) });
    expect(table.known().carried).toBe("0001");
    table.send({ type: "updated", round: word("0002", { sentAt: later + 1 }) });
    table.send({ type: "updated", round: word("0002", { sentAt: later + 2 }) });
    expect(table.known().carried).toBe("0001");
    table.send({ type: "stake", typed: "20" });
    expect(table.known().carried).toBeNull();
  });

  it("has nothing to say if it was chosen after the closing, cleared or placed", async () => {
    const table = await seated();
    await table.pass(30_000);
    table.choose(["A"]);
    expect(table.known().carried).toBeNull();
    table.send({ type: "updated", round: word("0002", { sentAt: later }) });
    table.place();
    await table.pass(30_000);
    expect(table.known().carried).toBeNull();
  });
});

describe("the last bet", () => {
  it("can be put into the cart again, also after a reload", async () => {
    const table = await seated();
    table.choose(["A", "7"], "20");
    table.place();
    await settle();
    const { cart, isPanelOpen, ticket, last } = table.known();
    const again = await seated({ bet: { cart, isPanelOpen, ticket, last: last! } });
    again.send({ type: "repeat", cart: again.known().last! });
    expect([again.known().cart, again.known().isPanelOpen]).toEqual([{ options: ["A", "7"], stake: "20" }, true]);
  });
});

describe("placing an invalid bet", () => {
  const refused = (problem: string) => [{ type: "refused", problem }];

  it.each([
    ["empty", [], "10", 100],
    ["amount", ["A"], "", 100],
    ["amount", ["A"], "0", 100],
    ["insufficient", ["A"], "101", 100],
    ["insufficient", ["A", "B", "7"], "34", 100],
  ])("is refused without a call: %s, %j at %j", async (problem, options, stake, balance) => {
    const table = await seated();
    table.choose(options, stake);
    table.place(balance);
    await settle();
    expect([table.emitted, table.tickets, table.bet()]).toEqual([refused(problem), [], "idle"]);
    expect(table.known().cart).toEqual({ options, stake });
  });

  it("names what the member can fix first: the cart before the round", async () => {
    const table = await seated({ rounds: [PAUSED] });
    table.place();
    expect(table.emitted).toEqual(refused("empty"));
  });

  it.each<[string, (table: Awaited<ReturnType<typeof seated>>) => unknown]>([
    ["it is drawn", (table) => table.pass(30_000)],
    ["its result is shown", (table) => table.send({ type: "drawn", result: resultOf("0001") })],
    ["the server closed it", (table) => table.send({ type: "updated", round: word("0001", { state: "drawing" }) })],
    ["the game rests", (table) => table.send({ type: "updated", round: PAUSED })],
  ])("is refused without a call when the round is not open: %s", async (_, close) => {
    const table = await seated();
    table.choose(["A"]);
    await close(table);
    table.emitted.length = 0;
    table.place();
    await settle();
    expect([table.emitted, table.tickets]).toEqual([refused("closed"), []]);
    expect(table.known().cart.options).toEqual(["A"]);
  });

  it("is refused without a call before any round is known", async () => {
    const table = sitDown();
    table.choose(["A"]);
    table.place();
    expect([table.emitted, table.tickets]).toEqual([refused("closed"), []]);
  });
});

describe("placing a bet", () => {
  it("takes the last of the balance", async () => {
    const table = await seated();
    table.choose(["A", "B"], "50");
    table.place(100);
    await settle();
    expect(table.tickets).toHaveLength(1);
  });

  it("sends the cart for the open round, clears it after a success, and reports it", async () => {
    const table = await seated();
    table.choose(["A", "7"]);
    table.place();
    expect([table.bet(), table.known().cart.options]).toEqual(["placing", ["A", "7"]]);
    await settle();
    expect(table.tickets).toMatchObject([{ expect: "0001", cart: { options: ["A", "7"], stake: "10" }, key: "key-1" }]);
    expect(table.emitted).toEqual([{ type: "placed", placing: PLACED }]);
    const { cart, isPanelOpen, ticket } = table.known();
    expect([table.bet(), cart, isPanelOpen, ticket]).toEqual(["idle", EMPTY_CART, false, null]);
  });

  it("happens once, however often it is tapped, and with the cart as it was", async () => {
    const table = await seated();
    table.choose(["A"]);
    for (let i = 0; i < 3; i++) table.place();
    table.choose(["B"], "99");
    table.send({ type: "clear" });
    await settle();
    expect(table.tickets.map(({ cart }) => cart)).toEqual([{ options: ["A"], stake: "10" }]);
    expect(table.emitted).toHaveLength(1);
  });

  it("continues when the round closes meanwhile", async () => {
    const { promise, resolve } = Promise.withResolvers<typeof PLACED>();
    const table = await seated({ place: () => promise });
    table.choose(["A"]);
    table.place();
    await table.pass(30_000);
    table.send({ type: "drawn", result: resultOf("0001") });
    expect(table.bet()).toBe("placing");
    resolve(PLACED);
    await settle();
    expect([table.bet(), table.emitted.at(-1)?.type]).toEqual(["idle", "placed"]);
  });
});
