import { eq, sql } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { wheelMembers } from "#db/schema/wheel.ts";
import type { Deps } from "#server/app/deps.ts";
import { dayOf } from "#shared/time.ts";

/** A member's free spins: those of the day (UTC), which are used first, and those that they won. */
export interface SpinsLeft {
  daily: number;
  extra: number;
}

export async function readSpinsLeft(
  read: Tx,
  { clock, settings }: Pick<Deps, "clock" | "settings">,
  memberId: number,
): Promise<SpinsLeft> {
  const [had] = await read.select().from(wheelMembers).where(eq(wheelMembers.memberId, memberId));
  const used = had && had.day >= dayOf(clock.now()) ? had.used : 0;
  return { daily: Math.max(0, settings.get<number>("spin_daily") - used), extra: had?.extra ?? 0 };
}

/** Counts a spin of the day, and the extra spins that it used up or won. */
export async function countSpin(
  tx: Tx,
  { clock }: Pick<Deps, "clock">,
  memberId: number,
  { used, extra }: { used: 0 | 1; extra: number },
): Promise<void> {
  const today = dayOf(clock.now());
  const { day, used: had, extra: storedExtra } = wheelMembers;
  await tx
    .insert(wheelMembers)
    .values({ memberId, day: today, used, extra })
    .onConflictDoUpdate({
      target: wheelMembers.memberId,
      set: {
        used: sql`case when ${day} >= ${today} then ${had} else 0 end + ${used}`,
        extra: sql`${storedExtra} + ${extra}`,
        day: sql`case when ${day} >= ${today} then ${day} else ${today} end`,
      },
    });
}
