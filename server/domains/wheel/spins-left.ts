import { sql } from "drizzle-orm";
import { insertRows, isOneOfNamed, listed } from "#db/many.ts";
import type { Tx } from "#db/db.ts";
import { prepared } from "#db/prepared.ts";
import { wheelMembers } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { dayOf } from "#shared/time.ts";

/** A member's free spins: those of the day (UTC), which are used first, and those that they won. */
export interface SpinsLeft {
  daily: number;
  extra: number;
}

const rowsOf = prepared((read) =>
  read.select().from(wheelMembers).where(isOneOfNamed(wheelMembers.memberId, "members")).prepare(),
);

export async function readSpinsLeft(
  read: Tx,
  { clock, settings }: Pick<Deps, "clock" | "settings">,
  memberIds: readonly number[],
): Promise<Map<number, SpinsLeft>> {
  const rows = await rowsOf(read).execute({ members: listed(memberIds) });
  const had = new Map(rows.map((row) => [row.memberId, row]));
  const [today, ofDay] = [dayOf(clock.now()), settings.get<number>("spin_daily")];
  return new Map(
    memberIds.map((id) => {
      const { day = 0, used = 0, extra = 0 } = had.get(id) ?? {};
      return [id, { daily: Math.max(0, ofDay - (day >= today ? used : 0)), extra }];
    }),
  );
}

/** A member's spin of the day, and the extra spins that it used up or won. */
export interface CountedSpin {
  memberId: number;
  used: 0 | 1;
  extra: number;
}

/** Counts one spin each of several members. */
export async function countSpins(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  counted: readonly CountedSpin[],
): Promise<void> {
  const changed = counted.filter(({ used, extra }) => used !== 0 || extra !== 0);
  if (changed.length === 0) return;
  const today = dayOf(clock.now());
  const { day, used, extra } = wheelMembers;
  const rows = changed.map((one) => ({ ...one, day: today }));
  await insertRows(tx, wheelMembers, rows).onConflictDoUpdate({
    target: wheelMembers.memberId,
    set: {
      used: sql`case when ${day} >= ${today} then ${used} else 0 end + excluded.used`,
      extra: sql`${extra} + excluded.extra`,
      day: sql`case when ${day} >= ${today} then ${day} else ${today} end`,
    },
  });
}
