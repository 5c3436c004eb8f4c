import { and, asc, desc, eq, gt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { logLeaves, memberChains, memberLeaves, playHours } from "#db/schema/log.ts";
import { leafText } from "#shared/log/leaf.ts";
import type { ChainedKind } from "#shared/log/salted.ts";
import { currentLog } from "./add-leaf.ts";
import { addSaltedLeaf, saltedKey } from "./member-leaves.ts";

/** Members whose leaves one statement writes. */
const AT_ONCE = 500;

/** The kind that a member's leaf states, as its key begins. */
export const kindOfKey = (key: string): ChainedKind => key.slice(0, key.indexOf(":")) as ChainedKind;

/** The newest leaf of members, those after a number first. */
export const chainEndsAfter = (read: Tx, memberId: number, most: number) =>
  read
    .select({
      memberId: memberLeaves.memberId,
      number: memberLeaves.number,
      key: memberLeaves.key,
      hash: memberLeaves.hash,
    })
    .from(memberChains)
    .innerJoin(
      memberLeaves,
      and(eq(memberLeaves.memberId, memberChains.memberId), eq(memberLeaves.number, memberChains.number)),
    )
    .where(gt(memberChains.memberId, memberId))
    .orderBy(asc(memberChains.memberId))
    .limit(most);

/**
 * States the newest leaf of each member in the log of today, unless it does. It names the leaf before it, and so on: a log
 * that begins after a restore binds the whole chain of each member, so that none is cut in silence. The same for plays.
 */
export async function stateChainEnds(tx: Tx): Promise<void> {
  const [plays] = await tx.select({ hash: playHours.hash }).from(playHours).orderBy(desc(playHours.hour)).limit(1);
  if (plays) await addSaltedLeaf(tx, "plays", plays.hash);
  for (let after = 0; ;) {
    const ends = await chainEndsAfter(tx, after, AT_ONCE);
    if (ends.length > 0) {
      const rows = ends.map(({ key, hash }) => {
        const kind = kindOfKey(key);
        return { log: currentLog, key: saltedKey(kind, hash), text: leafText({ kind, hash }) };
      });
      await tx.insert(logLeaves).values(rows).onConflictDoNothing();
    }
    if (ends.length < AT_ONCE) return;
    after = ends.at(-1)!.memberId;
  }
}
