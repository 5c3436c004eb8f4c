import { and, asc, count, desc, eq, gt, gte, inArray, lt } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { messages, prizes, spins, transfers, wheelMembers, wheelPairs, wheelTables } from "#db/schema/index.ts";
import { type Chance, checkPair } from "#shared/wheel.ts";
import type { Findings } from "./findings.ts";
import { inPages } from "./pages.ts";

type Pair = typeof wheelPairs.$inferSelect;
type Spin = typeof spins.$inferSelect;

const CODES = ["spin", "prize"];

/** Recomputes every spin whose seed is public, and checks that its cost and its win were each transferred once. */
export async function auditSpins(read: Tx, found: Findings): Promise<void> {
  const chances = new Map<number, Chance[]>((await read.select().from(wheelTables)).map((row) => [row.id, row.prizes]));
  const page = (after: number, limit: number) =>
    read.select().from(wheelPairs).where(gt(wheelPairs.id, after)).orderBy(asc(wheelPairs.id)).limit(limit);
  let [spun, moved] = [0, 0];
  for await (const pair of inPages(page)) {
    const rows = await read.select().from(spins).where(eq(spins.pairId, pair.id)).orderBy(asc(spins.nonce));
    const isWhole = rows.length === pair.nonce && rows.every(({ nonce }, i) => nonce === i);
    found.check(isWhole, () => `pair ${pair.id}: ${rows.length} spins, it counts ${pair.nonce}`);
    await checkSeed(read, pair, rows, chances, found);
    for (const row of rows) {
      const isOffered = chances.get(row.tableId)!.some(({ id }) => id === row.prizeId);
      found.check(isOffered, () => `${nameOf(row)} won a prize that was not on the wheel`);
    }
    moved += await checkMoves(read, pair, rows, found);
    spun += rows.length;
  }
  const [all] = await read.select({ spins: count() }).from(spins);
  found.check(all!.spins === spun, () => `${all!.spins - spun} spins belong to no pair`);
  const [kept] = await read.select({ moves: count() }).from(transfers).where(inArray(transfers.code, CODES));
  found.check(kept!.moves === moved, () => `${kept!.moves - moved} transfers of the wheel belong to no spin`);
  await auditPrizes(read, found);
}

/** Checks that no prize was won beyond its stock, and that the chances in force match the prizes left. */
async function auditPrizes(read: Tx, found: Findings): Promise<void> {
  const rows = await read.select().from(prizes).orderBy(asc(prizes.position));
  for (const { id, stock } of rows)
    found.check(stock === null || stock >= 0, () => `prize ${id}: ${-stock!} more were won than there were`);
  const [table] = await read.select().from(wheelTables).orderBy(desc(wheelTables.id)).limit(1);
  const chancesOf = (list: { id: string; weight: number }[]) => list.map(({ id, weight }) => `${id} ${weight}`).join();
  const left = rows.filter(({ offered, stock }) => offered && (stock === null || stock > 0));
  found.check(chancesOf(table?.prizes ?? []) === chancesOf(left), () => "the wheel does not offer what is left to win");
  for (const { memberId, used, extra } of await read.select().from(wheelMembers))
    found.check(used >= 0 && extra >= 0, () => `member ${memberId} has had more spins than they were given`);
}

const nameOf = ({ nonce, pairId }: Spin) => `spin ${nonce} of pair ${pairId}`;

/** A seed became public in a message to its member. Its commit proves it. */
async function checkSeed(
  read: Tx,
  { id, memberId, commit, clientSeed, revealedAt }: Pair,
  rows: Spin[],
  chances: Map<number, Chance[]>,
  found: Findings,
): Promise<void> {
  if (revealedAt === null || rows.length === 0) return;
  const revealed = await read
    .select({ facts: messages.facts })
    .from(messages)
    .where(and(eq(messages.memberId, memberId), eq(messages.kind, "wheel.revealed")));
  const seed = revealed.find(({ facts }) => facts.pair === String(id))?.facts.seed ?? "";
  const drawn = rows.map(({ nonce, prizeId, tableId }) => ({ nonce, id: prizeId, prizes: chances.get(tableId)! }));
  const checks = checkPair({ seed, commit, clientSeed, spins: drawn });
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
