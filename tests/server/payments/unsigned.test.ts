import { afterAll, beforeAll, expect, it } from "vitest";
import { MINUTE_MS } from "#shared/time.ts";
import { world, type World } from "../../support/world.ts";
import { send } from "../http/endpoints.ts";

let w: World;
beforeAll(async () => {
  w = await world({ env: { RATE_LIMIT: "on" } });
});
afterAll(() => w.close());

const unsigned = (remoteAddress: string) =>
  send(w, { path: "/pay/notify/sandbox", payload: "order=dep_1&sign=none", remoteAddress });
const logged = () =>
  w.logged.filter((line) => line.includes("a notification was refused")).map((line) => JSON.parse(line) as object);

it("notifications that nobody signed are limited by address, and logged once a minute", async () => {
  for (let i = 0; i < 30; i++) expect((await unsigned("203.0.113.7")).code).not.toBe(429);
  const refused = await unsigned("203.0.113.7");
  expect([refused.status, Number(refused.headers["retry-after"])]).toEqual([429, 60]);
  expect((await unsigned("203.0.113.8")).code).not.toBe(429);
  expect(logged()).toEqual([expect.objectContaining({ client: "203.0.113.7", channel: "sandbox", unlogged: 0 })]);
  w.pass(MINUTE_MS);
  expect((await unsigned("203.0.113.7")).code).not.toBe(429);
  expect(logged().at(-1)).toMatchObject({ unlogged: 30 });
});
