import { and, eq, gte, sql } from "drizzle-orm";
import { insertOf, isOneOfNamed, listed, together } from "#db/many.ts";
import type { Tx } from "#db/db.ts";
import { prepared } from "#db/prepared.ts";
import { prizes, spins, wheelPairs } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { checkPlayAllowed, payWins, takeStakes, type ChangedWallet } from "#server/domains/ledger/stake.ts";
import { recordTransfers, type MadeTransfer } from "#server/domains/ledger/transfer.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { Refusal } from "#shared/refusal.ts";
import { prizeOf } from "#shared/wheel.ts";
import { beginPairs, type Begun, type Pair } from "./pairs.ts";
import { writeTable } from "./prize-table.ts";
import type { WheelSeeds } from "./seeds.ts";
import { stateSpins } from "./state-wheel.ts";
import { countSpins } from "./spins-left.ts";
import { readTurns, type Prize, type SpinOrder, type Turn } from "./turns.ts";

type Needs = Pick<Deps, "clock" | "announce" | "settings">;

export interface Spun {
  prize: Prize;
  /** As it was before the spin: its count is the spin's. */
  pair: Pair;
  spinsLeft: number;
}

interface PaidTurn extends Turn {
  /** Its wallet after the price; null for a free one. */
  paid: ChangedWallet | null;
}

/** A spin that was drawn. */
interface Drawn extends PaidTurn {
  pair: Pair;
  prize: Prize;
}

/**
 * One spin each of several members, in one transaction: its price, its pair, its draw and its prize. A refused spin has
 * written nothing. No more are made than there is of any prize, since the last one changes the chances: the rest has no
 * answer, and belongs into another transaction.
 */
export async function spinAll(
  tx: Tx,
  deps: Needs,
  seeds: WheelSeeds,
  orders: readonly SpinOrder[],
): Promise<(Spun | Refusal)[]> {
  checkPlayAllowed(deps, "isluckdraw");
  const turns = await readTurns(tx, deps, seeds, orders);
  const stakes = await stake(tx, deps, turns.filter(isTurn));
  const paid = turns.map((turn) => (isTurn(turn) ? payFor(turn, stakes) : turn));
  const pairs = await beginPairs(tx, deps, seeds, beginning(paid.filter(isTurn)));
  const drawn = paid.map((turn) => (isTurn(turn) ? draw(seeds, turn, pairs) : turn));
  await record(tx, deps, drawn.filter(isTurn));
  return drawn.map((one) => (isTurn(one) ? spunOf(one) : one));
}

const isTurn = <T extends Turn>(turn: T | Refusal): turn is T => !(turn instanceof Refusal);

/** Takes the price of those who pay one: it is the same for all. */
async function stake(tx: Tx, { clock }: Needs, turns: readonly Turn[]): Promise<Map<number, ChangedWallet | Refusal>> {
  const paying = turns.filter(({ price }) => price > 0);
  if (paying.length === 0) return new Map();
  const memberIds = paying.map(({ order }) => order.memberId);
  return takeStakes(tx, { memberIds, amount: paying[0]!.price, now: clock.now() });
}

function payFor(turn: Turn, stakes: ReadonlyMap<number, ChangedWallet | Refusal>): PaidTurn | Refusal {
  const paid = stakes.get(turn.order.memberId) ?? null;
  return paid instanceof Refusal ? paid : { ...turn, paid };
}

/** What new pairs begin with, by member. */
const beginning = (turns: readonly Turn[]): Map<number, Begun> =>
  new Map(turns.flatMap(({ order, pair }) => ("id" in pair ? [] : [[order.memberId, pair] as const])));

function draw(seeds: WheelSeeds, turn: PaidTurn, begun: ReadonlyMap<number, Pair>): Drawn {
  const pair = "id" in turn.pair ? turn.pair : begun.get(turn.order.memberId)!;
  const { table, onWheel } = turn.wheel;
  const prizeId = prizeOf(seeds.reveal(pair), pair.words, pair.nonce, table.prizes);
  return { ...turn, pair, prize: onWheel.find(({ id }) => id === prizeId)! };
}

async function record(tx: Tx, deps: Needs, drawn: readonly Drawn[]): Promise<void> {
  if (drawn.length === 0) return;
  await takeFromStock(tx, deps, drawn);
  // The money has no leaf besides the spin's, so no member's chain grows in two of these.
  await together(
    () => recordSpins(tx, deps, drawn),
    () => countSpins(tx, deps, drawn.map(countOf)),
    () => moveMoney(tx, deps, drawn),
  );
  // Points are moved, and extra spins counted.
  for (const { order, prize } of drawn)
    if (prize.kind === "days") await extendMembership(tx, deps, order.memberId, prize.amount);
}

/** The spins by something of theirs. */
const groupBy = <K>(drawn: readonly Drawn[], keyOf: (one: Drawn) => K): [K, Drawn[]][] => [
  ...Map.groupBy(drawn, keyOf),
];

/** Takes prizes from the stock. The last one takes the prize off the wheel. */
async function takeFromStock(tx: Tx, deps: Needs, drawn: readonly Drawn[]): Promise<void> {
  const limited = drawn.filter(({ prize }) => prize.stock !== null);
  let isLast = false;
  for (const [id, { length }] of groupBy(limited, ({ prize }) => prize.id)) {
    const [rest] = await tx
      .update(prizes)
      .set({ stock: sql`${prizes.stock} - ${length}` })
      .where(and(eq(prizes.id, id), gte(prizes.stock, length)))
      .returning({ stock: prizes.stock });
    if (!rest) throw new Error(`prize ${id} was on the wheel with an empty stock`);
    isLast ||= rest.stock === 0;
  }
  if (isLast) await writeTable(tx, deps);
}

const counting = prepared((tx) =>
  tx
    .update(wheelPairs)
    .set({ nonce: sql`${wheelPairs.nonce} + 1` })
    .where(isOneOfNamed(wheelPairs.id, "pairs"))
    .returning({ id: wheelPairs.id, nonce: wheelPairs.nonce })
    .prepare(),
);
const addSpins = insertOf(spins, (insert) => insert);

async function recordSpins(tx: Tx, { clock }: Needs, drawn: readonly Drawn[]): Promise<void> {
  const pairIds = drawn.map(({ pair }) => pair.id);
  const counted = await counting(tx).execute({ pairs: listed(pairIds) });
  const nonces = new Map(counted.map(({ id, nonce }) => [id, nonce]));
  const createdAt = clock.now();
  const made = drawn.map(({ pair, prize: { id: prizeId, kind, amount }, price, wheel }) => {
    const { id: pairId, memberId, nonce } = pair;
    if (nonces.get(pairId) !== nonce + 1) throw new Error(`spin ${nonce} of pair ${pairId} was made concurrently`);
    const won = { prizeId, kind, amount, won: kind !== "thanks" };
    return {
      pair,
      unit: wheel.unit,
      spin: { memberId, pairId, nonce, tableId: wheel.table.id, ...won, price, createdAt },
    };
  });
  await addSpins(
    tx,
    made.map(({ spin }) => spin),
  );
  await stateSpins(tx, made);
}

/** What a spin uses up, and the extra spins that it wins. */
function countOf({ order: { memberId }, left, price, prize }: Drawn) {
  const used = left.daily > 0 ? (1 as const) : (0 as const);
  const won = prize.kind === "spin" ? prize.amount : 0;
  return { memberId, used, extra: won - (price === 0 && !used ? 1 : 0) };
}

function spunOf(drawn: Drawn): Spun {
  const { prize, pair, left } = drawn;
  const { used, extra } = countOf(drawn);
  return { prize, pair, spinsLeft: left.daily + left.extra - used + extra };
}

/** Pays points, and records them and the prices. */
async function moveMoney(tx: Tx, deps: Needs, drawn: readonly Drawn[]): Promise<void> {
  const moved = drawn.flatMap((one) => (one.paid ? [transferOf(one, "spin", -one.price, one.paid)] : []));
  const winning = drawn.filter(({ prize }) => prize.kind === "points");
  for (const [amount, winners] of groupBy(winning, ({ prize }) => prize.amount)) {
    const memberIds = winners.map(({ order }) => order.memberId);
    const paid = await payWins(tx, { memberIds, amount, now: deps.clock.now() });
    for (const one of winners) moved.push(transferOf(one, "prize", amount, paid.get(one.order.memberId)!));
  }
  await recordTransfers(tx, deps, moved);
}

function transferOf(
  { order: { memberId, requestId }, pair }: Drawn,
  code: "spin" | "prize",
  amount: number,
  { balance, version }: ChangedWallet,
): MadeTransfer {
  const cause = `wheel:${memberId}:${pair.number}:${pair.nonce}`;
  return { code, cause, memberId, account: "house:wheel", amount, balance, version, requestId };
}
