import { copyFileSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { readConfig } from "#server/config/config.ts";
import { openSite } from "#server/app/site.ts";
import { TestSocket } from "../../support/client.ts";
import { restore } from "../../support/copies.ts";
import { ENGINE, type Place } from "../../support/databases.ts";
import { dropDatabase } from "../../support/postgres-databases.ts";
import { world, type World } from "../../support/world.ts";
import { ask, everything, operate } from "./operate.ts";

let w: World;
let folder: string;

beforeEach(async () => {
  w = await world();
  folder = join(w.folder, "restored");
  mkdirSync(folder, { mode: 0o700 });
});
afterEach(() => w.close());

/** Restores a backup as the operator does, beside the key that the data was made with. */
async function restoreHere(file: string): Promise<Place> {
  copyFileSync(join(w.folder, "master.key"), join(folder, "master.key"));
  const env = { DATA_DIR: folder };
  if (ENGINE === "sqlite") return { env };
  const place = { env: { ...env, DATABASE_URL: await restore(file) } };
  await ask(place, "restored");
  return place;
}

async function serve({ env }: Place) {
  const buffer = new SharedArrayBuffer(8);
  new Float64Array(buffer)[0] = w.now();
  const config = readConfig({ ...env, PORT: "0" }, []);
  const site = await openSite(config, { clock: { kind: "shared", buffer }, log: pino({ level: "silent" }) });
  return { site, address: await site.app.listen({ host: "127.0.0.1", port: 0 }) };
}

async function epochAt(address: string, token: string): Promise<string> {
  const line = new TestSocket(address, token);
  const { epoch } = await line.until("hello");
  line.close();
  return epoch;
}

describe("a backup taken while members bet", () => {
  it("opens, passes its audit, and is served under its own epoch", async () => {
    await w.game();
    const mia = await w.player("mia_1", { balance: 1_000_000 });
    await w.live(1_000);
    const bet = { item: "A,C", money: "1", lid: "lot_1", mid: "", expect: "20260302-0001" };
    let going = true;
    const betting = (async () => {
      while (going) await Promise.all(Array.from({ length: 20 }, () => mia.call("/game/placeOrder", bet)));
    })();
    const file = join(folder, "trio.db");
    const answer = await ask<{ file: string; bytes: number }>(w, "backup", file);
    going = false;
    await betting;
    expect(answer).toEqual({ ok: true, file, bytes: statSync(file).size });

    const place = await restoreHere(file);
    const audit = await ask<{ orders: number }>(place, "audit");
    expect(audit).toMatchObject({ ok: true, members: 1, problems: [] });
    expect(audit.orders).toBeGreaterThan(0);
    expect(audit.orders).toBeLessThanOrEqual((await everything(w)).bets!.length);

    const { site, address } = await serve(place);
    const epoch = await epochAt(address, mia.token);
    expect(epoch).toMatch(/^[0-9a-f]{16}$/);
    expect(epoch).not.toBe(await epochAt(await w.listen(), mia.token));
    await site.close();
    if (place.env.DATABASE_URL) await dropDatabase(inject("postgres"), place.env.DATABASE_URL);
  });

  it("is readable by the operator alone, and does not hold the master key", async () => {
    const file = join(folder, "copy.db");
    await ask(w, "backup", file);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const key = readFileSync(join(w.folder, "master.key"), "utf8").trim();
    const copy = readFileSync(file);
    expect([copy.includes(key), copy.includes(Buffer.from(key, "hex"))]).toEqual([false, false]);
  });
});

describe("an impossible backup", () => {
  it("fails with the reason where there is no such folder", async () => {
    const { exit, out, err } = await operate(w, "backup", join(folder, "none", "copy.db"));
    expect([exit, out]).toEqual([1, ""]);
    expect(err).toMatch(/^failed: .+\n$/);
  });
});
