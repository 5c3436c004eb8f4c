import { describe, expect, it } from "vitest";
import { CLOSED_MS, PATIENCE, PAUSED, resultOf, SENT_AT, seated, word } from "./table.ts";

const MISSED = { type: "missed" };
const DRAWN_MS = 30_000 + CLOSED_MS;
const next = word("0002", { sentAt: SENT_AT + DRAWN_MS + PATIENCE });
const toTheEnd = [30_000, CLOSED_MS + PATIENCE];

describe("a round whose end was found by a query", () => {
  it("was missed: its other effects are fetched, once", async () => {
    const table = await seated({ rounds: [word("0001"), next] });
    expect(table.emitted).toEqual([]);
    await table.pass(...toTheEnd);
    expect([table.known().round?.expect, table.emitted]).toEqual(["0002", [MISSED]]);
  });

  it("was missed when the game is paused after it too", async () => {
    const table = await seated({ rounds: [word("0001"), { ...PAUSED, sentAtMs: SENT_AT + DRAWN_MS }] });
    await table.pass(...toTheEnd);
    expect([table.round(), table.emitted]).toEqual(["paused", [MISSED]]);
  });

  it("was not missed when its result was pushed, and only the next opening was not", async () => {
    const table = await seated({ rounds: [word("0001"), next] });
    await table.pass(30_000);
    table.send({ type: "drawn", result: resultOf("0001") });
    table.emitted.length = 0;
    await table.pass(PATIENCE);
    expect([table.known().round?.expect, table.emitted]).toEqual(["0002", []]);
  });

  it("was not missed as long as the draw is only late", async () => {
    const late = word("0001", { sentAt: SENT_AT + DRAWN_MS + PATIENCE, left: 0 });
    const table = await seated({ rounds: [word("0001"), late, next] });
    await table.pass(...toTheEnd);
    expect([table.round(), table.emitted]).toEqual(["drawing", []]);
    await table.pass(CLOSED_MS + PATIENCE);
    expect(table.emitted).toEqual([MISSED]);
  });

  it("was not missed when the next round was pushed: its result comes by push as well", async () => {
    const table = await seated();
    table.send({ type: "updated", round: next });
    expect(table.emitted).toEqual([]);
  });
});
