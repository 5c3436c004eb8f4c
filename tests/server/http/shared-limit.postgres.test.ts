import { setTimeout } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { rateWindows } from "#db/schema/index.ts";
import { openSite, type Site } from "#server/app/site.ts";
import { HOUR_MS } from "#shared/time.ts";
import { PATIENTLY } from "../../support/patience.ts";
import { withServer } from "../../support/postgres-databases.ts";
import { world, type World } from "../../support/world.ts";

const MOST = 1_000;
/** Each process shares its counts about twice a second. */
const SHARED_AFTER_MS = 1_200;

let w: World;
let second: Site;
let hand: Float64Array<SharedArrayBuffer>;

beforeEach(async () => {
  w = await world({ env: { RATE_LIMIT: "on" } });
  hand = new Float64Array(new SharedArrayBuffer(8));
  hand[0] = w.now();
  const clock = { kind: "shared", buffer: hand.buffer } as const;
  second = await openSite(w.config, { clock, log: pino({ level: "silent" }) });
});
afterEach(async () => {
  await second.close();
  await w.close();
});

function pass(ms: number): void {
  w.pass(ms);
  hand[0] = w.now();
}

const ask = async ({ app }: Site, remoteAddress = "10.0.0.1") =>
  (await app.inject({ url: "/api/system/base", remoteAddress })).statusCode;
/** How many requests of a burst are accepted. */
async function burst(site: Site, times: number, from?: string): Promise<number> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) statuses.push(await ask(site, from));
  return statuses.filter((status) => status === 200).length;
}
const counted = async () =>
  (await w.deps.db.read.select().from(rateWindows))
    .map(({ subject, requests }) => `${subject}: ${requests}`)
    .toSorted((a, b) => (a < b ? -1 : 1));

describe("the limit of an address", () => {
  it("counts its requests to all processes together", async () => {
    await Promise.all([burst(w.site, 700), burst(second, 700)]);
    for (const site of [w.site, second]) {
      // So seldom that neither reaches the limit alone.
      await expect.poll(() => ask(site), { ...PATIENTLY, interval: 500 }).toBe(429);
      expect(await ask(site, "10.0.0.2")).toBe(200);
    }
    pass(10_000);
    for (const site of [w.site, second]) expect(await ask(site)).toBe(200);
  });

  it("refuses a burst over all processes within a second, however it is spread", async () => {
    for (let i = 0; i < MOST / 2; i += 50) await Promise.all([burst(w.site, 50), burst(second, 50), setTimeout(20)]);
    const full = performance.now();
    // At a rate at which neither process alone would reach the limit.
    while (performance.now() < full + 1_000) await Promise.all([ask(w.site), ask(second), setTimeout(10)]);
    expect(await burst(w.site, 20)).toBe(0);
    expect(await burst(second, 20)).toBe(0);
  });

  it("is as exact for one process as if it were alone", async () => {
    expect(await burst(w.site, MOST + 50)).toBe(MOST);
    pass(9_999);
    expect(await ask(w.site)).toBe(429);
    pass(1);
    expect(await burst(w.site, MOST + 1)).toBe(MOST);
  });

  it("stores only busy addresses, one row per process, and deletes them", async () => {
    await burst(w.site, 20, "10.0.0.9");
    await Promise.all([burst(w.site, 60), burst(second, 40)]);
    await setTimeout(SHARED_AFTER_MS);
    await expect.poll(async () => (await counted()).length).toBe(2);
    await Promise.all([ask(w.site), ask(second)]);
    await expect.poll(counted).toEqual(["10.0.0.1: 41", "10.0.0.1: 61"]);
    // A process deletes its own rows as it goes on; those of a dead process are swept.
    pass(2 * HOUR_MS);
    await burst(w.site, 29);
    await setTimeout(SHARED_AFTER_MS);
    await ask(w.site);
    await expect.poll(counted).toEqual(["10.0.0.1: 30", "10.0.0.1: 41"]);
    await w.site.housekeeping.tick();
    expect(await counted()).toEqual(["10.0.0.1: 30"]);
  });

  it("holds within each process while the others cannot be reached, and delays no request", async () => {
    await withServer(w.config.database, async (client) => {
      await client.query("begin; lock table rate_windows");
      const from = performance.now();
      expect(await burst(w.site, MOST + 10)).toBe(MOST);
      await setTimeout(SHARED_AFTER_MS);
      expect(await burst(second, MOST + 10)).toBe(MOST);
      expect(performance.now() - from).toBeLessThan(SHARED_AFTER_MS + 20_000);
      await client.query("rollback");
    });
  });
});
