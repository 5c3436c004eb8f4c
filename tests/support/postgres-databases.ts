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

/** A new database, copied from another; the empty one by default. No connection to the source may be open. */
export async function copyDatabase(server: string, from: string = EMPTY): Promise<string> {
  const name = `trio_test_${randomBytes(6).toString("hex")}`;
  await withServer(server, (client) => client.query(`create database ${name} template ${from} strategy file_copy`));
  return databaseAt(server, name);
}

/** Drops a database and cuts the connections to it. */
export async function dropDatabase(server: string, url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1);
  await withServer(server, (client) => client.query(`drop database if exists ${name} with (force)`));
}
