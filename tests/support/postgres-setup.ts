import type { TestProject } from "vitest/node";
import { migratePostgres } from "#db/postgres/migrate.ts";
import { databaseAt, EMPTY, withServer } from "./postgres-databases.ts";
import { startPostgres } from "./postgres-server.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The address of the PostgreSQL on which tests may create databases. */
    postgres: string;
  }
}

/** One PostgreSQL for all tests of the project, with a migrated database to copy. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { url, stop } = await startPostgres();
  await makeEmpty(url).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  project.provide("postgres", url);
  return stop;
}

/** Makes the migrated database that tests copy. */
export async function makeEmpty(url: string): Promise<void> {
  await withServer(url, (client) => client.query(`drop database if exists ${EMPTY}`));
  await withServer(url, (client) => client.query(`create database ${EMPTY}`));
  await migratePostgres(databaseAt(url, EMPTY));
}
