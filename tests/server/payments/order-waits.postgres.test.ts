import { afterAll, beforeAll, expect, it } from "vitest";
import { withServer } from "../../support/postgres-databases.ts";
import type { World } from "../../support/world.ts";
import { order, shop, stateOf } from "./shop.ts";

let w: World;

beforeAll(async () => {
  w = await shop();
});
afterAll(() => w.close());

it("an order whose page the database cannot store blames no provider, and goes on under its key", async () => {
  const mia = await w.player("mia_1");
  const answer = await withServer(w.config.database, async (client) => {
    await client.query("begin; lock table sandbox_checkouts");
    const refused = await mia.call("/member/doRecharge", { pay_way: "sandbox", money: "10" }, { key: "tap" });
    await client.query("rollback");
    return refused;
  });
  expect([answer.status, answer.data]).toEqual([503, { reason: "server.away" }]);
  const again = await mia.call("/member/doRecharge", { pay_way: "sandbox", money: "10" }, { key: "tap" });
  expect(again.code).toBe(200);
  expect((await stateOf(w, mia.memberId)).statuses).toEqual(["waiting"]);
  expect((await order(mia, 5)).code).toBe(200);
});
