import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../support/client.ts";
import { CuttableProxy } from "../support/cuttable-proxy.ts";
import { withConnection } from "../support/own-connection.ts";
import type { Place } from "../support/databases.ts";
import { startPrivate, type PrivatePostgres } from "../support/postgres-server.ts";
import { startStandby, type Standby } from "../support/standby.ts";
import { ask } from "./admin/operate.ts";
import { awayWorld, type AwayWorld } from "./away-world.ts";

let primary: PrivatePostgres;
let way: CuttableProxy;
let site: AwayWorld;
/** Leads an operator where the server is led. */
let operator: Place;
let standby: Standby;

beforeEach(async () => {
  primary = await startPrivate([]);
  way = await CuttableProxy.lay(primary.url);
  const through = (url: string) => Object.assign(new URL(url), { port: new URL(way.address).port }).href;
  site = await awayWorld(primary, through);
  operator = { env: { ...site.w.env, DATABASE_URL: through(site.url) } };
});
afterEach(async () => {
  await site.close();
  await standby[Symbol.asyncDispose]();
  await way[Symbol.asyncDispose]();
  await primary.stop();
});

const ready = async () =>
  (await site.w.site.app.inject({ url: "/readyz" })).json<{ ready: boolean; reason?: string }>();
const loud = () =>
  site.w.logged
    .map((line) => JSON.parse(line) as { level: number; msg: string; err?: { message: string } })
    .filter(({ level }) => level >= 50);

async function failOver(): Promise<void> {
  await primary.crash();
  await standby.promote();
  way.turn(standby.url);
}

describe("a replica that is promoted under a running server", () => {
  it("goes on by itself if it has all that was acknowledged", async () => {
    standby = await startStandby(primary.url, true);
    await eventually(async () => expect(await ready()).toEqual({ ready: true }));
    expect((await site.bet("before")).code).toBe(200);
    await failOver();
    await eventually(async () => expect((await site.bet("after")).code).toBe(200));
    expect((await site.bet("before")).code).toBe(200);
    expect(loud()).toEqual([]);
  });

  it("is not used where commits did not wait for it, until the operator says that it was restored", async () => {
    standby = await startStandby(primary.url, false);
    const read = async () => (await site.mia.call("/member/getUserInfo")).code;
    expect(await read()).toBe(200);
    standby.fallBehind();
    expect((await site.bet("lost")).code).toBe(200);
    await failOver();
    await eventually(async () => expect(await ready()).toEqual({ ready: false, reason: "lost" }));
    for (let i = 0; i < 3; i++) expect((await site.bet(`refused-${i}`)).code).toBe(503);
    expect(await read()).toBe(503);
    expect(loud().map(({ msg }) => msg)).toEqual(["the database is away: say that it was restored"]);

    expect(await ask(operator, "restored", "--reason", "The replica was behind")).toMatchObject({
      ok: true,
      log: true,
    });
    await eventually(async () => expect(loud().at(-1)!.err?.message).toContain("was restored: this server ends"));
  });

  it("is not used where it lacks what this server knows of, although commits waited for it", async () => {
    standby = await startStandby(primary.url, true);
    await eventually(async () => expect(await ready()).toEqual({ ready: true }));
    await withConnection(site.url, ({ run }) => run("delete from outbox"));
    await failOver();
    await eventually(async () => expect(await ready()).toEqual({ ready: false, reason: "lost" }));
  });
});
