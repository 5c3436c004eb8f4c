import pg from "pg";
import { Unwritable } from "#db/part-folder.ts";
import { runProgram } from "./dump.ts";

/** Anything that somebody made in a database. */
const ANYTHING = `select 1 from pg_class where relnamespace not in
  (select oid from pg_namespace where nspname like 'pg\\_%' or nspname = 'information_schema') limit 1`;

/** Loads pg_dump's archive into an empty database, whole or not at all. Throws Unwritable unless it is empty. */
export async function load(archive: string, url: string): Promise<void> {
  const isEmpty = await withClient(url, async (client) => (await client.query(ANYTHING)).rowCount === 0);
  const name = nameOf(url);
  if (!isEmpty) throw new Unwritable(`the database ${name} is not empty: restore into an empty one`);
  await runProgram("pg_restore", url, (address) => [
    "--no-owner",
    // Another machine may lack the roles that were granted something.
    "--no-privileges",
    "--exit-on-error",
    "--single-transaction",
    `--dbname=${address}`,
    archive,
  ]);
}

const MARK = "a backup of Trio is tried here, and then this database is dropped";

/** A scratch database beside a site's own, marked as such. One that a killed trial left is dropped first. */
export class TrialDatabase {
  readonly url: string;
  readonly #site: string;

  private constructor(site: string) {
    this.#site = site;
    const url = new URL(site);
    url.pathname += "_trial";
    this.url = url.href;
  }

  /** Throws Unwritable where another database has its name. */
  static async make(site: string): Promise<TrialDatabase> {
    const trial = new TrialDatabase(site);
    await trial.drop();
    const name = nameOf(trial.url);
    await withClient(site, async (client) => {
      await client.query(`create database ${client.escapeIdentifier(name)} template template0`);
      await client.query(`comment on database ${client.escapeIdentifier(name)} is ${client.escapeLiteral(MARK)}`);
    });
    return trial;
  }

  async drop(): Promise<void> {
    const name = nameOf(this.url);
    await withClient(this.#site, async (client) => {
      const asked = "select shobj_description(oid, 'pg_database') as mark from pg_database where datname = $1";
      const { rows } = await client.query<{ mark: string | null }>(asked, [name]);
      if (rows.length === 0) return;
      if (rows[0]!.mark !== MARK) throw new Unwritable(`the database ${name} is in the way: drop it first`);
      await client.query(`drop database ${client.escapeIdentifier(name)} with (force)`);
    });
  }
}

const nameOf = (url: string) => decodeURIComponent(new URL(url).pathname.slice(1));

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, application_name: "trio restores" });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
