import { problemsOf } from "../support/audited.ts";
import { setTimeout } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bets, deposits, settings, spins } from "#db/schema/index.ts";
import { startPrivate, type PrivatePostgres } from "../support/postgres-server.ts";
import { notify } from "../support/top-up.ts";
import { awayWorld, PATIENCE_MS, timed, type AwayWorld } from "./away-world.ts";
import { messagesOf } from "./http/endpoints.ts";

let server: PrivatePostgres;
let site: AwayWorld;

beforeAll(async () => {
  server = await startPrivate([]);
});
afterAll(() => server.stop());
beforeEach(async () => {
  site = await awayWorld(server);
});
afterEach(() => site.close());

const get = async (url: string) => (await site.w.site.app.inject({ url })).statusCode;
const money = async () => (await site.mia.call("/member/getUserInfo")).data.money;
const rows = async () => {
  const { read } = site.w.deps.db;
  const [bet, top, spin] = [bets, deposits, spins].map((table) => read.select().from(table));
  return [(await bet!).length, (await top!).length, (await spin!).length];
};
const GONE = { reason: "unreachable", retry_after_s: 1 };
const { server: answer, outcome } = messagesOf("en_us").refusal;
const AWAY = answer!.away;
/** A request to a hanging database may have been done. */
const UNKNOWN = outcome!.unknown;

/** Every write is refused in time, with a reason. */
async function expectRefusals(...words: unknown[]): Promise<void> {
  const asked = await Promise.all(site.everything("lost").map(timed));
  for (const { answer, tookMs } of asked) {
    expect([answer.status, answer.code]).toEqual([503, 503]);
    expect(words).toContain(answer.msg);
    expect(answer.headers).toMatchObject({ "retry-after": "1" });
    expect(tookMs).toBeLessThan(PATIENCE_MS);
  }
}

/** Every refused write succeeds once under the same key. */
async function expectAllOnce(): Promise<void> {
  for (let i = 0; i < 2; i++) {
    const codes = (await Promise.all(site.everything("lost"))).map(({ code }) => code);
    expect(codes).toEqual([200, 200, 200, 200]);
  }
  expect(await rows()).toEqual([2, 1, 1]);
  expect(await money()).toBe("980.00");
  expect(await problemsOf(site.w)).toEqual([]);
}

describe("a database that is gone", () => {
  it("is reported to all clients, and everything resumes when it is back", async () => {
    const { w, mia, clients, bet } = site;
    const client = await clients.open({ token: mia.token });
    expect((await bet("before")).code).toBe(200);
    // A change without an announcement: a client that was away may have missed one.
    await w.deps.db.transact((tx) => tx.update(settings).set({ value: 7 }).where(eq(settings.name, "spin_daily")));
    await server.crash();
    await expectRefusals(AWAY);
    await client.next("server:away");
    expect([await get("/readyz"), await get("/healthz")]).toEqual([503, 200]);
    expect(await client.watch("k3-1m")).toMatchObject({ code: 503, msg: AWAY, data: { reason: "server.away" } });

    const late = await clients.open();
    expect(await late.next("server:away")).toEqual(GONE);
    const refused = await clients.try({ token: mia.token }).refusal();
    expect([refused.message, refused.data]).toEqual([AWAY, { code: 503, msg: AWAY, retry_after_s: 1 }]);

    await server.start();
    for (const one of [client, late]) await one.next("server:back");
    expect(await get("/readyz")).toBe(200);
    await expectAllOnce();
    const [deposit] = await w.deps.db.read.select().from(deposits);
    await notify(w, { order: deposit!.orderNo, money: 50 });
    expect(await client.next("balance:change", ({ type }) => type === "deposit")).toMatchObject({ money: "1030.00" });
    expect(w.deps.settings.get("spin_daily")).toBe(7);
    expect([client.all("server:away"), client.all("server:back")]).toEqual([[GONE], [{}]]);
    expect(client.all("disconnect")).toEqual([]);
  });

  it("is logged once, however many retries fail", async () => {
    const { w } = site;
    await server.crash();
    for (let i = 0; i < 3; i++) await w.site.relay.wake();
    await setTimeout(2_500);
    await server.start();
    await setTimeout(1_500);
    const answer = w.logged.map((line) => JSON.parse(line) as { level: number; msg: string });
    expect(answer.filter(({ level }) => level >= 50)).toEqual([]);
    const warnings = answer.filter(({ level }) => level === 40).map(({ msg }) => msg);
    expect(warnings.toSorted()).toEqual(["reading the outbox failed", "the database is away", "the database is back"]);
  });
});

describe("a database that hangs", () => {
  it("blocks no caller, and nothing is lost or done twice", async () => {
    const { clients, mia, bet } = site;
    const client = await clients.open({ token: mia.token });
    expect((await bet("before")).code).toBe(200);
    server.freeze();
    try {
      const ready = timed(get("/readyz"));
      await expectRefusals(AWAY, UNKNOWN);
      const { answer, tookMs } = await ready;
      expect(answer).toBe(503);
      expect(tookMs).toBeLessThan(10_000);
      await client.next("server:away");
      // Now that it is known, no caller waits at all.
      expect((await timed(bet("late"))).tookMs).toBeLessThan(PATIENCE_MS);
    } finally {
      server.thaw();
    }
    await client.next("server:back");
    await expectAllOnce();
    expect(client.all("disconnect")).toEqual([]);
  });
});
