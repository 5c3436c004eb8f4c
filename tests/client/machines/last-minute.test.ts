import { describe, expect, it } from "vitest";
import { SENT_AT, seated, word, type Table } from "./table.ts";

const toasts = ({ emitted }: Table) => emitted.filter(({ type }) => type === "lastMinute").length;
const hear = (table: Table, expect: string, after: number, left: number) =>
  table.send({ type: "updated", round: word(expect, { sentAt: SENT_AT + after, left }) });
const joined = (left: number) => seated({ rounds: [word("0001", { left })] });

describe("the toast at 59 seconds", () => {
  it("comes once, at the moment when so much is left", async () => {
    const table = await joined(120_000);
    await table.pass(60_999);
    expect(toasts(table)).toBe(0);
    await table.pass(1);
    expect(toasts(table)).toBe(1);
    await table.pass(59_000);
    expect([toasts(table), table.round()]).toEqual([1, "drawing"]);
  });

  it.each([59_000, 58_999, 57_000, 1])("does not come to those who join with %i ms left", async (left) => {
    const table = await joined(left);
    await table.pass(0, left);
    expect(toasts(table)).toBe(0);
  });

  it("comes to those who join a moment earlier", async () => {
    const table = await joined(59_001);
    await table.pass(1);
    expect(toasts(table)).toBe(1);
  });

  it("comes once, however often the time is reported, early or late", async () => {
    const table = await joined(70_000);
    await table.pass(10_000);
    hear(table, "0001", 10_000, 60_000);
    await table.pass(1_000);
    expect(toasts(table)).toBe(1);
    // Half a second on its way, this message still reports more.
    hear(table, "0001", 10_900, 59_100);
    await table.pass(100, 900);
    hear(table, "0001", 20_000, 50_000);
    await table.pass(50_000);
    expect(toasts(table)).toBe(1);
  });

  it("comes though its message overtakes the countdown", async () => {
    const table = await joined(60_000);
    await table.pass(800);
    hear(table, "0001", 1_010, 58_990);
    await table.pass(0);
    expect(toasts(table)).toBe(1);
  });

  it("does not come late, after a sleep", async () => {
    const table = await joined(120_000);
    hear(table, "0001", 90_000, 30_000);
    await table.pass(0, 30_000);
    expect(toasts(table)).toBe(0);
  });

  it("comes in the next round again", async () => {
    const table = await joined(60_000);
    await table.pass(1_000, 59_000);
    hear(table, "0002", 63_000, 177_000);
    await table.pass(118_000);
    expect(toasts(table)).toBe(2);
  });

  it("never comes in a shorter round, though the one before it was paused", async () => {
    const table = await joined(60_000);
    hear(table, "0002", 1, 58_500);
    await table.pass(0, 58_500);
    expect(toasts(table)).toBe(0);
  });
});
