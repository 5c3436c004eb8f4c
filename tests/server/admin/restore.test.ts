import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readConfig } from "#server/config/config.ts";
import { openSite } from "#server/app/site.ts";
import { databaseIn, ENGINE, SERVER, type Place } from "../../support/databases.ts";
import { withConnection } from "../../support/own-connection.ts";
import { copyDatabase, dropDatabase } from "../../support/postgres-databases.ts";
import { world, type World } from "../../support/world.ts";
import { ask, everything, operate } from "./operate.ts";

const REASON = "The disk failed on 2 March";

let w: World;
let backups: string;
let recipient: string;
const inFolder = (name: string) => join(backups, name);

/** A site with a bet, its plain and its sealed backup, and two keys, one of them a stranger's. */
beforeAll(async () => {
  w = await world();
  await w.game();
  const mia = await w.player("mia_1", { balance: 100 });
  await w.live(1_000);
  await mia.call("/game/placeOrder", { item: "A", money: "1", lid: "lot_1", mid: "", expect: "20260302-0001" });
  backups = join(w.folder, "backups");
  mkdirSync(backups);
  ({ recipient } = await ask<{ recipient: string }>(w, "backup:key", inFolder("key.txt")));
  await ask(w, "backup:key", inFolder("other.txt"));
  await ask(w, "backup", inFolder("plain"));
  await ask(sealing(), "backup", inFolder("sealed"));
});
afterAll(() => w.close());

const sealing = () => ({ env: { ...w.env, BACKUP_RECIPIENTS: recipient } });

let machine: Place;
let left: string[];
beforeEach(async () => {
  const folder = join(w.folder, `machine-${readdirSync(w.folder).length}`);
  mkdirSync(folder, { mode: 0o700 });
  copyFileSync(join(w.folder, "master.key"), join(folder, "master.key"));
  const database = ENGINE === "sqlite" ? {} : { DATABASE_URL: await copyDatabase(SERVER, "template0") };
  machine = { env: { DATA_DIR: folder, ...database } };
  left = readdirSync(folder);
});
afterEach(async () => {
  if (machine.env.DATABASE_URL) await dropDatabase(SERVER, machine.env.DATABASE_URL);
});

/** Whether the machine is as empty as before. */
async function expectEmpty(): Promise<void> {
  expect(readdirSync(machine.env.DATA_DIR)).toEqual(left);
  expect(ENGINE === "postgres" ? await everything(machine) : {}).toEqual({});
}

const sealedParts = () => [inFolder("sealed"), "--key", inFolder("key.txt")];

describe("a backup", () => {
  it("is sealed for the public keys, and holds nothing in the open", () => {
    const bytes = readFileSync(inFolder("sealed"));
    expect(bytes.toString("latin1", 0, 22)).toBe("age-encryption.org/v1\n");
    expect([bytes.includes("mia_1"), bytes.includes("SQLite format"), bytes.includes("PGDMP")]).toEqual([
      false,
      false,
      false,
    ]);
    expect(statSync(inFolder("sealed")).mode & 0o777).toBe(0o600);
    expect(statSync(inFolder("key.txt")).mode & 0o777).toBe(0o600);
    expect(readdirSync(backups).sort()).toEqual(["key.txt", "other.txt", "plain", "sealed"]);
  });

  it.each([
    ["plain", () => [inFolder("plain")]],
    ["sealed", sealedParts],
  ])("that is %s becomes a site by one command, which is audited and begins another log", async (_, words) => {
    const found = await ask(machine, "restore", ...words(), "--reason", REASON);
    expect(found).toMatchObject({ ok: true, members: 1, orders: 1, problems: [] });
    const [here, there] = [await everything(machine), await everything(w)];
    expect(here.bets).toEqual(there.bets);
    expect(here.meta).not.toEqual(there.meta);
    expect(here.log_restores).toHaveLength(1);
    expect(JSON.stringify(here.log_restores)).toContain(REASON);
    const [act] = await ask<object[]>(machine, "operators:log");
    expect(act).toMatchObject({ command: "restore", reason: REASON, outcome: "done" });
    expect(readdirSync(machine.env.DATA_DIR).sort()).toEqual(
      ENGINE === "sqlite" ? ["master.key", "trio.db"] : ["master.key"],
    );
    expect(await ask(machine, "audit", "--only", "database")).toMatchObject({ ok: true });
    await expectAnotherLog();
  });

  it("brings back who was erased after it, and says so, as does whoever restores by other means", async () => {
    const restored = await operate(machine, "restore", inFolder("plain"), "--reason", REASON);
    expect(restored).toMatchObject({ exit: 0, err: "" });
    expect(restored.out).toMatch(
      /^Members who were erased after the backup are back: erase them again.*\nThe site is/m,
    );
    expect((await operate(machine, "restored")).out).toMatch(/^Members who were erased after the backup are back/m);
  });

  async function expectAnotherLog(): Promise<void> {
    const buffer = new SharedArrayBuffer(8);
    new Float64Array(buffer)[0] = w.now() + 1_000;
    const config = readConfig({ ...machine.env, PORT: "0" }, []);
    const site = await openSite(config, { clock: { kind: "shared", buffer }, log: pino({ level: "silent" }) });
    await site.publicLog.tick();
    const logs = await withConnection(databaseIn(machine), (connection) =>
      connection.all<{ log: number }>("select max(log) as log from log_keys"),
    );
    await site.close();
    expect(logs).toEqual([{ log: 2 }]);
  }
});

describe("a restore is refused, and leaves nothing", () => {
  const changed = (name: string, change: (bytes: Buffer) => Buffer) => {
    writeFileSync(inFolder(name), change(readFileSync(inFolder("sealed"))));
    return [inFolder(name), "--key", inFolder("key.txt")];
  };
  const flipped = (at: number) => (bytes: Buffer) => {
    bytes[at < 0 ? bytes.length + at : at]! ^= 1;
    return bytes;
  };

  it.each<[string, () => string[], string]>([
    ["without its key", () => [inFolder("sealed")], "is sealed: name the key file with --key"],
    ["by another key", () => [inFolder("sealed"), "--key", inFolder("other.txt")], "is sealed for another key"],
    ["by a file that is no key", () => [inFolder("sealed"), "--key", inFolder("plain")], "holds no secret key of age"],
    ["by a key that is not there", () => [inFolder("sealed"), "--key", inFolder("none")], "cannot be read: ENOENT"],
    ["where a byte was changed", () => changed("changed", flipped(-40)), "was cut off or changed"],
    // Which of the two reasons, rests with what the byte is then.
    ["where its head was changed", () => changed("head", flipped(60)), "changed"],
    ["where the end is missing", () => changed("cut", (bytes) => bytes.subarray(0, -70_000)), "was cut off or changed"],
    // A cut between two chunks of 64 KiB.
    ["where whole chunks are missing", () => changed("chunks", atChunk), "was cut off or changed"],
    ["for a file that is no backup", () => [join(w.folder, "master.key")], "is no backup of a"],
    ["for a plain file that was cut", () => [cutPlain()], ENGINE === "sqlite" ? "is damaged" : "pg_restore"],
  ])("%s", async (_, words, reason) => {
    const { exit, out, err } = await operate(machine, "restore", ...words(), "--reason", REASON);
    expect([exit, out, err]).toEqual([1, "", expect.stringContaining(reason)]);
    await expectEmpty();
  });

  const atChunk = (bytes: Buffer) => {
    const head = bytes.indexOf("\n", bytes.indexOf("\n--- ") + 1) + 1 + 16;
    return bytes.subarray(0, head + 65_536 + 16);
  };
  const cutPlain = () => {
    const bytes = readFileSync(inFolder("plain"));
    writeFileSync(inFolder("cut-plain"), bytes.subarray(0, bytes.length >> 1));
    return inFolder("cut-plain");
  };

  it("where a site stands already, which stays as it is", async () => {
    const before = await everything(w);
    const { exit, err } = await operate(w, "restore", inFolder("plain"), "--reason", REASON);
    expect([exit, err]).toEqual([
      1,
      expect.stringContaining(ENGINE === "sqlite" ? "trio.db exists already" : "is not empty"),
    ]);
    expect(await everything(w)).toEqual(before);
  });
});

describe("a backup is tried", () => {
  const folderBefore = () => readdirSync(w.folder).sort();

  it.each([
    ["plain", () => [inFolder("plain")]],
    ["sealed", sealedParts],
  ])("where it is %s, beside a site that is not touched", async (_, words) => {
    const [before, names] = [await everything(w), folderBefore()];
    expect(await ask(w, "backup:check", ...words())).toMatchObject({ ok: true, members: 1, problems: [] });
    expect(await everything(w)).toEqual(before);
    expect(folderBefore()).toEqual(names);
  });

  it("and what does not match in it is named", async () => {
    const odd = inFolder("odd");
    await withConnection(databaseIn(w), (connection) => connection.run("create table strange (id bigint)"));
    await ask(w, "backup", odd);
    await withConnection(databaseIn(w), (connection) => connection.run("drop table strange"));
    const { exit, out } = await operate(w, "backup:check", odd);
    expect([exit, out]).toEqual([1, expect.stringContaining("strange")]);
  });
});

it("a key is never written over another file", async () => {
  const before = readFileSync(inFolder("key.txt"), "utf8");
  const { exit, err } = await operate(w, "backup:key", inFolder("key.txt"));
  expect([exit, err]).toEqual([1, `${inFolder("key.txt")} exists already\n`]);
  expect([readFileSync(inFolder("key.txt"), "utf8"), existsSync(inFolder("key.txt.part"))]).toEqual([before, false]);
});
