import { inArray } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { memberLeaves } from "#db/schema/index.ts";
import { kindOfKey } from "#server/domains/log/state-chain-ends.ts";
import { parseChained, type ChainedKind, type Content } from "#shared/log/salted.ts";

/** A row and what it says, with an account's number as it was hashed, if the key is here. */
export interface SaidLeaf {
  row: typeof memberLeaves.$inferSelect;
  content: Content<ChainedKind>;
}

/** A row that states a salted leaf of the log. Without content where that named an erased member. */
export interface Owner {
  kind: ChainedKind;
  content: SaidLeaf["content"] | null;
}

/** The rows of salted leaves of the log, by their hashes. */
export async function ownersOf(read: Tx, hashes: readonly string[]): Promise<Map<string, Owner>> {
  const rows = await read
    .select()
    .from(memberLeaves)
    .where(inArray(memberLeaves.hash, [...hashes]));
  return new Map(
    rows.flatMap(({ hash, key, content }): [string, Owner][] => {
      const said = parseChained(content);
      if (said) return [[hash, { kind: said.kind, content: said }]];
      return content === "" ? [[hash, { kind: kindOfKey(key), content: null }]] : [];
    }),
  );
}
