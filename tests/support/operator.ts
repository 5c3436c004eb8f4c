import { setTimeout } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { settings as rows } from "#db/schema/site.ts";
import { kickMember } from "#server/domains/session/end-sessions.ts";
import { setSetting } from "#server/domains/site/set-setting.ts";
import { lockMember } from "#server/domains/account/change-status.ts";
import type { World } from "./world.ts";

/** Changes a setting as the operator would, and waits until the server has applied it. */
export async function set(w: World, name: string, value: string): Promise<void> {
  const { db, settings } = w.deps;
  await db.transact((tx) => setSetting(tx, w.deps, name, value), "fence");
  await w.site.relay.wake();
  const [row] = await db.read.select().from(rows).where(eq(rows.name, name));
  const isHeard = () => JSON.stringify(settings.get(name)) === JSON.stringify(row!.value);
  for (let i = 0; !isHeard() && i < 1_000; i++) await setTimeout(1);
}

export const lock = ({ deps }: World, memberId: number, locked: boolean): Promise<void> =>
  deps.db.transact((tx) => lockMember(tx, deps, memberId, locked));

export const kick = ({ deps }: World, memberId: number, reason: string | null = null): Promise<number> =>
  deps.db.transact((tx) => kickMember(tx, deps, memberId, reason));
