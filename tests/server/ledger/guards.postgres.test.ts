import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

describe("the database itself", () => {
  it.each(["bets", "transfers", "house_entries", "seals", "odds", "gaps"])(
    "never replaces %s silently",
    async (table) => {
      const statement = `insert into ${table} select * from ${table} order by id desc limit 1
      on conflict (id) do update set id = excluded.id`;
      expect(await answerOf(beside, table, statement)).toMatch(/never changed/);
    },
  );
});
