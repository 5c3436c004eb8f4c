import { randomBytes } from "node:crypto";
import { asc, inArray, max } from "drizzle-orm";
import type { Db, Tx } from "#db/db.ts";
import { MARK } from "#db/move/tables.ts";
import { anchors } from "#db/schema/lottery.ts";
import { masterKeys, meta } from "#db/schema/site.ts";
import { missingKeys, needText } from "#server/domains/keys/still-needed.ts";
import type { Clock } from "#shared/time.ts";
import type { Config } from "./config.ts";
import { isoDay, type GivenKey } from "./given-keys.ts";
import { fingerprintOf, KeyRing, loadMasterKeys, masterKey } from "./keys.ts";

type Row = typeof masterKeys.$inferSelect;
type Place = Pick<Config, "masterKey" | "dataDir">;

/** Keys as they were given, by their fingerprints. */
type Given = ReadonlyMap<string, GivenKey>;

/** The keys that a database knows, oldest first. */
export const readKeyRows = (read: Tx): Promise<Row[]> => read.select().from(masterKeys).orderBy(asc(masterKeys.id));

/**
 * Binds the master keys to a database. An empty one takes the first key; one that knows keys refuses to start without
 * those that it needs. A further key is taken in, if its day lies behind every anchor that is public.
 */
export async function adoptMasterKeys(db: Db, place: Place): Promise<{ keys: KeyRing; epoch: string }> {
  const known = await readMeta(db);
  if (known[MARK] !== undefined) {
    throw new Error("This database is the unfinished copy of a move: run npm run move again, or serve the original.");
  }
  const isEmpty = (await readKeyRows(db.read)).length === 0;
  const given = byFingerprint(await loadMasterKeys(place.masterKey, place.dataDir, isEmpty));
  if (known.epoch === undefined) {
    const row = { name: "epoch", value: randomBytes(8).toString("hex") };
    await db.transact((tx) => tx.insert(meta).values(row).onConflictDoNothing());
  }
  const now = db.clock.now();
  const fresh = await freshKeys(db.read, given, now);
  // Another server may take them in meanwhile, and any server publish anchors: looked at again, in one transaction.
  if (fresh.length > 0)
    await db.transact(async (tx) => {
      const rows = await freshKeys(tx, given, now);
      if (rows.length > 0) await tx.insert(masterKeys).values(rows);
    });
  const rows = await readKeyRows(db.read);
  const keys = ringOf(rows, given, db.clock);
  await refuseMissing(db, keys, rows);
  return { keys, epoch: (await readMeta(db)).epoch! };
}

/** The keys that a database does not know yet, as rows. Throws where they do not belong to it, or come too early. */
async function freshKeys(read: Tx, given: Given, createdAt: number): Promise<(typeof masterKeys.$inferInsert)[]> {
  const rows = await readKeyRows(read);
  refuseForeign(rows, given);
  const fresh = [...given].filter(([fingerprint]) => !rows.some((row) => row.fingerprint === fingerprint));
  if (fresh.length === 0) return [];
  const [last] = await read.select({ day: max(anchors.day) }).from(anchors);
  let id = rows.at(-1)?.id ?? 0;
  return fresh.map(([fingerprint, { fromDay }]) => {
    const isFirst = id === 0;
    if (!isFirst) refuseEarly(fromDay, { anchor: last?.day ?? null, newest: rows.at(-1)?.fromDay ?? 0 });
    return { id: ++id, fingerprint, fromDay: isFirst ? 0 : fromDay!, createdAt };
  });
}

function refuseForeign(rows: readonly Row[], given: Given): void {
  if (rows.length > 0 && !rows.some(({ fingerprint }) => given.has(fingerprint)))
    throw new Error("This master key belongs to another database: set the one this database was created with.");
  for (const { fingerprint, fromDay } of rows) {
    const day = given.get(fingerprint)?.fromDay ?? null;
    if (day !== null && day !== fromDay)
      throw new Error(
        `MASTER_KEY says ${isoDay(day)} for the key ${fingerprint}, which is in force from ${isoDay(fromDay)} on. That never changes: write that day, or none.`,
      );
  }
}

/** A day lies between the last anchor and the key's, because servers publish anchors while this one starts. */
const BEHIND_ANCHORS = 2;

function refuseEarly(day: number | null, { anchor, newest }: { anchor: number | null; newest: number }): void {
  const first = Math.max((anchor ?? 0) + BEHIND_ANCHORS, newest + 1);
  const next = `Write it as KEY@${isoDay(first)}, or with a later day.`;
  if (day === null) throw new Error(`MASTER_KEY: a further key needs the day from which it is in force. ${next}`);
  if (day < first)
    throw new Error(
      `MASTER_KEY: the further key is to be in force from ${isoDay(day)} on, which is too early: days before ${isoDay(first)} are promised to the keys before it. ${next}`,
    );
}

/** A key that was taken out of MASTER_KEY may go only once nothing needs it. */
async function refuseMissing(db: Db, keys: KeyRing, rows: readonly Row[]): Promise<void> {
  for (const { row, need } of await missingKeys(db.read, { keys, rows }, db.clock.now()))
    if (need.length > 0)
      throw new Error(
        `MASTER_KEY lacks the key ${row.fingerprint}, which this database still needs: ${needText(need)}. Put it back.`,
      );
}

const byFingerprint = (given: readonly GivenKey[]): Given =>
  new Map(given.map((one) => [fingerprintOf(one.master), one]));

function ringOf(rows: readonly Row[], given: Given, clock: Pick<Clock, "now">): KeyRing {
  const own = rows.flatMap(({ id, fingerprint, fromDay }) => {
    const known = given.get(fingerprint);
    return known ? [masterKey(known.master, { version: id, fromDay })] : [];
  });
  const ring = new KeyRing(own, clock);
  const missing = rows.filter(({ id }) => id > own.at(-1)!.version);
  for (const { fromDay } of missing) ring.endOn(fromDay);
  return ring;
}

/** The keys here, without changing anything, and whether any of them is the database's own. */
export async function openKeys(read: Tx, place: Place, clock: Pick<Clock, "now">) {
  const rows = await readKeyRows(read);
  const given = await loadMasterKeys(place.masterKey, place.dataDir, false);
  const known = byFingerprint(given);
  const isOwn = rows.some(({ fingerprint }) => known.has(fingerprint));
  const foreign = () => new KeyRing([masterKey(given[0]!.master, { version: 1, fromDay: 0 })], clock);
  return { keys: isOwn ? ringOf(rows, known, clock) : foreign(), isOwn, rows };
}

async function readMeta({ read }: Pick<Db, "read">): Promise<{ epoch?: string; [MARK]?: string }> {
  const rows = await read
    .select()
    .from(meta)
    .where(inArray(meta.name, ["epoch", MARK]));
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}
