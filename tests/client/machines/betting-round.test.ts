import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CLOSED_MS, PATIENCE, resultOf, SENT_AT, seated, settle, sitDown, word } from "./table.ts";

const later = (expect: string, after: number, left = 57_000) => word(expect, { sentAt: SENT_AT + after, left });

describe("the open round", () => {
  it("is fetched, and counts down from the server's figure, by its clock", async () => {
    const table = sitDown();
    expect([table.round(), table.known().round]).toEqual(["loading", null]);
    await settle();
    expect([table.round(), table.known().round]).toEqual(["open", word("0001")]);
    await table.pass(29_999);
    expect(table.round()).toBe("open");
    await table.pass(1);
    expect([table.round(), table.asked()]).toEqual(["drawing", 1]);
  });

  it("restarts the countdown at every later message", async () => {
    const table = await seated();
    await table.pass(10_000);
    table.send({ type: "updated", round: later("0001", 10_500, 19_500) });
    await table.pass(19_499);
    expect(table.round()).toBe("open");
    await table.pass(1);
    expect(table.round()).toBe("drawing");
  });

  it("is closed when the server says so, whatever was left", async () => {
    const table = await seated();
    table.send({ type: "updated", round: word("0001", { sentAt: SENT_AT + 1, left: 20_000, state: "drawing" }) });
    expect(table.round()).toBe("drawing");
  });

  it.each([
    [1, "open"],
    [0, "drawing"],
    [-1, "drawing"],
  ])("with %i ms left is %s", async (left, state) => {
    const table = await seated({ rounds: [word("0001", { left })] });
    expect(table.round()).toBe(state);
    await table.pass(1);
    expect(table.round()).toBe("drawing");
  });
});

describe("a message of the server", () => {
  it("that is older than the known one changes nothing", async () => {
    const table = await seated();
    await table.pass(10_000);
    table.send({ type: "updated", round: word("0000", { sentAt: SENT_AT - 1, left: 5 }) });
    await table.pass(19_999);
    expect([table.round(), table.known().round?.expect]).toEqual(["open", "0001"]);
    await table.pass(1);
    expect(table.round()).toBe("drawing");
  });

  it("of the same moment counts, as an answer and a push may be", async () => {
    const table = await seated();
    table.send({ type: "updated", round: word("0002") });
    expect(table.known().round?.expect).toBe("0002");
  });

  it("wins as the newest, in whatever order they come", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(50), { minLength: 1 }), (moments) => {
        const table = sitDown();
        for (const ms of moments) table.send({ type: "updated", round: later(String(ms), ms) });
        expect(table.known().round?.expect).toBe(String(Math.max(...moments)));
      }),
    );
  });

  it("that is pushed during a query makes its answer outdated", async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof word>>();
    const table = sitDown({ rounds: [promise] });
    table.send({ type: "updated", round: later("0002", 1_000) });
    resolve(word("0001"));
    await settle();
    expect([table.round(), table.known().round?.expect, table.asked()]).toEqual(["open", "0002", 1]);
  });
});

describe("the draw", () => {
  it("is shown when it is pushed, and so is the next round: there is no query", async () => {
    const table = await seated();
    await table.pass(30_000, CLOSED_MS);
    table.send({ type: "drawn", result: resultOf("0001") });
    expect([table.round(), table.emitted]).toEqual(["shown", [{ type: "drawn", result: resultOf("0001") }]]);
    table.send({ type: "updated", round: later("0002", 33_000) });
    expect(table.round()).toBe("open");
    await table.pass(PATIENCE, 50_000);
    expect([table.asked(), table.known().result]).toEqual([1, resultOf("0001")]);
  });

  it("is queried when nothing was pushed, after some patience from its moment on", async () => {
    const table = await seated({ rounds: [word("0001"), later("0002", 35_500)] });
    await table.pass(30_000, CLOSED_MS + PATIENCE - 1);
    expect([table.round(), table.asked()]).toEqual(["drawing", 1]);
    await table.pass(1);
    expect([table.round(), table.known().round?.expect, table.asked()]).toEqual(["open", "0002", 2]);
  });

  it.each([
    ["when betting closed", 0, CLOSED_MS],
    ["a moment before the draw", -(CLOSED_MS - 1), 1],
    ["in the moment of the draw", -CLOSED_MS, 0],
    ["long after the draw", -60_000, 0],
  ])("is waited for from the time left, for those who come %s", async (_, left, untilDraw) => {
    const table = await seated({ rounds: [word("0001", { left, state: "drawing" })] });
    await table.pass(untilDraw + PATIENCE - 1);
    expect(table.asked()).toBe(1);
    await table.pass(1);
    expect(table.asked()).toBe(2);
  });

  it("is queried again and again while it is late", async () => {
    const table = await seated({ rounds: [word("0001", { left: -CLOSED_MS, state: "drawing" })] });
    await table.pass(PATIENCE, PATIENCE, PATIENCE);
    expect([table.round(), table.asked()]).toEqual(["drawing", 4]);
  });

  it("is followed by a query when the next opening is not pushed", async () => {
    const table = await seated({ rounds: [word("0001"), later("0002", 36_000)] });
    await table.pass(30_000);
    table.send({ type: "drawn", result: resultOf("0001") });
    await table.pass(PATIENCE - 1);
    expect(table.asked()).toBe(1);
    await table.pass(1);
    expect([table.round(), table.asked()]).toEqual(["open", 2]);
  });
});

describe("a late result of an earlier round", () => {
  it("is announced, and does not disturb the open one", async () => {
    const table = await seated({ rounds: [word("0002")] });
    table.send({ type: "drawn", result: resultOf("0001") });
    expect([table.round(), table.emitted]).toEqual(["open", [{ type: "drawn", result: resultOf("0001") }]]);
    expect(table.known().result?.expect).toBe("0001");
    await table.pass(30_000);
    expect([table.round(), table.asked()]).toEqual(["drawing", 1]);
  });

  it("does not replace a newer one", async () => {
    const table = await seated({ rounds: [word("0003")] });
    for (const expect of ["0002", "0001"]) table.send({ type: "drawn", result: resultOf(expect) });
    expect(table.known().result?.expect).toBe("0002");
    expect(table.emitted).toHaveLength(2);
  });
});
