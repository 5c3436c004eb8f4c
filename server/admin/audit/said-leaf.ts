import { inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { memberLeaves } from "#db/schema/index.ts";
import { parseChained, type ChainedKind, type Content } from "#shared/log/salted.ts";

/** A row and what it says, with an account's number as it was hashed, if the key is here. */
export interface SaidLeaf {
  row: typeof memberLeaves.$inferSelect;
  content: Content<ChainedKind>;
}

/** The row of a salted leaf of the log, by its hash. */
export async function ownersOf(read: Tx, hashes: readonly string[]): Promise<Map<string, SaidLeaf["content"]>> {
  if (hashes.length === 0) return new Map();
  const rows = await read
    .select()
    .from(memberLeaves)
    .where(inArray(memberLeaves.hash, [...hashes]));
  return new Map(
    rows.flatMap(({ hash, content }) => {
      const said = parseChained(content);
      return said ? [[hash, said]] : [];
    }),
  );
}
