import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

describe("the database itself", () => {
  it.each(["bets", "transfers", "house_entries", "seals", "odds", "gaps"])(
    "never replaces %s silently",
    async (table) => {
      const statement = `insert into ${table} select * from ${table} order by id desc limit 1
      on conflict (id) do update set id = excluded.id`;
      expect(await answerOf(connection, table, statement)).toMatch(/never changed/);
    },
  );
});
