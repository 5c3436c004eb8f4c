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
import { openPair, type Pair } from "./pairs.ts";
import { readTable, writeTable, type PrizeTable } from "./prize-table.ts";
import type { WheelSeeds } from "./seeds.ts";
import { countSpin, readSpinsLeft } from "./spins-left.ts";

type Prize = typeof prizes.$inferSelect;
type Needs = Pick<Deps, "clock" | "announce" | "settings" | "random">;

interface Spun {
  prize: Prize;
  nonce: number;
  spinsLeft: number;
}

/**
 * One spin, in one transaction: its price, its draw and its prize. A member on a break gets no free spin either. A spin is
 * refused if a prize might not fit the balance, or if the price is not `expectedPrice` (a decimal; without it, any price).
 */
export async function spinWheel(
  tx: Tx,
  deps: Needs,
  seeds: WheelSeeds,
  memberId: number,
  expectedPrice?: string,
): Promise<Spun> {
  checkPlayAllowed(deps, "isluckdraw");
  const balance = await admitPlayer(tx, memberId, deps.clock.now());
  const { table, onWheel } = await readWheel(tx);
  const left = await readSpinsLeft(tx, deps, memberId);
  const isFree = left.daily + left.extra > 0;
  const price = isFree ? 0 : fromUnits(deps.settings.get<number>("spin_price"));
  if (!isFree && price === 0) throw new Refusal("spins.none");
  if (expectedPrice !== undefined && expectedPrice !== toDecimal(price)) throw new Refusal("spins.price");
  if (balance > FULL + price - mostPoints(onWheel)) throw new Refusal("balance.full");

  const pair = await openPair(tx, deps, seeds, memberId);
  const cause = `wheel:${memberId}:${pair.number}:${pair.nonce}`;
  if (price) await takeStake(tx, deps, { memberId, code: "spin", cause, account: "house:wheel", amount: price });
  const prizeId = prizeOf(seeds.reveal(memberId, pair.number), pair.clientSeed, pair.nonce, table.prizes);
  const prize = onWheel.find(({ id }) => id === prizeId)!;
  await takeFromStock(tx, deps, prize);
  await recordSpin(tx, deps, { pair, table, prize, price });
  const won = prize.kind === "spin" ? prize.amount : 0;
  const used = left.daily > 0 ? 1 : 0;
  const extra = won - (isFree && !used ? 1 : 0);
  if (used || extra) await countSpin(tx, deps, memberId, { used, extra });
  await credit(tx, deps, memberId, prize, cause);
  return { prize, nonce: pair.nonce, spinsLeft: left.daily + left.extra - (isFree ? 1 : 0) + won };
}

/** The current chances and their prizes. Refuses when nothing is left to win. */
async function readWheel(tx: Tx): Promise<{ table: PrizeTable; onWheel: Prize[] }> {
  const table = await readTable(tx);
  if (!table?.prizes.length) throw new Refusal("prizes.none");
  const ids = table.prizes.map(({ id }) => id);
  return { table, onWheel: await tx.select().from(prizes).where(inArray(prizes.id, ids)) };
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
  const row = { memberId, pairId, nonce, tableId: table.id, prizeId, kind, amount, price };
  await tx.insert(spins).values({ ...row, won: kind !== "thanks", createdAt: clock.now() });
}

/** Credits points and membership days. Extra spins were counted with the spin. */
async function credit(tx: Tx, deps: Needs, memberId: number, { kind, amount }: Prize, cause: string): Promise<void> {
  if (kind === "points") await payWin(tx, deps, { memberId, code: "prize", cause, account: "house:wheel", amount });
  if (kind === "days") await extendMembership(tx, deps, memberId, amount);
}
