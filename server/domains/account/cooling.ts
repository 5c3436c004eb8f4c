import { and, eq, gt, lt, lte, notExists, or, type Column, type SQL } from "drizzle-orm";
import type { Tx } from "#db/db.ts";
import { members } from "#db/schema/member.ts";
import type { Deps } from "#server/app/deps.ts";
import { HOUR_MS } from "#shared/time.ts";
import { latestCooling } from "./time-left.ts";

/**
 * Begins the cooling time of an account that was changed: no withdrawal is approved or paid before its end, so that
 * whoever stole the account cannot be gone with the money. Never shortens one that runs. Returns its end.
 */
export async function startCooling(
  tx: Tx,
  { clock, settings }: Pick<Deps, "clock" | "settings">,
  memberId: number,
): Promise<number> {
  const now = clock.now();
  const until = now + settings.get<number>("cooling_hours") * HOUR_MS;
  await tx
    .update(members)
    .set({ coolingUntil: until })
    .where(
      and(eq(members.id, memberId), or(lt(members.coolingUntil, until), gt(members.coolingUntil, latestCooling(now)))),
    );
  return readCooling(tx, memberId);
}

/** When the cooling time of an account ends; long ago where there was none. */
export async function readCooling(read: Tx, memberId: number): Promise<number> {
  const [member] = await read.select({ until: members.coolingUntil }).from(members).where(eq(members.id, memberId));
  return member?.until ?? 0;
}

/** That a member's account does not cool down now: for the statement that lets money leave. */
export const isNotCooling = (tx: Tx, memberId: Column, now: number): SQL =>
  notExists(
    tx
      .select({ id: members.id })
      .from(members)
      .where(
        and(eq(members.id, memberId), gt(members.coolingUntil, now), lte(members.coolingUntil, latestCooling(now))),
      ),
  );
