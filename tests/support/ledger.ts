import * as schema from "#db/schema/index.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { transfer, type MemberTransfer, type Transferred } from "#server/domains/ledger/transfer.ts";
import { fromUnits } from "#shared/money.ts";
import { roundAt, roundText } from "#shared/lottery/schedule.ts";
import { advanceAll } from "./advance-all.ts";
import { MINUTE_GAME, type Player, type World } from "./world.ts";

const { wallets, transfers, journalIndex, bets, betKeys, payouts, houseEntries } = schema;
const { members, plans, deposits, limitChanges, replays, outbox } = schema;
const LEDGER = { wallets, transfers, journalIndex, bets, betKeys, payouts, houseEntries };
const BESIDE = { members, deposits, limitChanges, replays, outbox };

/** Every row that an effect on money could have left behind. */
export async function traces(w: World) {
  const found: Record<string, unknown[]> = {};
  for (const [name, table] of Object.entries({ ...LEDGER, ...BESIDE })) {
    found[name] = await w.deps.db.read.select().from(table);
  }
  return found;
}

/** Moves money in a transaction of its own. */
export const move = (w: World, order: MemberTransfer): Promise<Transferred> =>
  w.deps.db.transact((tx) => transfer(tx, w.deps, order));

/** Spends whole units on a day of membership. */
export const spend = ({ deps }: World, { memberId }: Pick<Player, "memberId">, units: number): Promise<void> =>
  deps.db.transact(async (tx) => {
    const plan = { id: "spent", name: "A day", days: 1, price: fromUnits(units), position: 0 };
    await tx.insert(plans).values(plan).onConflictDoNothing();
    const cause = `spent:1d:${memberId}:${Buffer.from(deps.random(6)).toString("hex")}`;
    const order = { code: "plan", cause, memberId, account: "house:plans", amount: -fromUnits(units) } as const;
    await transfer(tx, deps, { ...order, days: plan.days });
    await extendMembership(tx, deps, memberId, plan.days);
  });

/** The round that is running in the one-minute game by the clock. */
export const roundNow = (w: World): string => roundText(roundAt(MINUTE_GAME, w.now()));

/** Bets `money` on each of `item` in the running round. */
export const bet = (w: World, player: Player, money: number, item = "7", key?: string) =>
  player.call(
    "/game/placeOrder",
    { item, money: String(money), lid: "lot_1", mid: "", expect: roundNow(w) },
    key === undefined ? {} : { key },
  );

/** Closes, draws and opens the rounds that are due, and settles none. */
export const drawWithoutSettling = (w: World): Promise<void> => advanceAll(w.deps);
