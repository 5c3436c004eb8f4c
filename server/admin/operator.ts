import { randomBytes } from "node:crypto";
import { connect } from "#db/connect.ts";
import { migrateDatabase } from "#db/migrate.ts";
import { cleanHtml } from "#server/app/clean-html.ts";
import type { Config } from "#server/config/config.ts";
import { announcer } from "#server/app/outbox.ts";
import { storageOf } from "#server/storage/open.ts";
import type { Operator } from "./command.ts";

/** Opens the site's data for a command. It migrates the database first. */
export async function openOperator(config: Config): Promise<{ operator: Operator; close(): Promise<void> }> {
  await migrateDatabase(config.database);
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
