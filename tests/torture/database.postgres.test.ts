import { expect, it } from "vitest";
import { tortured } from "./torture-command.ts";

it("a PostgreSQL that is struck in each way leaves all that was told", { timeout: 1_200_000 }, async () => {
  // Minutes are whole ones, and a blow of each kind falls however long that takes.
  const { crash, freeze, cutOff, longTransaction, lateVacuum, bets } = await tortured("database", "--seed", "3");
  expect([crash, freeze, cutOff, longTransaction, lateVacuum].every((times) => times! > 0)).toBe(true);
  expect(bets).toBeGreaterThan(0);
});
