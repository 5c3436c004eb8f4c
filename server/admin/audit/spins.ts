import { and, asc, count, eq, gt, gte, inArray, lt, max } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import {
  members,
  messages,
  prizes,
  spins,
  transfers,
  wheelMembers,
  wheelPairs,
  wheelTables,
} from "#db/schema/index.ts";
import type { TablePrize } from "#db/schema/wheel.ts";
import { erasedName } from "#server/admin/erase/erase-member.ts";
import { checkPair, rowsOf, tableHash } from "#shared/wheel.ts";
import type { Findings } from "./findings.ts";
import { inPages } from "./pages.ts";

type Pair = typeof wheelPairs.$inferSelect;
type Spin = typeof spins.$inferSelect;

const CODES = ["spin", "prize"];

/**
 * Recomputes every spin whose seed is public, and checks that its cost and its win were each transferred once. Each pair
 * must be in its order: numbers without a hole, the commit before the words, and one table for all its spins.
 */
export async function auditSpins(read: Tx, found: Findings): Promise<void> {
  const tables = await readTables(read, found);
  const newest = await auditNumbers(read, found);
  const page = async (after: number, limit: number) => {
    const rows = await read
      .select({ pair: wheelPairs, username: members.username })
      .from(wheelPairs)
      .innerJoin(members, eq(members.id, wheelPairs.memberId))
      .where(gt(wheelPairs.id, after))
      .orderBy(asc(wheelPairs.id))
      .limit(limit);
    return rows.map(({ pair, username }) => ({ ...pair, username }));
  };
  let [spun, moved] = [0, 0];
  for await (const pair of inPages(page)) {
    const rows = await read.select().from(spins).where(eq(spins.pairId, pair.id)).orderBy(asc(spins.nonce));
    const isWhole = rows.length === pair.nonce && rows.every(({ nonce }, i) => nonce === i);
    found.check(isWhole, () => `pair ${pair.id}: ${rows.length} spins, it counts ${pair.nonce}`);
    checkOrder(pair, newest.get(pair.memberId)!, found);
    checkTable(pair, rows, tables, found);
    // Whose words are gone proves nothing any more. What the spins cost and gave does not depend on them.
    if (!isErased(pair.username, pair.memberId))
      await checkSeed(read, pair, rows, { tables, isNewest: pair.number === newest.get(pair.memberId) }, found);
    for (const row of rows) checkPrize(row, tables.get(row.tableId), found);
    moved += await checkMoves(read, pair, rows, found);
    spun += rows.length;
  }
  const [all] = await read.select({ spins: count() }).from(spins);
  found.check(all!.spins === spun, () => `${all!.spins - spun} spins belong to no pair`);
  const [existing] = await read.select({ moves: count() }).from(transfers).where(inArray(transfers.code, CODES));
  found.check(existing!.moves === moved, () => `${existing!.moves - moved} transfers of the wheel belong to no spin`);
  await auditPrizes(read, [...tables.values()].at(-1)?.prizes ?? [], found);
}

/** A table, and the hash that binds pairs to it. The oldest tables do not say what prizes give: no pair is bound to them. */
interface Table {
  prizes: TablePrize[];
  hash: string | null;
}

async function readTables(read: Tx, found: Findings): Promise<Map<number, Table>> {
  const tables = new Map<number, Table>();
  let isTold = false;
  for (const { id, prizes } of await read.select().from(wheelTables).orderBy(asc(wheelTables.id))) {
    const says = prizes.every(({ kind }) => kind !== undefined);
    found.check(says || !isTold, () => `table ${id} does not say what its prizes give`);
    isTold ||= says && prizes.length > 0;
    tables.set(id, { prizes, hash: says ? tableHash(rowsOf(prizes)) : null });
  }
  return tables;
}

/** Checks that each member's pairs are numbered in a row. Returns the newest number of each member. */
async function auditNumbers(read: Tx, found: Findings): Promise<Map<number, number>> {
  const { memberId, number } = wheelPairs;
  const rows = await read
    .select({ memberId, pairs: count(), newest: max(number) })
    .from(wheelPairs)
    .groupBy(memberId);
  for (const { memberId, pairs, newest } of rows)
    found.check(newest === pairs - 1, () => `member ${memberId}: their pairs are not numbered in a row`);
  return new Map(rows.map(({ memberId, newest }) => [memberId, newest!]));
}

/** Checks who chose the words, and that words came to the next pair alone, after which another commit followed. */
function checkOrder({ id, username, ...pair }: Pair & { username: string }, newest: number, found: Findings): void {
  const isNext = pair.words === null;
  const isBare = pair.wordsBy === null && pair.tableId === null && pair.tableHash === null;
  found.check(
    !isNext || (isBare && pair.nonce === 0 && pair.revealedAt === null),
    () => `pair ${id} has no words yet, and more than its commit`,
  );
  found.check(!isNext || pair.number === newest, () => `pair ${id} waits for words, and a later pair has its own`);
  const isOpen = !isNext && pair.revealedAt === null;
  found.check(
    !isOpen || pair.number === newest - 1,
    () => `pair ${id} is open, and its commit is not the last but one`,
  );
  const isHouse = pair.wordsBy === "house" && !isErased(username, pair.memberId);
  found.check(!isHouse || pair.words === username, () => `pair ${id}: the house chose other words than the user name`);
}

/** Checks that the words bound the pair to a table, and that every spin was drawn from it. */
function checkTable(
  { id, words, wordsBy, tableId, tableHash }: Pair,
  rows: Spin[],
  tables: Map<number, Table>,
  found: Findings,
): void {
  if (words === null) return;
  const isOld = wordsBy === null && tableId === null && rows.every((row) => tables.get(row.tableId)?.hash === null);
  if (isOld) return;
  const isBound = tableId !== null && tables.get(tableId)?.hash === tableHash;
  found.check(isBound, () => `pair ${id}: its table is not the one that its words were bound to`);
  for (const row of rows)
    found.check(
      tables.get(row.tableId)?.hash === tableHash,
      () => `${nameOf(row)} was not drawn from the table of its pair`,
    );
}

/** Checks that what was won is what the table gives. */
function checkPrize(row: Spin, table: Table | undefined, found: Findings): void {
  const prize = table?.prizes.find(({ id }) => id === row.prizeId);
  found.check(prize !== undefined, () => `${nameOf(row)} won a prize that was not on the wheel`);
  if (prize && table!.hash !== null)
    found.check(
      prize.kind === row.kind && prize.amount === row.amount,
      () => `${nameOf(row)} won something else than its table gives`,
    );
}

/** Checks that no prize was won beyond its stock, and that the chances in force match the prizes left. */
async function auditPrizes(read: Tx, inForce: readonly TablePrize[], found: Findings): Promise<void> {
  const rows = await read.select().from(prizes).orderBy(asc(prizes.position));
  for (const { id, stock } of rows)
    found.check(stock === null || stock >= 0, () => `prize ${id}: ${-stock!} more were won than there were`);
  const chancesOf = (list: readonly TablePrize[]) =>
    list.map(({ id, weight, kind, amount }) => `${id} ${weight} ${kind} ${amount}`).join();
  const left = rows.filter(({ offered, stock }) => offered && (stock === null || stock > 0));
  found.check(chancesOf(inForce) === chancesOf(left), () => "the wheel does not offer what is left to win");
  for (const { memberId, used, extra } of await read.select().from(wheelMembers))
    found.check(used >= 0 && extra >= 0, () => `member ${memberId} has had more spins than they were given`);
}

const isErased = (username: string, memberId: number) => username === erasedName(memberId);

const nameOf = ({ nonce, pairId }: Spin) => `spin ${nonce} of pair ${pairId}`;

/** A seed became public in a message to its member. Its commit proves it. */
async function checkSeed(
  read: Tx,
  { id, memberId, commit, words, wordsBy, revealedAt }: Pair,
  rows: Spin[],
  { tables, isNewest }: { tables: Map<number, Table>; isNewest: boolean },
  found: Findings,
): Promise<void> {
  if (revealedAt === null || rows.length === 0 || words === null) return;
  const revealed = await read
    .select({ facts: messages.facts })
    .from(messages)
    .where(and(eq(messages.memberId, memberId), eq(messages.kind, "wheel.revealed")));
  const seed = revealed.find(({ facts }) => facts.pair === String(id))?.facts.seed ?? "";
  // A migration ended this pair. Its seed is told when the member's next pair is made.
  if (seed === "" && wordsBy === null && isNewest) return;
  const drawn = rows.map(({ nonce, prizeId, tableId }) => ({
    nonce,
    id: prizeId,
    prizes: tables.get(tableId)?.prizes ?? [],
  }));
  // Its table was compared before.
  const checks = checkPair({ seed, commit, clientSeed: words, wordsBy, table: null, spins: drawn });
  found.check(checks.commit, () => `pair ${id}: its seed is not the committed one`);
  if (!checks.commit) return;
  for (const nonce of checks.wrong)
    found.check(false, () => `spin ${nonce} of pair ${id}: the seed gives another prize`);
}

/** Compares the pair's transfers with its spins. Returns the number of transfers. */
async function checkMoves(read: Tx, pair: Pair, rows: Spin[], found: Findings): Promise<number> {
  const cause = `wheel:${pair.memberId}:${pair.number}`;
  const { code, debit, credit, amount } = transfers;
  const moves = await read
    .select({ code, cause: transfers.cause, debit, credit, amount })
    .from(transfers)
    .where(and(inArray(code, CODES), gte(transfers.cause, `${cause}:`), lt(transfers.cause, `${cause};`)));
  const says = new Set(moves.map((move) => `${move.code} ${move.cause} ${move.debit} ${move.credit} ${move.amount}`));
  const member = `member:${pair.memberId}`;
  let due = 0;
  for (const row of rows) {
    const own = [
      row.price > 0 && `spin ${cause}:${row.nonce} ${member} house:wheel ${row.price}`,
      row.kind === "points" && `prize ${cause}:${row.nonce} house:wheel ${member} ${row.amount}`,
    ].filter((move) => move !== false);
    due += own.length;
    found.check(
      own.every((move) => says.has(move)),
      () => `${nameOf(row)}: its transfers are not what it cost and won`,
    );
  }
  found.check(moves.length === due, () => `pair ${pair.id}: ${moves.length} transfers, its spins have ${due}`);
  return moves.length;
}
