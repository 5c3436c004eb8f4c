import type { Tx } from "#db/db.ts";
import type { Deps } from "#server/app/deps.ts";
import { readMember } from "#server/domains/account/find-member.ts";
import { findTable, isTableTold } from "#server/domains/log/table-leaf.ts";
import { Refusal } from "#shared/refusal.ts";
import { beginPair, endPairs, readPairs, type Begun, type Pair, type Pairs } from "./pairs.ts";
import { hashOf, readTable, type PrizeTable } from "./prize-table.ts";
import type { WheelSeeds } from "./seeds.ts";
import { isPairTold } from "./state-wheel.ts";

type Needs = Pick<Deps, "clock" | "announce">;

/** Words, the commit that the member saw before they made them, and the hash of the table that they are for. */
interface Named {
  words: string;
  commit: string;
  table?: string | undefined;
}

/**
 * Begins the next pair with a member's words, once a head of the log holds its commit and the table. Sent again, it succeeds
 * without effect while that pair is open. Words for a table that is no longer in force end the pair without a spin: the
 * house has heard them, and could choose another table to suit them. So do words for a commit of an earlier master key.
 */
export async function changeWords(
  tx: Tx,
  deps: Needs,
  seeds: WheelSeeds,
  memberId: number,
  named: Named,
): Promise<void> {
  const pairs = await readPairs(tx, memberId);
  if (isBegun(pairs, named)) return;
  const current = await readTable(tx);
  if (!current) throw new Refusal("prizes.none");
  const isCurrent = named.table === undefined || named.table === hashOf(current);
  const table = isCurrent ? current : await findTable(tx, named.table!);
  if (!table) throw new Refusal("prizes.changed");
  const begun = await namedWords(tx, { pairs, named, table });
  if (seeds.isOld(pairs.next!)) await endPairs(tx, deps, seeds, new Map([[memberId, begun]]));
  else await beginPair(tx, deps, seeds, memberId, begun);
}

/** What a spin says about its pair: words for a new one, the one that it expects, or neither. */
export interface Wanted {
  words?: string | undefined;
  commit?: string | undefined;
  /** The hash of the table that the words are for. */
  table?: string | undefined;
}

/**
 * The pair of a spin: the open one, or what a new one begins with. Writes nothing. A pair is used only while its table and
 * its master key are in force; words for a commit of an earlier key are refused as those for another table, and then end it. Who names neither words nor commit gets the user name for words, which the house knew before: such a pair proves
 * nothing.
 */
export async function pairForSpin(
  tx: Tx,
  memberId: number,
  {
    pairs,
    seeds,
    wanted: { words, commit, table: hash },
    table,
  }: { pairs: Pairs; seeds: Pick<WheelSeeds, "isOld">; wanted: Wanted; table: PrizeTable & { hash: string } },
): Promise<Pair | Begun> {
  const { open, next } = pairs;
  const usable = open && open.tableHash === table.hash && !seeds.isOld(open) ? open : undefined;
  if (commit === undefined) return usable ?? (await houseWords(tx, memberId, table));
  if (words === undefined && usable?.commit === commit) return usable;
  if (words === undefined) throw new Refusal("commit.stale");
  const named = { words, commit };
  if (usable && !isBegun(pairs, named)) throw new Refusal("commit.stale");
  const isOutdated = (hash !== undefined && hash !== table.hash) || (next?.commit === commit && seeds.isOld(next));
  if (!usable && isOutdated) throw new Refusal("prizes.changed");
  return usable ?? (await namedWords(tx, { pairs, named, table }));
}

/** Whether the open pair is the one that these words began. */
const isBegun = ({ open }: Pairs, { words, commit }: Named): boolean =>
  open?.commit === commit && open.words === words && open.wordsBy === "member";

/** Words that a new pair may begin with: its commit and its table are in a head that was announced. */
async function namedWords(
  tx: Tx,
  { pairs: { next }, named: { words, commit }, table }: { pairs: Pairs; named: Named; table: PrizeTable },
): Promise<Begun> {
  if (next?.commit !== commit) throw new Refusal("commit.stale");
  if (!(await isPairTold(tx, next))) throw new Refusal("commit.untold");
  if (!(await isTableTold(tx, table.id))) throw new Refusal("prizes.untold");
  return { words, wordsBy: "member", table };
}

async function houseWords(tx: Tx, memberId: number, table: PrizeTable): Promise<Begun> {
  const { username } = await readMember(tx, memberId);
  return { words: username, wordsBy: "house", table };
}
