import { problemsOf } from "../support/audited.ts";
import { setTimeout } from "node:timers/promises";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { isDatabaseAway } from "#db/away.ts";
import { bets, invites, spins, uploads } from "#db/schema/index.ts";
import { setSetting } from "#server/domains/site/set-setting.ts";
import { openSite } from "#server/app/site.ts";
import { CuttableProxy } from "../support/cuttable-proxy.ts";
import { fileOf, PIXEL } from "../support/pictures.ts";
import { withServer } from "../support/postgres-databases.ts";
import { startPrivate, type PrivatePostgres } from "../support/postgres-server.ts";
import { awayWorld, killAll, PATIENCE_MS, timed, type AwayWorld } from "./away-world.ts";

let server: PrivatePostgres;
let site: AwayWorld;
let cable: CuttableProxy;

beforeAll(async () => {
  server = await startPrivate([]);
  cable = await CuttableProxy.lay(server.url.replace("postgres:", "http:"));
});
afterAll(async () => {
  await cable[Symbol.asyncDispose]();
  await server.stop();
});
afterEach(() => site.close());

const UNKNOWN = { reason: "outcome.unknown" };

const throughCable = (url: string): string => {
  const address = new URL(url);
  address.port = new URL(cable.address).port;
  return address.href;
};
const sql = (text: string) => withServer(site.url, (client) => client.query<Record<string, unknown>>(text));
const money = async () => (await site.mia.call("/member/getUserInfo")).data.money;
const count = async (table: typeof bets | typeof spins) => (await site.w.deps.db.read.select().from(table)).length;

/** Cuts the first connection that writes into a table, in the middle of its transaction. */
const dieAt = (table: string) =>
  sql(`create sequence deaths;
    create function die_once() returns trigger language plpgsql as $$ begin
      if nextval('deaths') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new; end $$;
    create trigger die_once before insert on ${table} for each row execute function die_once()`);

describe("a connection that is cut in the middle of a transaction", () => {
  it("leaves nothing of it, and harms no other", async () => {
    site = await awayWorld(server);
    const { db } = site.w.deps;
    const row = (code: string) => ({ code, usesLeft: 1, createdAt: site.w.now() });
    const failed = await db
      .transact(async (tx) => {
        await tx.insert(invites).values(row("HALF"));
        await killAll(site.url);
        // Between two statements no call waits for an answer.
        await setTimeout(200);
        await tx.insert(invites).values(row("WHOLE"));
      })
      .catch((error: unknown) => error);
    expect(isDatabaseAway(failed)).toBe(true);
    expect((await db.read.select().from(invites)).map(({ code }) => code)).toEqual(["WELCOME"]);
    await db.transact((tx) => tx.insert(invites).values(row("WHOLE")));
    expect(await db.read.select().from(invites)).toHaveLength(2);
  });

  it.each([
    // A transaction that had not reached its commit is undone; a bet commits by itself, so its outcome is unknown.
    ["a spin", "replays", (key: string) => site.mia.call("/luckdraw", {}, { method: "POST", key }), "server.away"],
    ["a bet", "bet_keys", (key: string) => site.bet(key), "outcome.unknown"],
  ] as const)("leaves nothing of %s, and the same key does it once", async (name, table, ask, reason) => {
    const [written, left] = name === "a bet" ? [bets, "990.00"] : [spins, "1000.00"];
    site = await awayWorld(server);
    await dieAt(table);
    expect(await ask("tap")).toMatchObject({ status: 503, code: 503, data: { reason } });
    expect([await count(written), await money()]).toEqual([0, "1000.00"]);
    const first = await ask("tap");
    expect(first.code).toBe(200);
    expect((await ask("tap")).data).toEqual(first.data);
    expect([await count(written), await money()]).toEqual([1, left]);
    await sql(`drop trigger die_once on ${table}; drop function die_once; drop sequence deaths`);
    expect(await problemsOf(site.w)).toEqual([]);
  });
});

describe("a connection that no longer carries data", () => {
  it("blocks no caller, and what was done beyond it is done once", async () => {
    site = await awayWorld(server, throughCable);
    await sql(`create function slowly() returns trigger language plpgsql as $$ begin
        perform pg_sleep(0.5); return new; end $$;
      create trigger slowly before insert on bet_keys for each row execute function slowly()`);
    const lost = timed(site.bet("tap"));
    await setTimeout(250);
    cable.cut();
    const { answer, tookMs } = await lost;
    expect([answer.status, answer.data, answer.headers["retry-after"]]).toEqual([503, UNKNOWN, "1"]);
    expect(tookMs).toBeLessThan(PATIENCE_MS);
    expect((await sql("select count(*)::int as n from bets")).rows).toEqual([{ n: 1 }]);
    cable.mend();
    await expect.poll(async () => (await site.bet("tap")).code).toBe(200);
    expect([await count(bets), await money()]).toEqual([1, "990.00"]);
  });
});

describe("a commit whose answer is lost", () => {
  it("leaves a picture with its file, and a retry with the same key returns it", async () => {
    site = await awayWorld(server, throughCable);
    await sql(`create function slowly() returns trigger language plpgsql as $$ begin
        perform pg_sleep(1.5); return new; end $$;
      create constraint trigger slowly after insert on uploads deferrable initially deferred
        for each row execute function slowly()`);
    const bring = () => site.mia.call("/system/uploadimg", { file: fileOf(PIXEL) }, { key: "tap" });
    const lost = bring();
    // Another transaction may commit at that moment, too: this one sleeps.
    const isCommitting = async () =>
      (
        await sql(
          "select 1 from pg_stat_activity where datname = current_database() and query = 'commit' and wait_event = 'PgSleep'",
        )
      ).rowCount;
    await expect.poll(isCommitting, { interval: 20 }).toBe(1);
    cable.cut();
    expect(await lost).toMatchObject({ status: 503, data: UNKNOWN });
    expect((await sql("select count(*)::int as n from uploads")).rows).toEqual([{ n: 1 }]);
    cable.mend();
    await expect.poll(async () => (await bring()).code).toBe(200);
    const [row, ...more] = await site.w.deps.db.read.select().from(uploads);
    expect(more).toEqual([]);
    expect((await site.w.site.app.inject({ url: row!.path })).statusCode).toBe(200);
  });
});

describe("the connection that listens", () => {
  const listeners = async () =>
    (
      await sql(
        "select 1 from pg_stat_activity where application_name = 'trio listens' and datname = current_database()",
      )
    ).rowCount;

  it("is reopened after it was cut, and misses nothing that was announced meanwhile", async () => {
    site = await awayWorld(server);
    const { w, clients } = site;
    const other = await openSite(w.config, { clock: { kind: "wall" }, log: pino({ level: "silent" }) });
    try {
      const client = await clients.open();
      for (let i = 1; i <= 3; i++) {
        await killAll(site.url);
        const name = `The ${i}. house`;
        await expect
          .poll(() =>
            other.deps.db
              .transact((tx) => setSetting(tx, other.deps, "name", name))
              .then(
                () => true,
                () => false,
              ),
          )
          .toBe(true);
        const from = performance.now();
        await client.next("site:change", (changed) => changed.name === name);
        expect(performance.now() - from).toBeLessThan(10_000);
        await expect.poll(listeners).toBe(2);
      }
      expect(client.all("disconnect")).toEqual([]);
    } finally {
      await other.close();
    }
  });
});
