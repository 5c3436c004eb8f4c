import { randomBytes } from "node:crypto";
import pg from "pg";

/** The migrated database from which each test's own is copied. */
export const EMPTY = "trio_tests_empty";

/** The address of another database on the same server. */
export function databaseAt(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

export async function withServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** What pg documents and its types lack. */
interface Refable {
  ref(): void;
  unref(): void;
}

/** A connection that lasts as long as its process: for a short test, opening two took longer than all its queries. */
class KeptConnection {
  static readonly #all = new Map<string, KeptConnection>();
  readonly #client: pg.Client & Refable;
  readonly #open: Promise<unknown>;
  #busy = 0;

  private constructor(url: string) {
    this.#client = new pg.Client({ connectionString: url }) as pg.Client & Refable;
    const forget = () => void KeptConnection.#all.delete(url);
    this.#client.on("error", forget).on("end", forget);
    this.#open = this.#client.connect();
    this.#open.catch(forget);
  }

  static to(url: string): KeptConnection {
    const known = KeptConnection.#all.get(url) ?? new KeptConnection(url);
    KeptConnection.#all.set(url, known);
    return known;
  }

  async run(sql: string): Promise<void> {
    await this.#open;
    // It keeps its process alive only while there is something to wait for.
    if (++this.#busy === 1) this.#client.ref();
    try {
      await this.#client.query(sql);
    } finally {
      if (--this.#busy === 0) this.#client.unref();
    }
  }
}

/** A new database, copied from another; the empty one by default. No connection to the source may be open. */
export async function copyDatabase(server: string, from: string = EMPTY): Promise<string> {
  const name = `trio_test_${randomBytes(6).toString("hex")}`;
  await KeptConnection.to(server).run(`create database ${name} template ${from} strategy file_copy`);
  return databaseAt(server, name);
}

/** Drops a database and cuts the connections to it. */
export async function dropDatabase(server: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await KeptConnection.to(server).run(`drop database if exists ${name} with (force)`);
}
