import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { members } from "#db/schema/member.ts";
import { extendMembership } from "#server/domains/account/change-status.ts";
import { endMembership } from "#server/domains/account/end-membership.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toSeconds } from "#shared/time.ts";
import { START, world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  mia = await w.player("mia_1");
});
afterEach(() => w.close());

const readMessages = async () => (await mia.call("/member/messages", {}, { method: "GET" })).data;
const setUntil = (memberUntil: number) =>
  w.deps.db.transact((tx) => tx.update(members).set({ memberUntil }).where(eq(members.id, mia.memberId)));
/** As a process does that has scheduled this end. */
const endAt = (until: number) =>
  w.deps.db.transact((tx) => endMembership(tx, w.deps, { memberId: mia.memberId, until }));

describe("an end of a membership", () => {
  it("is not announced, nor postponed, once it is no longer the end", async () => {
    const end = START + 2 * MINUTE_MS;
    await setUntil(end);
    w.pass(HOUR_MS);
    await endAt(START + MINUTE_MS);
    expect([await readMessages(), (await mia.call("/member/getUserInfo")).data.member_until]).toEqual([
      [],
      toSeconds(end),
    ]);
  });

  it("is not announced a moment early", async () => {
    const end = START + MINUTE_MS;
    await setUntil(end);
    w.pass(MINUTE_MS - 1);
    await endAt(end);
    expect(await readMessages()).toEqual([]);
    w.pass(1);
    await endAt(end);
    expect(await readMessages()).toHaveLength(1);
  });

  it("is found after the clock was set back, when it lies before a time already checked", async () => {
    await w.site.memberships.tick();
    w.pass(-2 * DAY_MS);
    await w.deps.db.transact((tx) => extendMembership(tx, w.deps, mia.memberId, 1));
    w.pass(DAY_MS);
    await w.site.memberships.tick();
    expect(await readMessages()).toHaveLength(1);
  });
});
