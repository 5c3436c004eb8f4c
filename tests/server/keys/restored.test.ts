import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Finding } from "#server/admin/doctor/finding.ts";
import { readConfig } from "#server/config/config.ts";
import { openSite } from "#server/app/site.ts";
import { bankAccounts } from "#db/schema/index.ts";
import { openNumber } from "#server/domains/account/seal-number.ts";
import { ENGINE, SERVER, type Place } from "../../support/databases.ts";
import { copyDatabase, dropDatabase } from "../../support/postgres-databases.ts";
import type { World } from "../../support/world.ts";
import { call } from "../../support/call.ts";
import { ask, operate } from "../admin/operate.ts";
import { DAY_START, move, NUMBER, ONE, owner, PASSWORD, RING, ringWorld, TWO, until, withKeys } from "./ring-world.ts";

interface Status {
  id: number;
  state: string;
  left: string;
}

let w: World;
let machines = 0;
let machine: Place;
const inFolder = (name: string) => join(w.folder, name);

/** One site, and its backups: before another key was named, before the key's day, and after it. */
beforeAll(async () => {
  w = await ringWorld();
  await owner(w, "mia_1");
  await ask({ env: w.env }, "backup", inFolder("unnamed"));
  await withKeys(w, RING);
  await ask({ env: w.env }, "backup", inFolder("before"));
  await until(w, DAY_START + 1_000);
  await move(w);
  await ask({ env: w.env }, "backup", inFolder("after"));
});
afterAll(() => w.close());

async function emptyMachine(MASTER_KEY: string): Promise<void> {
  const folder = inFolder(`machine-${++machines}`);
  mkdirSync(folder, { mode: 0o700 });
  const database = ENGINE === "sqlite" ? {} : { DATABASE_URL: await copyDatabase(SERVER, "template0") };
  machine = { env: { DATA_DIR: folder, MASTER_KEY, ...database } };
}
afterEach(async () => {
  if (machine.env.DATABASE_URL) await dropDatabase(SERVER, machine.env.DATABASE_URL);
});

const restore = (name: string) => ask(machine, "restore", inFolder(name), "--reason", "The disk failed");

/** Serves what stands on the machine, just after the key's day began, until everything is moved to the key in force. */
async function serve<T>(look: (site: Awaited<ReturnType<typeof openSite>>) => Promise<T>): Promise<T> {
  const buffer = new SharedArrayBuffer(8);
  new Float64Array(buffer)[0] = DAY_START + 60_000;
  const config = readConfig({ ...machine.env, PORT: "0" }, []);
  const site = await openSite(config, { clock: { kind: "shared", buffer }, log: pino({ level: "silent" }) });
  try {
    while ((await site.keys.tick()) < 1_000);
    return await look(site);
  } finally {
    await site.close();
  }
}

describe("a backup that is restored once another master key is in force", () => {
  it.each(["unnamed", "before", "after"])("is a whole site, and is moved to that key: made %s", async (name) => {
    await emptyMachine(RING);
    expect(await restore(name)).toMatchObject({ ok: true, members: 1, problems: [] });
    const found = await serve(async ({ app, deps }) => {
      const [bank] = await deps.db.read.select().from(bankAccounts);
      const { code } = await call(app, "/member/doLogin", { username: "mia_1", password: PASSWORD });
      return { code, key: bank!.sealed.slice(0, 2), number: openNumber(deps, bank!.memberId, bank!.sealed) };
    });
    expect(found).toEqual({ code: 200, key: "2.", number: NUMBER });
    const audit = await operate(machine, "audit", "--only", "database", "--json");
    const { problems } = JSON.parse(audit.out) as { problems: string[] };
    // This server moved keys alone, and drew nothing of the days between.
    expect(problems.filter((one) => !one.includes("a server worked on for"))).toEqual([]);
    const status = await ask<Status[]>(machine, "keys:status");
    expect(status.map(({ id, state }) => [id, state])).toEqual([
      [1, "replaced"],
      [2, "in force"],
    ]);
    // What is left is the member's own passcode and what the site has drawn, and nothing that servers move.
    expect(status[0]!.left).not.toMatch(/bank accounts|keys of the log|passwords/);
    const { findings } = JSON.parse((await operate(machine, "doctor", "--json")).out) as { findings: Finding[] };
    expect(findings.filter(({ about }) => about === "key").map(({ level }) => level)).toEqual(["ok", "note"]);
  });

  it("is a site for `doctor` only with every key that it needs", async () => {
    await emptyMachine(RING);
    await restore("before");
    const without = { env: { ...machine.env, MASTER_KEY: `${TWO}@2026-03-12` } };
    const { findings } = JSON.parse((await operate(without, "doctor", "--json")).out) as { findings: Finding[] };
    expect(findings).toContainEqual(
      expect.objectContaining({ level: "wrong", about: "key", says: expect.stringMatching(/lacks the key/) as string }),
    );
    const { exit } = await operate(without, "audit", "--only", "database");
    expect(exit).toBe(1);
  });

  it("opens with the first key alone where no other was named yet", async () => {
    await emptyMachine(ONE);
    expect(await restore("unnamed")).toMatchObject({ ok: true, problems: [] });
    expect((await ask<Status[]>(machine, "keys:status")).map(({ state }) => state)).toEqual(["in force"]);
  });
});
