import { and } from "drizzle-orm";
import { isOneOfNamed, listed } from "#db/many.ts";
import type { Tx } from "#db/db.ts";
import { prepared } from "#db/prepared.ts";
import { wallets } from "#db/schema/ledger.ts";
import type { Deps } from "#server/app/deps.ts";
import type { Money } from "#shared/money.ts";
import { Refusal, switchedOff } from "#shared/refusal.ts";
import { POINTS } from "#shared/unit.ts";
import { named, namedColumns } from "./named-sql.ts";
import { refusalOf } from "./refusal-figures.ts";
import { counted, mayPlay, NAMED, stampsOf, withinStakeLimits } from "./wallet-sql.ts";
import { readWallet } from "./wallet.ts";
import { whyRefused } from "./why-refused.ts";

/** A wallet as an update left it. */
export interface ChangedWallet {
  balance: Money;
  version: number;
}

/** Refuses play while the operator's switch is off. Nobody plays for a currency on a site that names no licence. */
export function checkPlayAllowed({ settings }: Pick<Deps, "settings">, feature: "isplay" | "isluckdraw"): void {
  if (settings.get(feature) === 0) throw switchedOff(feature === "isplay" ? "games" : "wheel");
  if (settings.get("unit") !== POINTS && settings.get("licence") === "") throw new Refusal("licence.missing");
}

const CHANGED = { memberId: wallets.memberId, balance: wallets.balance, version: wallets.version };
const ofMembers = isOneOfNamed(wallets.memberId, "members");

const admitting = prepared((tx) =>
  tx
    .update(wallets)
    // `frozen` is false already: this update is for its condition and its row lock.
    .set({ frozen: false })
    .where(and(ofMembers, named(mayPlay(NAMED))))
    .returning(CHANGED)
    .prepare(),
);

/**
 * Checks that members are neither locked nor on a break, and locks their wallets' rows until the transaction ends. Call it
 * before the game's first write. Returns each one's balance or refusal.
 */
export async function admitPlayers(
  tx: Tx,
  memberIds: readonly number[],
  now: number,
): Promise<Map<number, Money | Refusal>> {
  const admitted = await admitting(tx).execute({ members: listed(memberIds), now });
  const balances = new Map(admitted.map(({ memberId, balance }) => [memberId, balance]));
  return orRefused(tx, balances, { memberIds, now, cost: 0 });
}

const taking = prepared((tx) => {
  const allowed = named(`balance >= :total and ${mayPlay(NAMED)} and ${withinStakeLimits(NAMED)}`);
  return tx
    .update(wallets)
    .set({
      balance: named("balance - :total"),
      version: named("version + 1"),
      stakedTotal: named("staked_total + :total"),
      ...namedColumns(counted(NAMED, "staked")),
    })
    .where(and(ofMembers, allowed))
    .returning(CHANGED)
    .prepare();
});

/**
 * Takes the same stake, more than 0, from each member if the balance, their status and their limits allow, and counts it
 * towards those limits. The caller records the transfers.
 */
export async function takeStakes(
  tx: Tx,
  { memberIds, amount, now }: { memberIds: readonly number[]; amount: Money; now: number },
): Promise<Map<number, ChangedWallet | Refusal>> {
  const taken = await taking(tx).execute({ members: listed(memberIds), total: amount, now, ...stampsOf(now) });
  return orRefused(tx, byMember(taken), { memberIds, now, cost: amount });
}

const paying = prepared((tx) =>
  tx
    .update(wallets)
    .set({
      balance: named("balance + :total"),
      version: named("version + 1"),
      wonTotal: named("won_total + :total"),
      ...namedColumns(counted(NAMED, "won")),
    })
    .where(ofMembers)
    .returning(CHANGED)
    .prepare(),
);

/**
 * Pays each member the same win, more than 0. It also lowers the losses that their limits of today, this week and this month
 * count. The caller records the transfers.
 */
export async function payWins(
  tx: Tx,
  { memberIds, amount, now }: { memberIds: readonly number[]; amount: Money; now: number },
): Promise<Map<number, ChangedWallet>> {
  const paid = await paying(tx).execute({ members: listed(memberIds), total: amount, ...stampsOf(now) });
  const changed = byMember(paid);
  const missing = memberIds.find((id) => !changed.has(id));
  if (missing !== undefined) throw new Error(`member ${missing} has no wallet`);
  return changed;
}

const byMember = (rows: (ChangedWallet & { memberId: number })[]) => new Map(rows.map((row) => [row.memberId, row]));

/** Adds the refusals of those whom a conditional update passed over. */
async function orRefused<T>(
  tx: Tx,
  done: ReadonlyMap<number, T>,
  { memberIds, now, cost }: { memberIds: readonly number[]; now: number; cost: Money },
): Promise<Map<number, T | Refusal>> {
  const answers = new Map<number, T | Refusal>(done);
  for (const id of memberIds)
    if (!answers.has(id)) {
      const reason = whyRefused(await readWallet(tx, id), now, cost);
      answers.set(id, await refusalOf(tx, reason, { memberId: id, cost, now }, "stake"));
    }
  return answers;
}
