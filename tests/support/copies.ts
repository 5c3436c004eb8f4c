import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { inject } from "vitest";
import { askBeside, type Beside } from "./beside.ts";
import { databaseIn, ENGINE, type Place } from "./databases.ts";
import { copyDatabase, dropDatabase } from "./postgres-databases.ts";
import type { World } from "./world.ts";

const run = promisify(execFile);

/** Restores pg_dump's archive into a new database. */
export async function restore(archive: string): Promise<string> {
  const url = await copyDatabase(inject("postgres"), "template0");
  await run("pg_restore", ["--no-owner", "--exit-on-error", `--dbname=${url}`, archive]);
  return url;
}

/** Copies of a world's data at one moment, each to be changed by hand. */
export class Copies {
  readonly #folder: string;
  readonly #original: string;
  readonly #made: string[] = [];

  private constructor(folder: string, original: string) {
    this.#folder = folder;
    this.#original = original;
  }

  static async of(w: World): Promise<Copies> {
    const folder = mkdtempSync(join(w.folder, "copies-"));
    const file = join(folder, "original");
    await w.deps.db.backup(file);
    return new Copies(folder, ENGINE === "sqlite" ? file : await restore(file));
  }

  /** A new copy, changed without any guard. */
  async tampered(sql: string): Promise<Place> {
    const place = await this.#copy();
    await askBeside(databaseIn(place), async (beside) => {
      await unguard(beside);
      await beside.run(sql);
    });
    return place;
  }

  async #copy(): Promise<Place> {
    const folder = mkdtempSync(join(this.#folder, "copy-"));
    if (ENGINE === "sqlite") {
      copyFileSync(this.#original, join(folder, "trio.db"));
      return { env: { DATA_DIR: folder } };
    }
    const url = await copyDatabase(inject("postgres"), new URL(this.#original).pathname.slice(1));
    this.#made.push(url);
    return { env: { DATA_DIR: folder, DATABASE_URL: url } };
  }

  async close(): Promise<void> {
    if (ENGINE === "sqlite") return;
    for (const url of [...this.#made, this.#original]) await dropDatabase(inject("postgres"), url);
  }
}

/** Removes every guard, as only the owner of the whole database could. */
export async function unguard(beside: Beside): Promise<void> {
  for (const { statement } of await beside.all<{ statement: string }>(UNGUARD[ENGINE])) await beside.run(statement);
}

/** Statements after which the database refuses nothing, not even dangling references. */
const UNGUARD = {
  sqlite: `select 'drop trigger ' || name as statement from sqlite_master where type = 'trigger'
    union all select 'pragma foreign_keys = off'`,
  postgres: `select 'alter table ' || tablename || ' disable trigger all' as statement from pg_tables
    where schemaname = 'public'`,
};
