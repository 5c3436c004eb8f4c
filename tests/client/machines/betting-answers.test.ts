import { describe, expect, it } from "vitest";
import { LostCall, RefusedCall } from "#client/api/call-error.ts";
import { ASK_AGAIN_MS, type Ticket } from "#client/machines/betting-round.ts";
import { PLACED, SENT_AT, seated, settle, word } from "./table.ts";

const lost = () => Promise.reject(new LostCall("no answer"));
const away = () => Promise.reject(new RefusedCall({ code: 503, msg: "Back soon", data: null }));
const unknown = () =>
  Promise.reject(new RefusedCall({ code: 503, msg: "Ask again", data: { reason: "outcome.unknown" } }));
const tooMany = () => Promise.reject(new RefusedCall({ code: 429, msg: "Slower, please", data: null }));
const closed = new RefusedCall({ code: 422, msg: "Too late", data: { reason: "round.closed" } });
const refused = () => Promise.reject(closed);
/** What the screen hears of a refused order. */
const failed = (cart: Ticket["cart"], taken: typeof PLACED | null = null) => ({
  type: "failed",
  error: closed,
  cart,
  taken,
});
const order = (options: string[], stake: string) => ({ options, stake });
const placed = () => Promise.resolve(PLACED);

/** A member who has just tapped, with a server that gives these answers, one call after the other. */
async function tapped(...answers: (() => Promise<typeof PLACED>)[]) {
  const table = await seated({ place: () => answers.shift()!() });
  table.choose(["A"]);
  table.place();
  await settle();
  return table;
}
const keys = ({ tickets }: { tickets: Ticket[] }) => tickets.map(({ key }) => key).join();

describe("a refused bet", () => {
  it("is reported, and the cart stays", async () => {
    const table = await tapped(refused);
    expect([table.bet(), table.emitted]).toEqual(["idle", [failed(order(["A"], "10"))]]);
    const { cart, isPanelOpen, ticket } = table.known();
    expect([cart, isPanelOpen, ticket]).toEqual([{ options: ["A"], stake: "10" }, true, null]);
  });

  it("for too many requests is reported too: nothing was sent before", async () => {
    const table = await tapped(tooMany);
    expect([table.bet(), table.emitted[0]!.type]).toEqual(["idle", "failed"]);
  });

  it("is followed by another bet, with a new key, when it is tapped again", async () => {
    const table = await tapped(refused, placed);
    table.place();
    await settle();
    expect([keys(table), table.bet()]).toEqual(["key-1,key-2", "idle"]);
  });
});

describe("a bet whose answer is lost", () => {
  it.each([
    ["on the way", lost],
    ["in a server that is going down", away],
    ["in a commit of which the server knows no end", unknown],
  ])("%s is retried with the same key until it is answered", async (_, answer) => {
    const table = await tapped(answer, answer, placed);
    expect([table.bet(), table.emitted]).toEqual(["unsure", []]);
    await table.pass(ASK_AGAIN_MS - 1);
    expect(table.tickets).toHaveLength(1);
    await table.pass(1);
    expect(table.bet()).toBe("unsure");
    await table.pass(ASK_AGAIN_MS);
    expect([keys(table), table.bet()]).toEqual(["key-1,key-1,key-1", "idle"]);
    expect([table.emitted, table.known().cart.options]).toEqual([[{ type: "placed", placing: PLACED }], []]);
  });

  it("is retried with the same key where the retry meets the limit on requests", async () => {
    const table = await tapped(lost, tooMany, placed);
    await table.pass(ASK_AGAIN_MS);
    expect([table.bet(), table.emitted]).toEqual(["unsure", []]);
    await table.pass(ASK_AGAIN_MS);
    expect([keys(table), table.emitted]).toEqual(["key-1,key-1,key-1", [{ type: "placed", placing: PLACED }]]);
  });

  it("and is found again with the screen is retried so too", async () => {
    const { known } = await tapped(lost);
    const answers = [tooMany, placed];
    const table = await seated({ place: () => answers.shift()!(), bet: known() });
    await settle();
    expect(table.bet()).toBe("unsure");
    await table.pass(ASK_AGAIN_MS);
    expect([keys(table), table.bet()]).toEqual(["key-1,key-1", "idle"]);
  });

  it("is retried at once when the member wants it", async () => {
    const table = await tapped(lost, placed);
    table.send({ type: "retry" });
    await settle();
    expect([keys(table), table.bet()]).toEqual(["key-1,key-1", "idle"]);
    expect([table.round(), table.asked()]).toEqual(["open", 1]);
  });

  it("is retried unchanged, though taps go on and another round is open", async () => {
    const table = await tapped(lost, placed);
    table.place();
    table.choose(["B"], "99");
    table.send({ type: "updated", round: word("0002", { sentAt: SENT_AT + 1 }) });
    await table.pass(ASK_AGAIN_MS);
    const [first, second] = table.tickets;
    expect([second, first?.expect]).toEqual([first, "0001"]);
    expect([table.tickets.length, table.bet()]).toEqual([2, "idle"]);
  });

  it("may turn out refused: the cart stays, and the next bet has a new key", async () => {
    const table = await tapped(lost, refused, placed);
    await table.pass(ASK_AGAIN_MS);
    expect([table.bet(), table.emitted]).toEqual(["idle", [failed(order(["A"], "10"))]]);
    expect(table.known().cart).toEqual({ options: ["A"], stake: "10" });
    table.place();
    await settle();
    expect(keys(table)).toBe("key-1,key-1,key-2");
  });
});

describe("a bet without an answer yet", () => {
  it("is retried once the connection is back, and counts once", async () => {
    const table = await tapped(() => new Promise(() => {}), placed);
    table.send({ type: "retry" });
    await settle();
    expect([keys(table), table.bet()]).toEqual(["key-1,key-1", "idle"]);
    expect(table.emitted).toEqual([{ type: "placed", placing: PLACED }]);
  });

  it("keeps its key where that retry meets the limit on requests: the first may have been taken", async () => {
    const table = await tapped(() => new Promise(() => {}), tooMany, placed);
    table.send({ type: "retry" });
    await settle();
    expect([table.bet(), table.emitted]).toEqual(["unsure", []]);
    await table.pass(ASK_AGAIN_MS);
    expect([keys(table), table.emitted]).toEqual(["key-1,key-1,key-1", [{ type: "placed", placing: PLACED }]]);
  });
});

describe("a cart with stakes of its own for some options", () => {
  const total = (amount: string) => () => Promise.resolve({ ...PLACED, total: amount });

  /** Three options, two of them at 10, one at 30. */
  async function tappedEach(...answers: (() => Promise<typeof PLACED>)[]) {
    const table = await seated({ place: () => answers.shift()!() });
    table.choose(["A", "7", "C"]);
    table.send({ type: "each", on: true });
    table.send({ type: "stake", option: "7", typed: "30" });
    table.place();
    await settle();
    return table;
  }

  it("is one order for each stake, each with its own key, and one message", async () => {
    const table = await tappedEach(total("20.00"), total("30.00"));
    expect([keys(table), table.bet()]).toEqual(["key-1,key-2", "idle"]);
    expect(table.tickets.map(({ cart }) => cart)).toEqual([order(["A", "C"], "10"), order(["7"], "30")]);
    expect(table.emitted).toEqual([{ type: "placed", placing: { ...PLACED, total: "50.00" } }]);
    expect(table.known().cart.options).toEqual([]);
    expect(table.known().last).toEqual({ options: ["A", "7", "C"], stake: "10", stakes: { "7": "30" } });
  });

  it("keeps what was refused, and says what was taken", async () => {
    const table = await tappedEach(total("20.00"), refused, placed);
    const taken = { ...PLACED, total: "20.00" };
    expect([table.bet(), table.emitted]).toEqual(["idle", [failed(order(["7"], "30"), taken)]]);
    expect(table.known().cart).toEqual({ options: ["7"], stake: "10", stakes: { "7": "30" } });
    table.place();
    await settle();
    expect(keys(table)).toBe("key-1,key-2,key-3");
  });

  it("is all kept if the first order is refused", async () => {
    const table = await tappedEach(refused);
    expect(table.emitted).toEqual([failed(order(["A", "C"], "10"))]);
    expect(table.known().cart.options).toEqual(["A", "7", "C"]);
  });

  it("continues where an answer was lost, also after a reload: no order is placed twice", async () => {
    const table = await tappedEach(total("20.00"), lost);
    expect(table.bet()).toBe("unsure");
    const { cart, isPanelOpen, ticket } = table.known();
    const again = await seated({ bet: { cart, isPanelOpen, ticket }, place: total("30.00") });
    expect([keys(again), again.tickets[0]!.cart]).toEqual(["key-2", order(["7"], "30")]);
    expect(again.emitted).toEqual([{ type: "placed", placing: { ...PLACED, total: "50.00" } }]);
  });

  it("has a wrong receipt if one of its orders has", async () => {
    const table = await tappedEach(() => Promise.resolve({ ...PLACED, receipt: "wrong" as const }), placed);
    expect(table.emitted).toMatchObject([{ placing: { receipt: "wrong" } }]);
  });
});

describe("an unfinished bet of an earlier visit", () => {
  const cart = { options: ["A", "7"], stake: "25" };
  const ticket = { expect: "0001", cart, key: "key-0" };

  it("is on the table as it was left", async () => {
    const table = await seated({ bet: { cart, isPanelOpen: true, ticket: null } });
    const { isPanelOpen } = table.known();
    expect([table.bet(), table.known().cart, isPanelOpen, table.tickets]).toEqual(["idle", cart, true, []]);
  });

  it("is retried with the same key when it had no answer", async () => {
    const table = await seated({ bet: { cart, isPanelOpen: true, ticket } });
    expect([table.tickets, table.bet()]).toEqual([[ticket], "idle"]);
    expect([table.emitted, table.known().cart.options]).toEqual([[{ type: "placed", placing: PLACED }], []]);
  });

  it("stays in the cart when it was not accepted", async () => {
    const table = await seated({ bet: { cart, isPanelOpen: true, ticket }, place: refused });
    expect([table.bet(), table.emitted]).toEqual(["idle", [failed(cart)]]);
    expect([table.known().cart, table.known().ticket]).toEqual([cart, null]);
  });
});
