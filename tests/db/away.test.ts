import { expect, it } from "vitest";
import { isDatabaseAway } from "#db/away.ts";

const away = new Error("Client has encountered a connection error and is not queryable");
const fault = new Error("no such column");

it("several failures are an absent database only if each of them is", () => {
  expect(isDatabaseAway(new AggregateError([away, away]))).toBe(true);
  expect(isDatabaseAway(new AggregateError([away, fault]))).toBe(false);
  expect(isDatabaseAway(new AggregateError([]))).toBe(false);
});
