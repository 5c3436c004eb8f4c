import { describe, expect, it } from "vitest";
import { LostCall, RefusedCall } from "#client/api/call-error.ts";
import { ASK_AGAIN_MS, type Ticket } from "#client/machines/betting-round.ts";
import { PLACED, SENT_AT, seated, settle, word } from "./table.ts";

const lost = () => Promise.reject(new LostCall("no answer"));
const away = () => Promise.reject(new RefusedCall({ code: 503, msg: "Back soon", data: null }));
const unknown = () =>
  Promise.reject(new RefusedCall({ code: 503, msg: "Ask again", data: { reason: "outcome.unknown" } }));
const closed = new RefusedCall({ code: 422, msg: "Too late", data: { reason: "round.closed" } });
const refused = () => Promise.reject(closed);
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
    expect([table.bet(), table.emitted]).toEqual(["idle", [{ type: "failed", error: closed }]]);
    const { cart, isPanelOpen, ticket } = table.known();
    expect([cart, isPanelOpen, ticket]).toEqual([{ options: ["A"], stake: "10" }, true, null]);
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
    expect([table.bet(), table.emitted]).toEqual(["idle", [{ type: "failed", error: closed }]]);
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
    expect([table.bet(), table.emitted]).toEqual(["idle", [{ type: "failed", error: closed }]]);
    expect([table.known().cart, table.known().ticket]).toEqual([cart, null]);
  });
});
