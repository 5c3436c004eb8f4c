import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqlite } from "#db/sqlite/open.ts";
import { openBeside, type Beside } from "../../support/beside.ts";
import type { World } from "../../support/world.ts";
import { answerOf, guardedWorld } from "./guarded.ts";

let w: World;
let beside: Beside;

beforeAll(async () => {
  w = await guardedWorld();
  beside = await openBeside(w.config.database);
});
afterAll(async () => {
  await beside.close();
  await w.close();
});

describe("the database itself, by the server's own connection,", () => {
  it.each(["bets", "transfers", "house_entries", "seals", "odds", "gaps"])(
    "never replaces %s silently",
    async (table) => {
      const server = openSqlite(w.config.database);
      const statement = `insert or replace into ${table} select * from ${table} order by id desc limit 1`;
      try {
        const answer = await answerOf(beside, table, statement, async (text) => void server.exec(text));
        expect(answer).toMatch(/never deleted/);
      } finally {
        server.close();
      }
    },
  );
});
