import type { Db } from "#db/db.ts";
import { betGroups, type rounds } from "#db/schema/index.ts";
import { finished, type BetGroup } from "./bet-groups.ts";
import { MOST_AT_ONCE, type Grown, type ToGrow } from "./grow-bets.ts";
import type { RoundTerms } from "./round-leaves.ts";

/** Groups that one transaction stores. */
const MOST_STORED = 500;

type ClosedRound = Pick<typeof rounds.$inferSelect, "id" | "fromBet" | "toBet">;

/** Makes the groups of a round that was closed before there were any. */
export async function rebuildGroups(db: Db, round: ClosedRound, terms: RoundTerms): Promise<BetGroup[]> {
  const groups = await groupsByRows(db, round, terms);
  for (let from = 0; from < groups.length; from += MOST_STORED) {
    const rows = groups.slice(from, from + MOST_STORED).map((group) => ({ roundId: round.id, ...group }));
    await db.transact((tx) => tx.insert(betGroups).values(rows).onConflictDoNothing());
  }
  return groups;
}

/** The groups of a closed round, from its bets as they are now. */
export async function groupsByRows(
  db: Db,
  { id, fromBet, toBet }: ClosedRound,
  terms: RoundTerms,
): Promise<BetGroup[]> {
  const groups: BetGroup[] = [];
  for (let after = fromBet - 1; after < toBet!;) {
    const upTo = Math.min(toBet!, after + MOST_AT_ONCE);
    const open = groups.at(-1)?.root === null ? groups.pop()! : null;
    const range = { after, upTo, rounds: [{ id, after, terms, open }] };
    const [grown] = (await db.job<ToGrow, never, Grown>("log.grow", range, () => {})).rounds;
    if (!grown || "failure" in grown) throw new Error(`round ${id} cannot be summed: ${grown?.failure}`);
    groups.push(...grown.groups);
    after = upTo;
  }
  return groups.map(finished);
}
