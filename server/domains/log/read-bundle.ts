import { inflateRawSync } from "node:zlib";
import { and, asc, between, eq, isNotNull } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logBundles, logLeaves } from "#db/schema/log.ts";
import { parseBundle, WIDTH } from "#shared/log/tiles.ts";
import type { currentLog } from "./add-leaf.ts";

/** The leaves of a full bundle, as it was packed. Null for what is none, which only a changed table holds. */
export function unpackBundle(data: Uint8Array): Uint8Array[] | null {
  try {
    return parseBundle(inflateRawSync(data), WIDTH);
  } catch {
    return null;
  }
}

/** The leaves of a bundle of up to 256, from the left; null where the log does not have as many. */
export async function readBundle(
  read: Tx,
  log: number | typeof currentLog,
  index: number,
  width: number,
): Promise<Uint8Array[] | null> {
  const isBundle = and(eq(logBundles.log, log), eq(logBundles.index, index));
  const [packed] = await read.select({ data: logBundles.data }).from(logBundles).where(isBundle);
  if (packed) return unpackBundle(packed.data)!.slice(0, width);
  const numbers = between(logLeaves.number, index * WIDTH, index * WIDTH + width - 1);
  // The index of the numbers has those with a text alone.
  const isIn = and(eq(logLeaves.log, log), numbers, isNotNull(logLeaves.text));
  const rows = await read.select({ text: logLeaves.text }).from(logLeaves).where(isIn).orderBy(asc(logLeaves.number));
  return rows.length === width ? rows.map(({ text }) => Buffer.from(text!)) : null;
}
