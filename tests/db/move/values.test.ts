import { describe, expect, it } from "vitest";
import type { Kind } from "#db/move/tables.ts";
import { valuesOf } from "#db/move/values.ts";

const carry = (kind: Kind, value: unknown) =>
  valuesOf({ name: "things", columns: [{ name: "part", kind }], key: ["part"], where: "true" }, [value])[0];

describe("a value on its way from one engine to the other", () => {
  it.each<[Kind, unknown, unknown]>([
    ["number", -9_007_199_254_740_991, -9_007_199_254_740_991],
    ["number", null, null],
    ["boolean", 1, true],
    ["boolean", 0, false],
    ["boolean", true, true],
    ["text", "Xin chào 🎲", "Xin chào 🎲"],
    ["json", '{"b": 1, "a": [null]}', '{"b": 1, "a": [null]}'],
    ["json", "null", "null"],
  ])("%s: %j arrives", (kind, value, arrived) => {
    expect(carry(kind, value)).toBe(arrived);
  });

  it.each<[Kind, unknown, string]>([
    ["number", 0.5, "not a whole number"],
    ["number", 2 ** 53, "not a whole number"],
    ["number", "7", "not a whole number"],
    ["boolean", 2, "not a boolean"],
    ["text", Buffer.from("x"), "not a text"],
    ["text", "a\0b", "null character"],
    ["json", "{", "JSON"],
    ["json", '{"a":[9007199254740993]}', "too large"],
  ])("%s: %j is refused by table and column", (kind, value, reason) => {
    expect(() => carry(kind, value)).toThrow(/^things\.part holds /);
    expect(() => carry(kind, value)).toThrow(reason);
  });
});
