import { together } from "#db/many.ts";
import type { Tx } from "#db/db.ts";
import { prepared } from "#db/prepared.ts";
import { prizes } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { admitPlayers } from "#server/domains/ledger/stake.ts";
import { FULL } from "#server/domains/ledger/transfer.ts";
import { readUnit } from "#server/domains/ledger/unit.ts";
import { fromUnits, toDecimal, type Money } from "#shared/money.ts";
import { Refusal } from "#shared/refusal.ts";
import { pairForSpin, type Wanted } from "./change-words.ts";
import { readPairsOf, type Begun, type Pair, type Pairs } from "./pairs.ts";
import { hashOf, readTable, type PrizeTable } from "./prize-table.ts";
import type { WheelSeeds } from "./seeds.ts";
import { readSpinsLeft, type SpinsLeft } from "./spins-left.ts";

export type Prize = typeof prizes.$inferSelect;

/** A member's spin, and what they expect of it. */
export interface SpinOrder extends Wanted {
  memberId: number;
  /** The price that the member saw, a decimal; without it, any price. */
  price?: string | undefined;
  /** The request that its transfers are announced with. */
  requestId?: string | undefined;
}

/** The current chances and their prizes, which give what the table says, and the unit of prices and points. */
interface Wheel {
  unit: string;
  table: PrizeTable & { hash: string };
  onWheel: Prize[];
}

/** A spin that nothing but its stake can refuse. */
export interface Turn {
  order: SpinOrder;
  left: SpinsLeft;
  price: Money;
  /** The open pair, or what a new one begins with. */
  pair: Pair | Begun;
  wheel: Wheel;
}

/** A new pair takes statements of its own, and a transaction is to be short. */
const MOST_NEW_PAIRS = 16;

/**
 * Checks spins of several members, and locks their wallets; it writes nothing. A member on a break gets no free spin either.
 * A spin is refused if a prize might not fit the balance, or if price or pair are not as the member expected. A spin after
 * one that may take the last of a prize has no turn now, nor one after many that begin a pair.
 */
export async function readTurns(
  tx: Tx,
  deps: Pick<Deps, "clock" | "settings">,
  seeds: Pick<WheelSeeds, "isOld">,
  orders: readonly SpinOrder[],
): Promise<(Turn | Refusal)[]> {
  const memberIds = orders.map(({ memberId }) => memberId);
  const [admitted, wheel, left, pairs] = await together(
    () => admitPlayers(tx, memberIds, deps.clock.now()),
    () => readWheel(tx),
    () => readSpinsLeft(tx, deps, memberIds),
    () => readPairsOf(tx, memberIds),
  );
  const turns: (Turn | Refusal)[] = [];
  let newPairs = 0;
  for (const order of orders.slice(0, mostTogether(wheel))) {
    if (newPairs === MOST_NEW_PAIRS) break;
    const id = order.memberId;
    const known = { balance: admitted.get(id)!, wheel, seeds, left: left.get(id)!, pairs: pairs.get(id)! };
    const turn = await turnOf(tx, deps, order, known).catch(refusalOf);
    if (!(turn instanceof Refusal || "id" in turn.pair)) newPairs++;
    turns.push(turn);
  }
  return turns;
}

/** As many spins as cannot take the last of a prize before the last of them. */
const mostTogether = (wheel: Wheel | undefined): number =>
  Math.max(1, Math.min(...(wheel?.onWheel ?? []).map(({ stock }) => stock ?? Number.POSITIVE_INFINITY)));

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

interface Known {
  balance: Money | Refusal;
  wheel: Wheel | undefined;
  seeds: Pick<WheelSeeds, "isOld">;
  left: SpinsLeft;
  pairs: Pairs;
}

async function turnOf(
  tx: Tx,
  { settings }: Pick<Deps, "settings">,
  order: SpinOrder,
  { balance, wheel, seeds, left, pairs }: Known,
): Promise<Turn> {
  if (balance instanceof Refusal) throw balance;
  if (!wheel) throw new Refusal("prizes.none");
  const pair = await pairForSpin(tx, order.memberId, { pairs, seeds, wanted: order, table: wheel.table });
  const isFree = left.daily + left.extra > 0;
  const price = isFree ? 0 : fromUnits(settings.get<number>("spin_price"));
  if (!isFree && price === 0) throw new Refusal("spins.none");
  if (order.price !== undefined && order.price !== toDecimal(price)) throw new Refusal("spins.price");
  if (balance > FULL + price - mostPoints(wheel.onWheel)) throw new Refusal("balance.full");
  return { order, left, price, pair, wheel };
}

/** All there ever were, a few: which of them can be won, the table alone says. */
const everyPrize = prepared((tx) => tx.select().from(prizes).prepare());

/** Undefined when nothing is left to win. */
async function readWheel(tx: Tx): Promise<Wheel | undefined> {
  const [table, unit, stored] = await together(
    () => readTable(tx),
    () => readUnit(tx),
    () => everyPrize(tx).execute(),
  );
  if (!table?.prizes.length) return undefined;
  const rows = new Map(table.prizes.map(({ id, kind, amount }) => [id, { kind, amount }]));
  const onWheel = stored.filter(({ id }) => rows.has(id)).map((prize) => ({ ...prize, ...rows.get(prize.id)! }));
  return { unit, table: { ...table, hash: hashOf(table) }, onWheel };
}

const mostPoints = (onWheel: Prize[]): Money =>
  Math.max(0, ...onWheel.map(({ kind, amount }) => (kind === "points" ? amount : 0)));
