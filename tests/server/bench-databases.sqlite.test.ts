import { expect, it } from "vitest";
import { createDatabase } from "#server/bench/database.ts";
import { fillPast } from "#server/bench/fill-past.ts";
import { betInPast } from "../support/bench-bet.ts";

it("a database of the bench with a past takes bets, and its log begins", async () => {
  using database = await createDatabase(3, (raw) => fillPast(raw, 3, 7));
  expect(await betInPast(database.file)).toEqual({ openings: 1, bets: 8 });
});
