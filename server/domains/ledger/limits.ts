import { and, asc, eq, lte } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { limitChanges, wallets } from "#db/schema/index.ts";
import { addMemberLeaf } from "#server/domains/log/member-leaves.ts";
import type { Content } from "#shared/log/salted.ts";
import type { Money } from "#shared/money.ts";
import { invalid, Refusal } from "#shared/refusal.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { namedColumns } from "./named-sql.ts";
import { leftOfLimits, NAMED, stampsOf } from "./wallet-sql.ts";
import { readWallet, type Wallet } from "./wallet.ts";

/** What a member may limit: the columns of the wallet. Amounts in 1/100 unit, null for no limit. */
export const LIMIT_COLUMNS = [
  "limitStakeDay",
  "limitStakeWeek",
  "limitStakeMonth",
  "limitLossDay",
  "limitLossWeek",
  "limitLossMonth",
  "limitDepositDay",
  "limitDepositWeek",
  "limitDepositMonth",
  "remindMinutes",
] as const;
export type LimitColumn = (typeof LIMIT_COLUMNS)[number];

interface LimitState {
  wallet: Wallet;
  pending: { column: LimitColumn; value: number | null; dueAt: number }[];
}

/** How long a looser limit waits before it applies. */
const COOLING_MS = DAY_MS;

export async function readLimits(read: Tx, memberId: number): Promise<LimitState> {
  const wallet = await readWallet(read, memberId);
  const changes = await read
    .select()
    .from(limitChanges)
    .where(eq(limitChanges.memberId, memberId))
    .orderBy(asc(limitChanges.dueAt), asc(limitChanges.name));
  const pending = changes.map(({ name, value, dueAt }) => ({ column: name as LimitColumn, value, dueAt }));
  return { wallet, pending };
}

/** What each limit in force still allows in its current period, as the refusals count it; null without a limit. */
export async function readLeft(
  read: Tx,
  memberId: number,
  now: number,
): Promise<Partial<Record<LimitColumn, Money | null>>> {
  const columns = Object.entries(namedColumns(leftOfLimits(NAMED), { ...stampsOf(now) }));
  const amounts = Object.fromEntries(columns.map(([column, left]) => [column, left.mapWith(Number).as(column)]));
  const [found] = await read.select(amounts).from(wallets).where(eq(wallets.memberId, memberId));
  if (!found) throw new Error(`member ${memberId} has no wallet`);
  return found;
}

/**
 * Changes limits. A tighter limit applies at once and cancels a pending looser one; a looser limit applies after a day.
 */
export async function changeLimits(
  tx: Tx,
  memberId: number,
  changes: Partial<Record<LimitColumn, number | null>>,
  now: number,
): Promise<void> {
  await applyDueLimits(tx, now, memberId);
  const { wallet, pending } = await readLimits(tx, memberId);
  const state = (column: LimitColumn, value: number | null, from: number) =>
    stateLimit(tx, memberId, { limit: nameInLog(column), value: value ?? "none", from, at: now });
  for (const [name, value] of Object.entries(changes)) {
    const column = name as LimitColumn;
    const waiting = pending.find((change) => change.column === column);
    const tighter = value !== null && (wallet[column] === null || value <= wallet[column]);
    const same = value === wallet[column];
    if (!tighter && !same && waiting?.value === value) continue;
    if (waiting) await tx.delete(limitChanges).where(ofMember(memberId, column));
    if (tighter)
      await tx
        .update(wallets)
        .set({ [column]: value })
        .where(eq(wallets.memberId, memberId));
    const from = tighter || same ? now : now + COOLING_MS;
    // The same as before is stated only where it calls off what was to come.
    if (waiting || !same) await state(column, value, from);
    if (!tighter && !same) await tx.insert(limitChanges).values({ memberId, name: column, value, dueAt: from });
  }
}

/** A limit as the log names it: `limitStakeDay` is `stake_day`. */
export const nameInLog = (column: LimitColumn): string =>
  column
    .replace(/^limit/, "")
    .replaceAll(/(?<=.)[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
/** The name of a break or an exclusion; its value is the end. */
export const EXCLUSION = "exclude_until";

const stateLimit = (
  tx: Tx,
  memberId: number,
  said: Pick<Content<"limit">, "limit" | "value" | "from" | "at">,
): Promise<string> => addMemberLeaf<"limit">(tx, memberId, { kind: "limit", ...said });

const ofMember = (memberId: number, column: LimitColumn) =>
  and(eq(limitChanges.memberId, memberId), eq(limitChanges.name, column));

/** Applies looser limits whose waiting time is over: one member's, or the next hundred of all members. */
export async function applyDueLimits(tx: Tx, now: number, memberId?: number): Promise<number> {
  const due = await tx
    .select()
    .from(limitChanges)
    .where(and(lte(limitChanges.dueAt, now), memberId === undefined ? undefined : eq(limitChanges.memberId, memberId)))
    .limit(100);
  for (const { memberId, name, value } of due) {
    await tx
      .update(wallets)
      .set({ [name]: value })
      .where(eq(wallets.memberId, memberId));
    await tx.delete(limitChanges).where(ofMember(memberId, name as LimitColumn));
  }
  return due.length;
}

/** Allows for a request that arrives late and for a client's clock that is slightly off. */
const TOLERANCE_MS = 5 * MINUTE_MS;

/** A break of 1 to 42 days or an exclusion of 180 days and more. Never shortened. */
export async function excludeMember(tx: Tx, memberId: number, until: number, now: number): Promise<void> {
  const wallet = await readWallet(tx, memberId);
  if (until === wallet.excludedUntil) return;
  const days = (count: number) => now + count * DAY_MS;
  const isBreak = until >= days(1) - TOLERANCE_MS && until <= days(42) + TOLERANCE_MS;
  const isExclusion = until >= days(180) - TOLERANCE_MS;
  if (!isBreak && !isExclusion) throw invalid({ exclude_until: "exclude" });
  if (until < wallet.excludedUntil) throw new Refusal("limit.shortened");
  await tx.update(wallets).set({ excludedUntil: until }).where(eq(wallets.memberId, memberId));
  await stateLimit(tx, memberId, { limit: EXCLUSION, value: until, from: now, at: now });
}
