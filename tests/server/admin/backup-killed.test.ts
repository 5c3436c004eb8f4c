import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { backUp } from "#db/backup.ts";
import { messages } from "#db/schema/member.ts";
import { withConnection } from "../../support/own-connection.ts";
import { databaseIn, ENGINE } from "../../support/databases.ts";
import { byLength } from "../../support/length.ts";
import { PowerCuts } from "../../support/power-cuts.ts";
import { program } from "../../support/program.ts";
import { world, type World } from "../../support/world.ts";
import { operateApart } from "./operate.ts";
import { spawnBound } from "../../support/spawn-bound.ts";

const KILLS = byLength(3, 40);
const SEED = "trio";
const PATIENCE_MS = 60_000 + KILLS * 15_000;
/** So that writing takes a while; pg_dump compresses its output. */
const ROWS = ENGINE === "sqlite" ? 400 : 100;
const ROW_BYTES = 50_000;

let w: World;
let folder: string;
let file: string;
let before: string;

beforeAll(async () => {
  w = await world();
  const { memberId } = await w.player("mia_1");
  const text = () => Buffer.from(w.deps.random(ROW_BYTES / 2)).toString("hex");
  for (let i = 0; i < ROWS; i += 20)
    await w.deps.db.transact((tx) =>
      tx
        .insert(messages)
        .values(Array.from({ length: 20 }, () => ({ memberId, kind: "test", facts: { text: text() }, createdAt: 1 }))),
    );
  before = await epochIn(databaseIn(w));
});
afterAll(() => w.close());

beforeEach(() => {
  folder = join(w.folder, "backups");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  file = join(folder, "site.backup");
});

const epochIn = (database: string) =>
  withConnection(database, async (connection) => {
    const rows = await connection.all<{ value: string }>("select value from meta where name = 'epoch'");
    return rows[0]!.value;
  });

/** Checks the file alone, as an operator has it who copied only this file. */
async function expectWhole(): Promise<void> {
  expect(statSync(file).mode & 0o777).toBe(0o600);
  if (ENGINE === "postgres") {
    execFileSync("pg_restore", ["--file=/dev/null", file]);
    return;
  }
  const alone = join(w.folder, "alone.db");
  copyFileSync(file, alone);
  const raw = new Sqlite(alone, { readonly: true });
  expect([raw.pragma("quick_check", { simple: true }), raw.pragma("journal_mode", { simple: true })]).toEqual([
    "ok",
    "delete",
  ]);
  expect(raw.prepare("select count(*) from messages").pluck().get()).toBe(ROWS);
  raw.close();
  const epoch = await epochIn(alone);
  expect(epoch).toMatch(/^[0-9a-f]{16}$/);
  expect(epoch).not.toBe(before);
  for (const end of ["", "-wal", "-shm"]) rmSync(alone + end, { force: true });
}

/** Starts a backup, and kills it alone, so many ms after its first trace. Returns how long it had. */
async function killedAfter(ms: number): Promise<number> {
  const env = { PATH: process.env.PATH ?? "", ...w.env };
  const child = spawnBound(process.execPath, [...program("server/admin/main.ts"), "backup", file], {
    env,
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  while (readdirSync(folder).length === 0 && child.exitCode === null) await wait(1);
  const begun = performance.now();
  const timer = setTimeout(() => child.kill("SIGKILL"), ms);
  await ended;
  clearTimeout(timer);
  return performance.now() - begun;
}

/** A share between 0 and 1, the same for the same seed. */
const shareOf = (i: number) => createHash("sha256").update(`${SEED} ${i}`).digest().readUInt32BE() / 2 ** 32;

describe("a backup that is killed", () => {
  it(
    `at any of ${KILLS} moments leaves nothing or all of it, and can be repeated under the same name`,
    async () => {
      let wholeMs = await killedAfter(PATIENCE_MS);
      await expectWhole();
      rmSync(file);
      const left = { nothing: 0, draft: 0, whole: 0 };
      // However busy the machine, one of them is killed while it writes: the first may have taken far longer than the others.
      for (let i = 0; i < KILLS || left.draft === 0; i++) {
        const ms = await killedAfter(wholeMs * shareOf(i));
        const isThere = existsSync(file);
        left[isThere ? "whole" : existsSync(`${file}.part`) ? "draft" : "nothing"]++;
        if (isThere) {
          await expectWhole();
          wholeMs = Math.min(wholeMs, ms);
        }
        rmSync(file, { force: true });
        expect(await operateApart(w, "backup", file)).toMatchObject({ exit: 0, err: "" });
        expect(readdirSync(folder)).toEqual(["site.backup"]);
        await expectWhole();
        rmSync(file);
      }
    },
    PATIENCE_MS,
  );
});

describe("concurrent backups of one name", () => {
  it("do not damage each other: one is complete, the others are refused", async () => {
    const ran = await Promise.all(Array.from({ length: 4 }, () => operateApart(w, "backup", file)));
    expect(ran.filter(({ exit }) => exit === 0)).toHaveLength(1);
    const refused = /exists already|another backup is writing site\.backup/;
    expect(ran.filter(({ exit }) => exit !== 0).map(({ err }) => (refused.test(err) ? "refused" : err))).toEqual(
      Array(3).fill("refused"),
    );
    expect(readdirSync(folder)).toEqual(["site.backup"]);
    await expectWhole();
  });

  it("do not wait for ever for a lock that is none", async () => {
    mkdirSync(join(`${file}.part`, "lock"), { recursive: true });
    const { exit, err } = await operateApart(w, "backup", file);
    expect([exit, err]).toEqual([1, expect.stringMatching(/cannot be locked/)]);
    expect(readdirSync(`${file}.part`)).toEqual(["lock"]);
  });

  it("enter a folder that another one removes meanwhile, as it ends", async () => {
    const copy = { ...w.deps.db, engine: "postgres" as const, backup: async (path: string) => writeFileSync(path, "") };
    let removed = 0;
    for (let i = 0; i < 100 && removed < 5; i++) {
      const ends = { done: false };
      const backingUp = backUp(copy, file, { epoch: "", recipients: [] }).finally(() => (ends.done = true));
      while (!ends.done) {
        await new Promise((resolve) => setImmediate(resolve));
        if (removed < 5 && isRemoved(`${file}.part`)) removed++;
      }
      await backingUp;
      rmSync(file);
    }
    expect([removed, readdirSync(folder)]).toEqual([5, []]);
  });
});

/** Only an empty folder can be removed so. */
function isRemoved(path: string): boolean {
  try {
    rmdirSync(path);
    return true;
  } catch {
    return false;
  }
}

describe("a backup", () => {
  it("survives a power cut from the moment it is reported, and is never there half", async () => {
    using cuts = await PowerCuts.in(folder, {
      isDraft: (name) => name !== "site.backup",
      isWhole: (_, bytes) => bytes.length > 0 && bytes.equals(readFileSync(file)),
    });
    await backUp(w.deps.db, file, { epoch: "ab".repeat(8), recipients: [] });
    cuts.acknowledge("site.backup", readFileSync(file));
    expect(cuts.faults).toEqual([]);
    expect(readdirSync(folder)).toEqual(["site.backup"]);
    await expectWhole();
  });

  it("does not overwrite a file that appeared meanwhile", async () => {
    const { db } = w.deps;
    const put = async (path: string) => {
      await db.backup(path);
      writeFileSync(file, "theirs");
    };
    await expect(backUp({ ...db, backup: put }, file, { epoch: "ab".repeat(8), recipients: [] })).rejects.toThrow(
      `${file} exists already`,
    );
    expect([readFileSync(file, "utf8"), readdirSync(folder)]).toEqual(["theirs", ["site.backup"]]);
  });

  it.each(["site.backup-wal", "site.backup.part/trio.db"])(
    "is refused where %s is in the way, which stays",
    async (name) => {
      mkdirSync(`${file}.part`);
      writeFileSync(join(folder, name), "theirs");
      const { exit, err } = await operateApart(w, "backup", file);
      expect([exit, err]).toEqual([1, expect.stringMatching(/exists already|is in the way/)]);
      expect(readFileSync(join(folder, name), "utf8")).toBe("theirs");
    },
  );
});
