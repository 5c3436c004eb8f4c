import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { members, sessions } from "#db/schema/index.ts";
import { ViewerStatusCache } from "#server/domains/video/viewer-status.ts";
import { world, type World } from "../../support/world.ts";
import { activePlayer } from "./video-world.ts";

let w: World;
let cache: ViewerStatusCache;
let mia: number;
let eva: number;

beforeEach(async () => {
  w = await world();
  cache = new ViewerStatusCache(w.deps);
  mia = (await activePlayer(w, "mia_1")).memberId;
  eva = (await activePlayer(w, "eva_1")).memberId;
  await w.site.relay.wake();
});
afterEach(() => w.close());

async function sessionOf(memberId: number): Promise<number> {
  const [session] = await w.deps.db.read.select().from(sessions).where(eq(sessions.memberId, memberId));
  return session!.id;
}
const statuses = async () => [await cache.statusOf(await sessionOf(mia)), await cache.statusOf(await sessionOf(eva))];
/** Ends both memberships, and announces nothing. */
const endSilently = () => w.deps.db.transact((tx) => tx.update(members).set({ memberUntil: 0 }));

describe("a viewer's status", () => {
  it("is trusted for two seconds, and then read again", async () => {
    expect(await statuses()).toEqual(["member", "member"]);
    await endSilently();
    w.pass(1_999);
    expect(await statuses()).toEqual(["member", "member"]);
    w.pass(1);
    expect(await statuses()).toEqual(["guest", "guest"]);
  });

  it("is read again once the clock was set back", async () => {
    await statuses();
    await endSilently();
    w.jump(-1);
    expect(await statuses()).toEqual(["guest", "guest"]);
  });

  it("is read again after a change of that member, or the end of that session, alone", async () => {
    await statuses();
    await endSilently();
    w.deps.bus.emit("member.changed", { memberId: mia });
    expect(await statuses()).toEqual(["guest", "member"]);
    w.deps.bus.emit("session.ended", { sessionIds: [await sessionOf(eva)], kicked: false, reason: null });
    expect(await statuses()).toEqual(["guest", "guest"]);
  });

  it("that was read while something changed is not trusted", async () => {
    const session = await sessionOf(mia);
    const reading = cache.statusOf(session);
    w.deps.bus.emit("member.changed", { memberId: eva });
    expect(await reading).toBe("member");
    await endSilently();
    expect(await cache.statusOf(session)).toBe("guest");
  });

  it("is nobody's for a session that ended, or that there never was", async () => {
    await w.deps.db.transact((tx) => tx.update(sessions).set({ endedAt: w.now() }).where(eq(sessions.memberId, mia)));
    expect(await statuses()).toEqual(["nobody", "member"]);
    expect(await cache.statusOf(99)).toBe("nobody");
  });

  it("of the viewer who was read first makes room for one more", async () => {
    const few = new ViewerStatusCache(w.deps, 2);
    const leo = await sessionOf((await activePlayer(w, "leo_1")).memberId);
    const [first, second] = [await sessionOf(mia), await sessionOf(eva)];
    await w.site.relay.wake();
    for (const session of [first, second, leo]) expect(await few.statusOf(session)).toBe("member");
    await endSilently();
    // In this order: what is read again takes the oldest one's place.
    expect([await few.statusOf(second), await few.statusOf(leo)]).toEqual(["member", "member"]);
    expect(await few.statusOf(first)).toBe("guest");
  });
});
