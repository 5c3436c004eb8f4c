import { randomBytes } from "node:crypto";
import { connect } from "#db/connect.ts";
import { isMigrated, migrateDatabase } from "#db/migrate.ts";
import { cleanHtml } from "#server/app/clean-html.ts";
import type { Config } from "#server/config/config.ts";
import { announcer } from "#server/app/outbox.ts";
import { storageOf } from "#server/storage/open.ts";
import { Refused, type Operator } from "./command.ts";

type Opened = { operator: Operator; close(): Promise<void> };

/**
 * Opens the site's data for what a running server starts. It migrates nothing: that server is of another version where a
 * newer one lies on the disk already.
 */
export async function openBesideServer(config: Config): Promise<Opened> {
  if (!(await isMigrated(config.database)))
    throw new Refused(
      "the database is another version's: restart the servers, so that they are of the version that lies here",
    );
  return openMigrated(config);
}

/** Opens the site's data for a command. It migrates the database first. */
export async function openOperator(config: Config): Promise<Opened> {
  await migrateDatabase(config.database);
  return openMigrated(config);
}

async function openMigrated(config: Config): Promise<Opened> {
  // An operator's process runs transactions only: no batches and no jobs.
  const postgresWork = async () => ({ batches: {}, jobs: {} });
  const db = await connect(config.database, {
    postgresWork,
    clock: { kind: "wall" },
    mayOnlyRead: true,
    onFatal: () => {},
  });
  const { clock } = db;
  const [announce, storage] = [announcer(clock), storageOf(config)];
  const random = (bytes: number) => randomBytes(bytes);
  return { operator: { db, config, announce, storage, cleanHtml, clock, random }, close: () => db.close() };
}
