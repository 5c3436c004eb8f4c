import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Finding } from "#server/admin/doctor/finding.ts";
import { BackupClock } from "#server/jobs/backup-clock.ts";
import { readBackups } from "#server/jobs/backup-folder.ts";
import { readConfig, type Config } from "#server/config/config.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { databaseIn, ENGINE } from "../../support/databases.ts";
import { withConnection } from "../../support/own-connection.ts";
import { world, type World } from "../../support/world.ts";
import { ask, operate } from "../admin/operate.ts";

const FIRST = "trio-2026-03-02T0000Z.backup";

let w: World;
let dir: string;
let config: Config;
beforeEach(async () => {
  w = await world();
  await w.player("mia_1", { balance: 10 });
  dir = join(w.folder, "backups");
  config = readConfig({ ...w.env, PORT: "0", BACKUP_DIR: dir }, []);
});
afterEach(() => w.close());

const clock = (own = config) => new BackupClock(w.deps, own);
const names = () => readdirSync(dir).sort();
const logged = (message: string) => w.logged.filter((line) => line.includes(`"msg":"${message}"`));

// Backups are made and tried with the lowest priority: beside other work they take minutes.
describe("the servers", { timeout: 600_000 }, () => {
  it("make the backup that is due, try it, and make no other before the next is due", async () => {
    const backups = clock();
    expect(await backups.figures()).toEqual({ ageMs: Number.POSITIVE_INFINITY, lateMs: 0, problems: 0 });
    await backups.tick();
    expect(names()).toEqual([FIRST, `${FIRST}.trial.json`]);
    expect(await readBackups(dir)).toMatchObject([{ at: w.now(), trial: { problems: [] } }]);
    expect(await ask(w, "backup:check", join(dir, FIRST))).toMatchObject({ ok: true, members: 1 });
    w.pass(23 * HOUR_MS);
    await backups.tick();
    expect(names()).toHaveLength(2);
    expect(await backups.figures()).toEqual({ ageMs: 23 * HOUR_MS, lateMs: 0, problems: 0 });
    w.pass(HOUR_MS);
    expect(await backups.figures()).toMatchObject({ lateMs: 0 });
    await backups.tick();
    expect(names()).toHaveLength(4);
    expect(await backups.figures()).toEqual({ ageMs: 0, lateMs: 0, problems: 0 });
    expect(logged("backup made")).toHaveLength(2);
  });

  it("make none, and migrate nothing, while another version lies on the disk than the one that runs", async () => {
    const table = ENGINE === "sqlite" ? "__drizzle_migrations" : "drizzle.__drizzle_migrations";
    const run = (text: string) => withConnection(w.config.database, ({ all }) => all<{ created_at: number }>(text));
    await run(`delete from ${table} where created_at = (select max(created_at) from ${table}) returning created_at`);
    const before = await run(`select * from ${table} order by created_at`);
    await clock().tick();
    expect(existsSync(dir) ? names() : []).toEqual([]);
    expect(await run(`select * from ${table} order by created_at`)).toEqual(before);
    expect(w.logged.find((line) => line.includes("another version's"))).toBeDefined();
  });

  it("make one together, however many they are", async () => {
    await Promise.all([clock().tick(), clock().tick(), clock().tick()]);
    expect(names()).toEqual([FIRST, `${FIRST}.trial.json`]);
    expect(logged("a step failed and will be retried")).toEqual([]);
  });

  it("seal it for the public keys", async () => {
    mkdirSync(dir);
    const { recipient } = await ask<{ recipient: string }>(w, "backup:key", join(dir, "key.txt"));
    await clock(readConfig({ ...w.env, PORT: "0", BACKUP_DIR: dir, BACKUP_RECIPIENTS: recipient }, [])).tick();
    const [made] = await readBackups(dir);
    const { file, trial } = made!;
    expect(trial).toMatchObject({ problems: [] });
    expect(readFileSync(file, "latin1").slice(0, 21)).toBe("age-encryption.org/v1");
    expect(await ask(w, "backup:check", file, "--key", join(dir, "key.txt"))).toMatchObject({ ok: true });
  });

  it("remove an old one after a newer one is there, and not before", async () => {
    const keeping = readConfig(
      { ...w.env, PORT: "0", BACKUP_DIR: dir, BACKUP_KEEP_DAYS: "1", BACKUP_KEEP_WEEKS: "0" },
      [],
    );
    await clock(keeping).tick();
    w.pass(3 * DAY_MS);
    writeFileSync(`${join(dir, "trio-2026-03-05T0000Z.backup")}.part`, "in the way");
    await clock(keeping).tick();
    expect(names()).toContain(FIRST);
    rmSync(`${join(dir, "trio-2026-03-05T0000Z.backup")}.part`);
    await clock(keeping).tick();
    expect(names()).toEqual(["trio-2026-03-05T0000Z.backup", "trio-2026-03-05T0000Z.backup.trial.json"]);
  });
});

describe("whoever runs the site learns", () => {
  const metric = async (name: string) => {
    const { body } = await w.site.app.inject({ url: "/metrics", remoteAddress: "127.0.0.1" });
    return new RegExp(`^${name} (.+)$`, "m").exec(body)?.[1];
  };
  const findings = async (env: Record<string, string>) => {
    const { out } = await operate({ env: { ...w.env, ...env } }, "doctor", "--json");
    const { findings } = JSON.parse(out) as { findings: Finding[] };
    return findings.filter(({ about }) => about === "backups");
  };

  it("that none is planned", async () => {
    expect(await metric("trio_backup_late_seconds")).toBe("Nan");
    expect(await findings({})).toMatchObject([{ level: "note", says: "no backup is made by itself" }]);
  });

  it("why a backup cannot be made, and how long it is overdue", async () => {
    writeFileSync(dir, "a file where the folder should be");
    const own = new BackupClock(w.deps, config);
    await own.tick();
    const [line] = logged("a step failed and will be retried");
    expect(line).toContain('"step":"back up"');
    expect(line).toMatch(/ENOTDIR|EEXIST/);
  });

  it("what the trial of the newest one found", async () => {
    await clock().tick();
    w.pass(DAY_MS);
    await withConnection(databaseIn(w), (connection) => connection.run("create table strange (id bigint)"));
    const backups = clock();
    await backups.tick();
    const figures = await backups.figures();
    expect(figures).toMatchObject({ ageMs: DAY_MS, problems: 1 });
    const found = await findings({ BACKUP_DIR: dir });
    expect(found).toContainEqual(
      expect.objectContaining({ level: "wrong", says: expect.stringContaining("strange") as string }),
    );
    expect(await ask({ env: { ...w.env } }, "backup:check", join(dir, FIRST))).toMatchObject({ ok: true });
  });
});

it("a server that stops ends a backup that is being made, which leaves nothing that counts", async () => {
  const backups = clock();
  const ticking = backups.tick();
  while (!existsSync(dir) || names().length === 0) await wait(5);
  backups.stop();
  await ticking;
  expect(await readBackups(dir)).toEqual([]);
  expect(logged("a step failed and will be retried")).toEqual([]);
  await clock().tick();
  expect(names()).toEqual([FIRST, `${FIRST}.trial.json`]);
});
