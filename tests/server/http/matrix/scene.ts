import { and, eq, isNull } from "drizzle-orm";
import { members, sessions } from "#db/schema/index.ts";
import { IDLE_MS } from "#server/domains/session/identify.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { setPrizes } from "#server/domains/wheel/set-prizes.ts";
import { DAY_MS } from "#shared/time.ts";
import { kick, lock, set } from "../../../support/operator.ts";
import { fileOf, PIXEL } from "../../../support/pictures.ts";
import type { Player, World } from "../../../support/world.ts";
import { furnishedWorld, makeReady } from "../furnished.ts";
import type { Role, Scene } from "./row.ts";

/** A site with everything that the rows name, and the member who owns it. */
export async function openScene(): Promise<Pick<Scene, "w" | "owner">> {
  const { w, mia } = await furnishedWorld();
  const { data } = await mia.call("/system/uploadimg", { file: fileOf(PIXEL) });
  const { id: session } = (await mia.call("/member/sessions")).data[0]!;
  const memo = "<p>Thank you</p>";
  await set(w, "spin_daily", "5");
  await w.deps.db.transact(async (tx) => {
    const prize = { id: "prz_1", title: "Thanks", memo, image: "/prizes/1.svg", kind: "thanks", amount: 0 } as const;
    await setPrizes(tx, w.deps, [{ ...prize, weight: 1 }]);
  });
  return { w, owner: { memberId: mia.memberId, session, upload: data } };
}

/** A new member in this role, with everything else that the path requires. */
export async function cast(w: World, role: Role, path: string, count: number): Promise<Scene["who"]> {
  const username = `role_${count}`;
  const player = await w.player(username, { balance: 1_000 });
  await makeReady(w, player.memberId, path);
  // The role decides whether a membership runs.
  await w.deps.db.transact((tx) => tx.update(members).set({ memberUntil: 0 }).where(eq(members.id, player.memberId)));
  await PREPARE[role]?.(w, player);
  return { ...player, username };
}

const PREPARE: Partial<Record<Role, (w: World, player: Player) => Promise<unknown>>> = {
  expired: ({ deps, now }, { memberId }) =>
    deps.db.transact((tx) =>
      tx
        .update(sessions)
        .set({ lastSeenAt: now() - IDLE_MS })
        .where(and(eq(sessions.memberId, memberId), isNull(sessions.endedAt))),
    ),
  loggedOut: (_, { call }) => call("/member/doLogout", {}),
  kicked: (w, { memberId }) => kick(w, memberId),
  locked: (w, { memberId }) => lock(w, memberId, true),
  excluded: ({ now }, { call }) =>
    call("/member/limits", { exclude_until: String(Math.floor((now() + 200 * DAY_MS) / 1000)) }),
  active: ({ deps }, { memberId }) => deps.db.transact((tx) => extendMembership(tx, deps, memberId, 30)),
};
