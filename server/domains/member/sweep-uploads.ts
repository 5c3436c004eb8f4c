import { and, eq, inArray, lt, notExists, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import { uploads } from "#db/schema/upload.ts";
import type { Deps } from "#server/app/deps.ts";
import type { StrayFiles } from "#server/domains/account/stray-files.ts";
import { DAY_MS } from "#shared/time.ts";
import { removeUpload, pathOf } from "./uploads.ts";

/** Rows per statement. */
const CHUNK = 500;

/**
 * Removes uploads that are unused after a day, the row before the file: so no row is without its file. A file that a
 * crash left without a row goes as a stray one does.
 */
export async function sweepUploads(
  { db, clock, storage }: Pick<Deps, "db" | "clock" | "storage">,
  strays: StrayFiles,
): Promise<void> {
  const dayAgo = clock.now() - DAY_MS;
  const isIdle = (tx: Tx) => and(lt(uploads.createdAt, dayAgo), notExists(wearersOf(tx)));
  const idle = await db.read.select({ id: uploads.id }).from(uploads).where(isIdle(db.read));
  for (const some of chunksOf(idle)) {
    const ids = some.map(({ id }) => id);
    const gone = await db.transact((tx) =>
      tx
        .delete(uploads)
        .where(and(inArray(uploads.id, ids), isIdle(tx)))
        .returning({ path: uploads.path }),
    );
    for (const { path } of gone) await removeUpload({ storage }, path);
  }
  strays.begin();
  for (const names of chunksOf(await storage.list("uploads"))) {
    for (const name of await unowned(db.read, names)) await strays.found({ storage, clock }, name);
  }
}

const wearersOf = (tx: Tx) =>
  tx
    .select({ one: sql`1` })
    .from(members)
    .where(and(eq(members.id, uploads.memberId), eq(members.avatar, uploads.path)));

/** The files without a row. */
async function unowned(read: Tx, names: string[]): Promise<string[]> {
  const paths = names.map(pathOf);
  const rows = await read.select({ path: uploads.path }).from(uploads).where(inArray(uploads.path, paths));
  const owned = new Set(rows.map(({ path }) => path));
  return names.filter((name) => !owned.has(pathOf(name)));
}

function* chunksOf<T>(all: readonly T[]): Generator<T[]> {
  for (let from = 0; from < all.length; from += CHUNK) yield all.slice(from, from + CHUNK);
}
