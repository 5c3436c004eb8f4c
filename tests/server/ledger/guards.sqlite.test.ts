import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqlite } from "#db/sqlite/open.ts";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import type { World } from "../../support/world.ts";
import { answerOf, guardedWorld } from "./guarded.ts";

let w: World;
let connection: OwnConnection;

beforeAll(async () => {
  w = await guardedWorld();
  connection = await openConnection(w.config.database);
});
afterAll(async () => {
  await connection.close();
  await w.close();
});

describe("the database itself, by the server's own connection,", () => {
  it.each(["bets", "transfers", "house_entries", "seals", "odds", "gaps"])(
    "never replaces %s silently",
    async (table) => {
      const server = openSqlite(w.config.database);
      const statement = `insert or replace into ${table} select * from ${table} order by id desc limit 1`;
      try {
        const answer = await answerOf(connection, table, statement, async (text) => void server.exec(text));
        expect(answer).toMatch(/never deleted/);
      } finally {
        server.close();
      }
    },
  );
});
