import { execFile } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import Sqlite from "better-sqlite3";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "../support/source-files.ts";

const ENGINES = ["sqlite", "postgres"] as const;
let tree: string;

/** A copy of everything that the schema and its migrations are made of. */
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), "trio-"));
  const isWanted = (path: string) => !/\/db\/(demo|move)(\/|$)/.test(path);
  cpSync(join(ROOT, "db"), join(tree, "db"), { recursive: true, filter: isWanted });
  for (const path of ["package.json", "server/preload.mjs"]) cpSync(join(ROOT, path), join(tree, path));
  for (const name of ["node_modules", "shared"]) symlinkSync(join(ROOT, name), join(tree, name));
});
afterEach(() => rmSync(tree, { recursive: true }));

/** A command's output in the copy, and its exit status. */
function run(program: "check" | "generate", ...words: string[]): Promise<{ exit: number; output: string }> {
  const args = [join("db", "kit", `${program}.ts`), ...words];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: tree }, (error, out, err) =>
      resolve({ exit: error ? Number(error.code) : 0, output: out + err }),
    );
  });
}

const read = (path: string) => readFileSync(join(tree, path), "utf8");

function rewrite(path: string, before: string, after: string): void {
  const text = read(path);
  expect(text).toContain(before);
  writeFileSync(join(tree, path), text.replace(before, after));
}

const migrations = () => ENGINES.map((engine) => filesIn(`db/migrations/${engine}`));
const filesIn = (folder: string) => readdirSync(join(tree, folder), { recursive: true }).map(String).sort();
/** The added files, as path and text. */
function added(before: string[][]): string[][] {
  return migrations().map((files, i) =>
    files.flatMap((file) =>
      file.endsWith(".sql") && !before[i]!.includes(file)
        ? [file, read(join("db", "migrations", ENGINES[i]!, file))]
        : [],
    ),
  );
}
const NEXT = String(readdirSync(join(ROOT, "db/migrations/sqlite")).filter((name) => name.endsWith(".sql")).length);
const numbered = (name: string) => `${NEXT.padStart(4, "0")}_${name}.sql`;

describe("a schema that changed since the last migration", () => {
  it.each([
    ["PostgreSQL", "db/columns.postgres.ts", "export const int = () => integer();", "export const int = () => big();"],
    ["SQLite", "db/columns.sqlite.ts", "export const int = () => integer();", "export const int = () => text();"],
  ])("is found on %s alone, with the command to run", async (title, path, before, after) => {
    const files = filesIn("db");
    rewrite(path, before, after);
    const { exit, output } = await run("check");
    expect([exit, output.split("\n").length]).toEqual([1, 2]);
    expect(output).toMatch(
      new RegExp(`^${title} has no migration.*tables .*wallets.*: npm run db:generate -- NAME\n$`),
    );
    expect(filesIn("db")).toEqual(files);
  });

  it("gets a migration on both engines, under one number and name, by one command", async () => {
    rewrite("db/schema/ledger.ts", "    reason: text(),\n", "    reason: text(),\n    channel: text(),\n");
    const before = migrations();
    expect(await run("generate", "add_channels")).toMatchObject({ exit: 0 });
    expect(added(before)).toEqual([
      [numbered("add_channels"), "ALTER TABLE `transfers` ADD `channel` text;"],
      [numbered("add_channels"), 'ALTER TABLE "transfers" ADD COLUMN "channel" text;'],
    ]);
    expect(await run("check")).toEqual({ exit: 0, output: "" });
  });

  it("gets an empty one, which runs, on an engine where nothing changed", async () => {
    rewrite("db/columns.postgres.ts", "export const int = () => integer();", "export const int = () => big();");
    const before = migrations();
    await run("generate", "widen");
    const [[name, text] = [], [, wide] = []] = added(before);
    expect([name, text]).toEqual([numbered("widen"), "-- Nothing changes on this engine.\nselect 1;\n"]);
    expect(wide).toContain('ALTER TABLE "wallets" ALTER COLUMN "version" SET DATA TYPE bigint;');
    const raw = new Sqlite(":memory:");
    migrate(drizzle(raw), { migrationsFolder: join(tree, "db/migrations/sqlite") });
    expect(raw.prepare("select count(*) from __drizzle_migrations").pluck().get()).toBe(Number(NEXT) + 1);
    raw.close();
  });

  it("gets none on either engine when one of them cannot have it", async () => {
    // A renamed column makes drizzle ask, and no one is here to answer.
    const last = `db/migrations/postgres/${String(Number(NEXT) - 1).padStart(4, "0")}_snapshot.json.gz`;
    const packed = gzipSync(
      gunzipSync(readFileSync(join(tree, last)))
        .toString()
        .replace('"balance_after"', '"balance_then"'),
    );
    writeFileSync(join(tree, last), packed);
    const whole = () => filesIn("db").map((path) => [path, path.endsWith(".json") && read(join("db", path))]);
    const before = whole();
    const { exit, output } = await run("generate", "rename");
    expect([exit, output]).toEqual([
      1,
      expect.stringContaining("made no migration for postgres. No file was written."),
    ]);
    expect(whole()).toEqual(before);
  });
});

describe("a migration that PostgreSQL refuses", () => {
  it("stays to be mended by hand, and the command says so", async () => {
    rewrite("db/columns.postgres.ts", "export const int = () => integer();", "export const int = () => big();");
    const before = migrations();
    const { exit, output } = await run("generate", "widen");
    expect(exit).toBe(1);
    expect(output).toMatch(
      /PostgreSQL refuses a migration: cannot alter type of a column used in a trigger definition\./,
    );
    expect(output).toMatch(/Mend its SQL and run `npm run db:definitions`/);
    expect(added(before).map(([file]) => file)).toEqual([numbered("widen"), numbered("widen")]);
  });
});

describe("making a migration", () => {
  it.each([[[]], [["Two Words"]], [["two", "names"]], [["name", "--costum"]]])(
    "needs one plain name, and says so: %j",
    async (words) => {
      const files = filesIn("db");
      const { exit, output } = await run("generate", ...words);
      expect([exit, output]).toEqual([2, expect.stringContaining("npm run db:generate -- add_plan_colours")]);
      expect(filesIn("db")).toEqual(files);
    },
  );

  it("makes none when nothing changed, unless it is for custom SQL", async () => {
    const before = migrations();
    expect(await run("generate", "nothing")).toMatchObject({ exit: 1 });
    expect(added(before)).toEqual([[], []]);
    expect(await run("generate", "guards", "--custom")).toMatchObject({ exit: 0 });
    expect(added(before).map(([name]) => name)).toEqual([numbered("guards"), numbered("guards")]);
  });

  it("is refused, and the check fails, while the engines have different migrations", async () => {
    rewrite("db/migrations/sqlite/meta/_journal.json", "0001_guards", "0001_guard");
    const apart = "SQLite has 0001_guard where PostgreSQL has 0001_guards.";
    expect(await run("generate", "more")).toEqual({ exit: 1, output: expect.stringContaining(apart) as string });
    expect(await run("check")).toEqual({ exit: 1, output: expect.stringContaining(apart) as string });
  });

  it("is checked for two that follow the same one", async () => {
    await run("generate", "one", "--custom");
    const [one, other] = [0, 1].map((more) => {
      const number = String(Number(NEXT) + more).padStart(4, "0");
      return join(tree, `db/migrations/postgres/${number}_snapshot.json.gz`);
    });
    copyFileSync(one!, other!);
    const { exit, output } = await run("check");
    expect([exit, output]).toEqual([1, expect.stringContaining("PostgreSQL's migrations do not follow each other")]);
  });
});
