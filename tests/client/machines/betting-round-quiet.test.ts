import { describe, expect, it } from "vitest";
import { ASK_AGAIN_MS, ASK_IN_PAUSE_MS } from "#client/machines/betting-round.ts";
import { CLOSED_MS, PATIENCE, PAUSED, SENT_AT, seated, settle, word } from "./table.ts";

const later = (expect: string, after: number) => word(expect, { sentAt: SENT_AT + after, left: 57_000 });

describe("a pause", () => {
  it("ends with the pushed opening", async () => {
    const table = await seated({ rounds: [PAUSED] });
    expect(table.round()).toBe("paused");
    await table.pass(ASK_IN_PAUSE_MS - 1);
    table.send({ type: "updated", round: later("0002", 60_000) });
    expect([table.round(), table.asked()]).toEqual(["open", 1]);
  });

  it("is noticed in the middle of a round", async () => {
    const table = await seated();
    table.send({ type: "updated", round: { ...PAUSED, sentAtMs: SENT_AT + 1 } });
    await table.pass(ASK_IN_PAUSE_MS - 1);
    expect([table.round(), table.asked()]).toEqual(["paused", 1]);
  });

  it("is queried where no push comes", async () => {
    const table = await seated({ rounds: [PAUSED, { ...PAUSED, sentAtMs: SENT_AT + 1 }, later("0002", 60_000)] });
    await table.pass(ASK_IN_PAUSE_MS);
    expect([table.round(), table.asked()]).toEqual(["paused", 2]);
    await table.pass(ASK_IN_PAUSE_MS);
    expect([table.round(), table.asked()]).toEqual(["open", 3]);
  });
});

describe("a missing answer", () => {
  const failing = () => [Promise.reject(new Error("no answer")), word("0001")];

  it("is queried again after a while", async () => {
    const table = await seated({ rounds: failing() });
    expect(table.round()).toBe("failed");
    await table.pass(ASK_AGAIN_MS - 1);
    expect(table.asked()).toBe(1);
    await table.pass(1);
    expect([table.round(), table.asked()]).toEqual(["open", 2]);
  });

  it("is queried at once when the member wants it", async () => {
    const table = await seated({ rounds: failing() });
    table.send({ type: "retry" });
    await settle();
    expect([table.round(), table.asked()]).toEqual(["open", 2]);
  });

  it("is queried again when the one that came is older than the known round", async () => {
    const table = await seated({
      rounds: [word("0001"), word("0000", { sentAt: SENT_AT - 1 }), later("0002", 40_000)],
    });
    await table.pass(30_000, CLOSED_MS + PATIENCE);
    expect([table.round(), table.known().round?.expect, table.asked()]).toEqual(["failed", "0001", 2]);
    await table.pass(ASK_AGAIN_MS);
    expect([table.round(), table.known().round?.expect]).toEqual(["open", "0002"]);
  });

  it("is no longer needed once it was pushed", async () => {
    const table = await seated({ rounds: failing() });
    table.send({ type: "updated", round: later("0001", 1) });
    await table.pass(ASK_AGAIN_MS);
    expect([table.round(), table.asked()]).toEqual(["open", 1]);
  });
});
