import { and, eq, gt, inArray, isNotNull, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { prizes, spins, wheelPairs } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { admitPlayer, checkPlayAllowed, payWin, takeStake } from "#server/domains/ledger/stake.ts";
import { FULL } from "#server/domains/ledger/transfer.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { fromUnits, toDecimal, type Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { prizeOf } from "#shared/wheel.ts";
import { pairForSpin, type Wanted } from "./change-words.ts";
import type { Pair } from "./pairs.ts";
import { readTable, writeTable, type PrizeTable } from "./prize-table.ts";
import type { WheelSeeds } from "./seeds.ts";
import { stateSpin } from "./state-wheel.ts";
import { countSpin, readSpinsLeft } from "./spins-left.ts";

type Prize = typeof prizes.$inferSelect;
type Needs = Pick<Deps, "clock" | "announce" | "settings">;

interface Expected extends Wanted {
  /** The price that the member saw, a decimal; without it, any price. */
  price?: string | undefined;
}

interface Spun {
  prize: Prize;
  /** As it was before the spin: its count is the spin's. */
  pair: Pair;
  spinsLeft: number;
}

/**
 * One spin, in one transaction: its price, its pair, its draw and its prize. A member on a break gets no free spin either.
 * A spin is refused if a prize might not fit the balance, or if price or pair are not as the member expected.
 */
export async function spinWheel(
  tx: Tx,
  deps: Needs,
  seeds: WheelSeeds,
  memberId: number,
  expected: Expected,
): Promise<Spun> {
  checkPlayAllowed(deps, "isluckdraw");
  const balance = await admitPlayer(tx, memberId, deps.clock.now());
  const { table, onWheel } = await readWheel(tx);
  const left = await readSpinsLeft(tx, deps, memberId);
  const isFree = left.daily + left.extra > 0;
  const price = isFree ? 0 : fromUnits(deps.settings.get<number>("spin_price"));
  if (!isFree && price === 0) throw new Refusal("spins.none");
  if (expected.price !== undefined && expected.price !== toDecimal(price)) throw new Refusal("spins.price");
  if (balance > FULL + price - mostPoints(onWheel)) throw new Refusal("balance.full");

  const pair = await pairForSpin(tx, deps, seeds, memberId, { wanted: expected, table });
  const cause = `wheel:${memberId}:${pair.number}:${pair.nonce}`;
  if (price) await takeStake(tx, deps, { memberId, code: "spin", cause, account: "house:wheel", amount: price });
  const prizeId = prizeOf(seeds.reveal(memberId, pair.number), pair.words, pair.nonce, table.prizes);
  const prize = onWheel.find(({ id }) => id === prizeId)!;
  await takeFromStock(tx, deps, prize);
  await recordSpin(tx, deps, { pair, table, prize, price });
  const won = prize.kind === "spin" ? prize.amount : 0;
  const used = left.daily > 0 ? 1 : 0;
  const extra = won - (isFree && !used ? 1 : 0);
  if (used || extra) await countSpin(tx, deps, memberId, { used, extra });
  await credit(tx, deps, memberId, prize, cause);
  return { prize, pair, spinsLeft: left.daily + left.extra - (isFree ? 1 : 0) + won };
}

/** The current chances and their prizes, which give what the table says. Refuses when nothing is left to win. */
async function readWheel(tx: Tx): Promise<{ table: PrizeTable; onWheel: Prize[] }> {
  const table = await readTable(tx);
  if (!table?.prizes.length) throw new Refusal("prizes.none");
  const rows = new Map(table.prizes.map(({ id, kind, amount }) => [id, { kind, amount }]));
  const stored = await tx
    .select()
    .from(prizes)
    .where(inArray(prizes.id, [...rows.keys()]));
  return { table, onWheel: stored.map((prize) => ({ ...prize, ...rows.get(prize.id)! })) };
}

const mostPoints = (onWheel: Prize[]): Money =>
  Math.max(0, ...onWheel.map(({ kind, amount }) => (kind === "points" ? amount : 0)));

/** Takes one from the stock. The last one takes the prize off the wheel. */
async function takeFromStock(tx: Tx, deps: Needs, { id, stock }: Prize): Promise<void> {
  if (stock === null) return;
  const [rest] = await tx
    .update(prizes)
    .set({ stock: sql`${prizes.stock} - 1` })
    .where(and(eq(prizes.id, id), isNotNull(prizes.stock), gt(prizes.stock, 0)))
    .returning({ stock: prizes.stock });
  if (!rest) throw new Error(`prize ${id} was on the wheel with an empty stock`);
  if (rest.stock === 0) await writeTable(tx, deps);
}

async function recordSpin(
  tx: Tx,
  { clock }: Needs,
  { pair, table, prize, price }: { pair: Pair; table: PrizeTable; prize: Prize; price: Money },
): Promise<void> {
  const [counted] = await tx
    .update(wheelPairs)
    .set({ nonce: sql`${wheelPairs.nonce} + 1` })
    .where(and(eq(wheelPairs.id, pair.id), eq(wheelPairs.nonce, pair.nonce)))
    .returning({ id: wheelPairs.id });
  if (!counted) throw new Error(`spin ${pair.nonce} of pair ${pair.id} was made concurrently`);
  const { memberId, id: pairId, nonce } = pair;
  const { id: prizeId, kind, amount } = prize;
  const won = { prizeId, kind, amount, won: kind !== "thanks" };
  const row = { memberId, pairId, nonce, tableId: table.id, ...won, price, createdAt: clock.now() };
  await tx.insert(spins).values(row);
  await stateSpin(tx, pair, row);
}

/** Credits points and membership days. Extra spins were counted with the spin. */
async function credit(tx: Tx, deps: Needs, memberId: number, { kind, amount }: Prize, cause: string): Promise<void> {
  if (kind === "points") await payWin(tx, deps, { memberId, code: "prize", cause, account: "house:wheel", amount });
  if (kind === "days") await extendMembership(tx, deps, memberId, amount);
}
