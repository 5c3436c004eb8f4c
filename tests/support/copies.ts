import { execFile } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { withConnection, type OwnConnection } from "./own-connection.ts";
import { databaseIn, ENGINE, SERVER, type Place } from "./databases.ts";
import { copyDatabase, dropDatabase } from "./postgres-databases.ts";
import type { World } from "./world.ts";

const run = promisify(execFile);

/** Restores pg_dump's archive into a new database. */
export async function restore(archive: string): Promise<string> {
  const url = await copyDatabase(SERVER, "template0");
  await run("pg_restore", ["--no-owner", "--exit-on-error", `--dbname=${url}`, archive]);
  return url;
}

/** What is done in a copy while nothing guards it. */
export type Tampering = (connection: OwnConnection, place: Place) => Promise<void>;

/** Copies of a world's data at one moment, each to be changed by hand. */
export class Copies {
  readonly #folder: string;
  readonly #original: string;
  readonly #key: string;
  readonly #made: string[] = [];

  private constructor(folder: string, original: string, key: string) {
    this.#folder = folder;
    this.#original = original;
    this.#key = key;
  }

  static async of(w: World): Promise<Copies> {
    const folder = mkdtempSync(join(w.folder, "copies-"));
    const file = join(folder, "original");
    await w.deps.db.backup(file);
    const key = w.config.masterKey ?? readFileSync(join(w.folder, "master.key"), "utf8").trim();
    return new Copies(folder, ENGINE === "sqlite" ? file : await restore(file), key);
  }

  /** A new copy, changed without any guard. Afterwards each guard stands again as if nothing had been. */
  async tampered(change: string | Tampering): Promise<Place> {
    const place = await this.copy();
    await withConnection(databaseIn(place), async (connection) => {
      const guard = await connection.all<{ statement: string }>(GUARD[ENGINE]);
      await unguard(connection);
      await (typeof change === "string" ? connection.run(change) : change(connection, place));
      for (const { statement } of guard) await connection.run(statement);
    });
    return place;
  }

  /** A new copy, changed in the open: its guards are what the statements leave of them. */
  async changed(change: string | Tampering): Promise<Place> {
    const place = await this.copy();
    await withConnection(databaseIn(place), (connection) =>
      typeof change === "string" ? connection.run(change) : change(connection, place),
    );
    return place;
  }

  /** A new copy as it is. */
  async copy(): Promise<Place> {
    const folder = mkdtempSync(join(this.#folder, "copy-"));
    if (ENGINE === "sqlite") {
      copyFileSync(this.#original, join(folder, "trio.db"));
      return { env: { DATA_DIR: folder, MASTER_KEY: this.#key } };
    }
    const url = await copyDatabase(SERVER, new URL(this.#original).pathname.slice(1));
    this.#made.push(url);
    return { env: { DATA_DIR: folder, DATABASE_URL: url, MASTER_KEY: this.#key } };
  }

  /** Drops the copies that were made so far. */
  async drop(): Promise<void> {
    for (const url of this.#made.splice(0)) await dropDatabase(SERVER, url);
  }

  async close(): Promise<void> {
    await this.drop();
    if (ENGINE === "postgres") await dropDatabase(SERVER, this.#original);
  }
}

/** Removes every guard, as only the owner of the whole database could. */
export async function unguard(connection: OwnConnection): Promise<void> {
  for (const { statement } of await connection.all<{ statement: string }>(UNGUARD[ENGINE]))
    await connection.run(statement);
}

/** Statements after which the database refuses nothing, not even dangling references or what a check forbids. */
const UNGUARD = {
  sqlite: `select 'drop trigger ' || name as statement from sqlite_master where type = 'trigger'
    union all select 'pragma foreign_keys = off' union all select 'pragma ignore_check_constraints = on'`,
  postgres: `select 'alter table ' || tablename || ' disable trigger all' as statement from pg_tables
    where schemaname = 'public'
    union all select format('alter table %s drop constraint %I', conrelid::regclass, conname) from pg_constraint
    where contype = 'c' and connamespace = 'public'::regnamespace`,
};

/** Statements that put all of it back, past what the rows say now. To be read before. */
const GUARD = {
  sqlite: `select sql as statement from sqlite_master where type = 'trigger'`,
  postgres: `select 'alter table ' || tablename || ' enable trigger all' as statement from pg_tables
    where schemaname = 'public'
    union all select format('alter table %s add constraint %I %s not valid', conrelid::regclass, conname,
      pg_get_constraintdef(oid)) from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace
    union all select 'update pg_constraint set convalidated = true where not convalidated'`,
};
