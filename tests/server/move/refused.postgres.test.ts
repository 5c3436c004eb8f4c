import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openSqliteTarget } from "#db/move/sqlite-target.ts";
import { bareEnvironment, program } from "../../support/program.ts";
import { spawnBound } from "../../support/spawn-bound.ts";
import { ask, contentsOf, layGround, metaOf, move, type Ground, startMove } from "./ground.ts";
import { change, siteFile } from "./site-file.ts";

let ground: Ground;
let site: string;

beforeAll(async () => {
  ground = await layGround();
  site = await siteFile(ground.newFile());
});
afterAll(() => ground.clear());

async function refusal(from: string, to: string): Promise<string> {
  const { exit, out, err } = await move([from, to]);
  expect([exit, out]).toEqual([1, ""]);
  return err;
}

/** A copy of the site that no other test moves at the same time: one move refuses the other. */
async function own(): Promise<string> {
  const file = ground.newFile();
  copyFileSync(site, file);
  return file;
}

/** A process that has the file open, and has written to it. */
async function holder(file: string): Promise<ChildProcess> {
  const child = spawnBound(process.execPath, [...program("tests/server/move/hold-file.ts"), file], {
    env: bareEnvironment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout!, "data");
  return child;
}

/** A move into PostgreSQL that stands still while it copies. */
async function stoppedMove(from: string, to: string): Promise<[ChildProcess, Promise<unknown[]>]> {
  const moving = startMove([from, to]);
  const ended = once(moving, "exit");
  const COPIES = "select 1 from pg_stat_activity where datname = current_database() and query like 'insert into%'";
  while (!(await ask(to, COPIES)).length);
  moving.kill("SIGSTOP");
  return [moving, ended];
}

describe.concurrent("the arguments of a move", () => {
  it("are explained on request", async () => {
    expect(await move(["--help"])).toMatchObject({ exit: 0, err: "", out: expect.stringContaining("FROM TO") });
  });

  it.each([
    [["a.db"], "Give FROM and TO, and nothing else."],
    [["--fast", "a.db", "b.db"], "--fast"],
    [["a.db", "mysql://host/trio"], "mysql://host/trio is neither a file nor an address such as postgres://"],
    [["a.db", "./a.db"], "are the same"],
  ])("%j are wrong use", async (words, reason) => {
    const { exit, out, err } = await move(words);
    expect([exit, out, err]).toEqual([2, "", expect.stringContaining(reason)]);
    expect(err).toContain("usage: ");
  });
});

describe.concurrent("a target that is not empty", () => {
  it("is refused when the file exists, or leftovers of an earlier one", async () => {
    const [from, there, left] = [await own(), await siteFile(ground.newFile()), ground.newFile()];
    expect(await refusal(from, there)).toContain(`${there} exists already`);
    writeFileSync(`${left}-wal`, "");
    expect(await refusal(from, left)).toContain(`${left}-wal exists already`);
  });

  it("is refused when something else is in the way", async () => {
    const file = ground.newFile();
    mkdirSync(`${file}.part`);
    writeFileSync(`${file}.part/letters.txt`, "mine");
    expect(await refusal(await own(), file)).toContain("no move left it there");
    expect(existsSync(`${file}.part/letters.txt`)).toBe(true);
  });

  it("is refused when it has a site, which stays as it is", async () => {
    const [from, to] = [await own(), await ground.newDatabase()];
    expect(await move([from, to])).toMatchObject({ exit: 0 });
    const before = await contentsOf(to);
    expect(await refusal(from, to)).toContain("is not empty");
    expect(await contentsOf(to)).toEqual(before);
  });

  it("is refused when it has other tables", async () => {
    const to = await ground.newDatabase();
    await ask(to, "create table letters (id integer)");
    expect(await refusal(await own(), to)).toContain("tables of another program");
    expect(await ask(to, "select to_regclass('members') as members")).toEqual([{ members: null }]);
  });
});

describe.concurrent("a target that another move is writing", () => {
  it("is refused when it is a file", async () => {
    const [from, to] = [await own(), ground.newFile()];
    const first = await openSqliteTarget(to);
    expect(await refusal(from, to)).toContain("another move is writing");
    await first.close();
    expect(await move([from, to])).toMatchObject({ exit: 0 });
  });

  it("is refused when it is a PostgreSQL", async () => {
    const [to, file] = [await ground.newDatabase(), await siteFile(ground.newFile(), { messages: 20_000 })];
    // However long the second one takes to start.
    const [first, ended] = await stoppedMove(file, to);
    expect(await refusal(await own(), to)).toContain("Another move is writing");
    first.kill("SIGCONT");
    expect(await ended).toEqual([0, null]);
  });
});

describe.concurrent("an invalid source", () => {
  it("is refused with the reason", async () => {
    const [text, bare] = [ground.newFile(), ground.newFile()];
    writeFileSync(text, "Dear Mia, what I wanted to tell you for so long is this");
    new Sqlite(bare).exec("create table letters (id integer)").close();
    const to = ground.newFile();
    expect(await refusal(ground.newFile(), to)).toContain("There is no file");
    expect(await refusal(text, to)).toContain("is not a SQLite database");
    expect(await refusal(bare, to)).toContain("is not the database of a site");
    expect(await refusal(await ground.newDatabase(), to)).toContain("is not the database of a site");
    expect(await refusal("postgres://mia:secret@127.0.0.1:1/trio", to)).toMatch(
      /^postgres:\/\/mia@127.0.0.1:1\/trio: .*REFUSED.*\n$/,
    );
    expect(existsSync(to)).toBe(false);
  });

  it("is refused when another version of the program has left it", async () => {
    const old = await siteFile(ground.newFile());
    change(
      old,
      "delete from __drizzle_migrations where created_at = (select max(created_at) from __drizzle_migrations)",
    );
    expect(await refusal(old, ground.newFile())).toContain("another version");
  });

  it.each([
    ["update members set created_at = 0.5", "members.created_at holds 0.5"],
    ["update members set created_at = 9007199254740993", "members.created_at holds 9007199254740992"],
    ["update wallets set frozen = 7", "wallets.frozen holds 7"],
    ["update messages set facts = 'so' where id = 2", 'messages.facts holds "so"'],
  ])("is refused after %j, naming table and column", async (sql, reason) => {
    const odd = await siteFile(ground.newFile());
    change(odd, sql);
    const to = await ground.newDatabase();
    expect(await refusal(odd, to)).toContain(reason);
    expect(Object.keys(await metaOf(to))).toEqual(["moving"]);
  });
});

describe("a source that is in use", () => {
  it("is refused while any other connection to the file is open, and not after a crash of it", async () => {
    const [busy, to] = [await siteFile(ground.newFile()), await ground.newDatabase()];
    const server = await holder(busy);
    expect(await refusal(busy, to)).toMatch(/A server is running on .*: stop it, then move again/);
    expect(await ask(to, "select to_regclass('members') as members")).toEqual([{ members: null }]);
    const gone = once(server, "exit");
    server.kill("SIGKILL");
    await gone;
    expect(existsSync(`${busy}-wal`)).toBe(true);
    expect(await move([busy, to])).toMatchObject({ exit: 0 });
    expect(await ask(to, "select count(*)::int as count from messages")).toEqual([{ count: 4 }]);
  });

  it("lets no server in while it is copied from a file", async () => {
    const [busy, to] = [await siteFile(ground.newFile(), { messages: 20_000 }), await ground.newDatabase()];
    const [moving, ended] = await stoppedMove(busy, to);
    const late = new Sqlite(busy, { timeout: 0 });
    expect(() => late.prepare("select 1 from meta").get()).toThrow("database is locked");
    late.close();
    moving.kill("SIGCONT");
    expect(await ended).toEqual([0, null]);
    expect(await ask(busy, "select count(*) as count from messages")).toEqual([{ count: 20_000 }]);
  });

  it("is refused when it was changed while it was copied from PostgreSQL", async () => {
    const [busy, to] = [await ground.newDatabase(), ground.newFile()];
    expect(await move([site, busy])).toMatchObject({ exit: 0 });
    const moving = refusal(busy, to);
    let isOver = false;
    void moving.finally(() => (isOver = true));
    for (let i = 2; !isOver; i++) {
      await ask(busy, `update members set created_at = ${i}`);
      await setTimeout(10);
    }
    expect(await moving).toContain("a server is still running on it");
    expect(existsSync(to)).toBe(false);
  });

  it("is refused when a server listens there, though it changes nothing", async () => {
    const busy = await ground.newDatabase();
    expect(await move([site, busy])).toMatchObject({ exit: 0 });
    const server = new pg.Client({ connectionString: busy, application_name: "trio listens" });
    await server.connect();
    const answer = await refusal(busy, ground.newFile()).finally(() => server.end());
    expect(answer).toContain("A server is running on");
    expect(await move([busy, ground.newFile()])).toMatchObject({ exit: 0 });
  });
});

describe.concurrent("an inconsistent source", () => {
  it("is refused by the audit, and its copy stays unfinished", async () => {
    const wrong = await siteFile(ground.newFile());
    change(wrong, "update wallets set balance = 500, version = 1");
    const [file, database] = [ground.newFile(), await ground.newDatabase()];
    for (const to of [file, database]) {
      const answer = await refusal(wrong, to);
      expect(answer).toContain("The audit of the copy found");
      expect(answer).toMatch(/- wallet of member 1: .*500/);
    }
    expect(existsSync(file)).toBe(false);
    expect(Object.keys(await metaOf(database))).toContain("moving");
  });
});
