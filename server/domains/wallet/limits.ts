import type { Tx } from "#db/db.ts";
import { changeLimits, excludeMember, readLeft, readLimits, type LimitColumn } from "#server/domains/ledger/limits.ts";
import { LIMIT_FIELDS, type LimitField, type LimitName, type Limits } from "#shared/contract/wallet.ts";
import { fromUnits, toDecimal, toUnits } from "#shared/money.ts";
import { SECOND_MS, toSeconds } from "#shared/time.ts";

/** The wire says `recharge_day`, the wallet `limitDepositDay`. */
function columnOf(name: LimitName): LimitColumn {
  if (name === "remind_minutes") return "remindMinutes";
  const [what, period] = name.split("_") as [string, string];
  const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1);
  return `limit${capital(what === "recharge" ? "deposit" : what)}${capital(period)}` as LimitColumn;
}

const NAMES: LimitName[] = [...LIMIT_FIELDS, "remind_minutes"];
const nameOf = new Map(NAMES.map((name) => [columnOf(name), name]));

const toWire = (name: LimitName, value: number | null) =>
  value === null || name === "remind_minutes" ? value : toUnits(value);

/** A limit that was lowered below what it counts already leaves nothing. */
const leftOnWire = (left: number | null) => (left === null ? null : toDecimal(Math.max(0, left)));

/** A member's limits in whole units and what is left of each, the end of their break, and the looser limits still pending. */
export async function limitsView(read: Tx, memberId: number, now: number): Promise<Limits> {
  const { wallet, pending } = await readLimits(read, memberId);
  const left = await readLeft(read, memberId, now);
  const due = new Map(pending.filter(({ dueAt }) => dueAt <= now).map((change) => [change.column, change.value]));
  const value = (name: LimitName) => {
    const column = columnOf(name);
    return toWire(name, due.has(column) ? due.get(column)! : wallet[column]);
  };
  return {
    ...(Object.fromEntries(NAMES.map((name) => [name, value(name)])) as Record<LimitName, number | null>),
    exclude_until: wallet.excludedUntil > now ? toSeconds(wallet.excludedUntil) : null,
    pending: pending
      .filter(({ dueAt }) => dueAt > now)
      .map(({ column, value, dueAt }) => {
        const name = nameOf.get(column)!;
        return { name, value: toWire(name, value), from: toSeconds(dueAt) };
      }),
    left: Object.fromEntries(LIMIT_FIELDS.map((name) => [name, leftOnWire(left[columnOf(name)] ?? null)])) as Record<
      LimitField,
      string | null
    >,
  };
}

type Wanted = Partial<Record<LimitName, number | null | undefined>> & { exclude_until?: number | undefined };

/** Absent fields stay, null removes. */
export async function writeLimits(tx: Tx, memberId: number, wanted: Wanted, now: number): Promise<void> {
  const changes: Partial<Record<LimitColumn, number | null>> = {};
  for (const name of NAMES) {
    const value = wanted[name];
    if (value === undefined) continue;
    changes[columnOf(name)] = value === null || name === "remind_minutes" ? value : fromUnits(value);
  }
  await changeLimits(tx, memberId, changes, now);
  if (wanted.exclude_until !== undefined) await excludeMember(tx, memberId, wanted.exclude_until * SECOND_MS, now);
}
