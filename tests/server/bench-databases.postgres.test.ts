import { expect, inject, it, onTestFinished } from "vitest";
import { fillMembers, fillPastPostgres } from "#server/bench/postgres-database.ts";
import { betInPast } from "../support/bench-bet.ts";
import { copyDatabase, dropDatabase, withServer } from "../support/postgres-databases.ts";

it("a database of the bench with a past takes bets, and its log begins", async () => {
  const server = inject("postgres");
  const url = await copyDatabase(server);
  onTestFinished(() => dropDatabase(server, url));
  await withServer(url, async (client) => {
    await fillMembers(client, 3);
    await fillPastPostgres(client, 3, 7);
  });
  expect(await betInPast(url)).toEqual({ openings: 1, bets: 8 });
});
