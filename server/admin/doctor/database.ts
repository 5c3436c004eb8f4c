import { eq } from "drizzle-orm";
import { meta } from "#db/schema/site.ts";
import type { Operator } from "#server/admin/command.ts";
import type { Config } from "#server/config/config.ts";
import { newestCommitted, TOLERANCE_MS } from "#server/jobs/clock-watch.ts";
import { isoDay } from "#server/config/given-keys.ts";
import { missingKeys } from "#server/domains/keys/still-needed.ts";
import { dayOf } from "#shared/time.ts";
import { openKeys, readKeyRows } from "#server/config/master-key.ts";
import { finding, type Finding } from "./finding.ts";

/** Reads, and commits a write without a change. */
export async function checkDatabase({ db }: Operator): Promise<Finding[]> {
  await db.ping();
  const [epoch] = await db.read.select().from(meta).where(eq(meta.name, "epoch"));
  if (epoch) await db.transact((tx) => tx.update(meta).set({ value: epoch.value }).where(eq(meta.name, "epoch")));
  const name = db.engine === "sqlite" ? "SQLite" : "PostgreSQL";
  return epoch
    ? [finding("ok", "database", `${name} reads and writes`)]
    : [finding("note", "database", `${name} is empty: no server has started on it`, "npm start")];
}

export async function checkKey({ db, clock }: Operator, config: Config): Promise<Finding[]> {
  if ((await readKeyRows(db.read)).length === 0) return [];
  const { keys, isOwn, rows } = await openKeys(db.read, config, clock);
  if (!isOwn)
    return [
      finding(
        "wrong",
        "key",
        "the master key belongs to another database",
        "Set the MASTER_KEY, or restore the file master.key, that this database was created with",
      ),
    ];
  for (const { row, need } of await missingKeys(db.read, { keys, rows }, clock.now()))
    if (need.length > 0)
      return [
        finding(
          "wrong",
          "key",
          `MASTER_KEY lacks the key ${row.fingerprint}, which this database still needs`,
          "Put it back, as the other servers have it",
        ),
      ];
  const copy = "Keep a copy of it apart from the database's backups: without it, nothing can be drawn or decrypted";
  const mine = finding("ok", "key", "the master key belongs to this database", copy);
  if (keys.all.length === 1) return [mine];
  const { fromDay } = keys.all.at(-1)!;
  const verb = fromDay > dayOf(clock.now()) ? "comes" : "came";
  const said = `another master key ${verb} into force on ${isoDay(fromDay)}`;
  return [mine, finding("note", "key", said, "keys:status says what still needs the ones before it")];
}

export async function checkTime({ db, clock }: Operator): Promise<Finding[]> {
  const behindMs = (await newestCommitted(db)) - clock.now();
  return behindMs > TOLERANCE_MS
    ? [
        finding(
          "wrong",
          "clock",
          `the clock is ${Math.ceil(behindMs / 1000)} s behind the newest commit`,
          "Set it with NTP; rounds wait until it has caught up",
        ),
      ]
    : [finding("ok", "clock", `it is ${new Date(clock.now()).toISOString()}`)];
}
