import { expect, it } from "vitest";
import { named } from "#server/domains/ledger/named-sql.ts";

it("a condition without a value for one of its names is refused, and names it", () => {
  expect(() => named("balance >= :total and day = :day", { total: 5 })).toThrow("no value for :day");
});
