import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { members, messages } from "#db/schema/member.ts";
import { MembershipClock } from "#server/jobs/membership-clock.ts";
import { endMembership } from "#server/domains/account/end-membership.ts";
import { extendMembership, lockMember } from "#server/domains/account/change-status.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toSeconds } from "#shared/time.ts";
import { SocketClients } from "../realtime/socket-client.ts";
import { completeCodes } from "../../support/glossary.ts";
import { START, world, type Player, type World } from "../../support/world.ts";

let w: World;
let clients: SocketClients;
let mia: Player;

beforeEach(async () => {
  w = await world();
  clients = new SocketClients(await w.listen());
  mia = await w.player("mia_1");
});
afterEach(async () => {
  clients.close();
  await w.close();
});

const extend = (days: number, player = mia) =>
  w.deps.db.transact((tx) => extendMembership(tx, w.deps, player.memberId, days));
/** Waits for the announcements, then runs the membership job. */
const turn = async () => {
  await w.site.relay.wake();
  const waitMs = await w.site.memberships.tick();
  await w.site.relay.wake();
  return waitMs;
};
const readMessages = async (player = mia) => {
  const { data } = await player.call("/member/messages", {}, { method: "GET", lang: "en_us" });
  return data;
};
const isSee = async (player = mia) => (await player.call("/member/getUserInfo")).data.is_see;
const setUntil = (memberUntil: number, player = mia) =>
  w.deps.db.transact((tx) => tx.update(members).set({ memberUntil }).where(eq(members.id, player.memberId)));

describe("a membership that runs out", () => {
  it("is over for every call at that moment, and announced to the member's sockets and in a message", async () => {
    await extend(1);
    const [client, other] = [await clients.open({ token: mia.token }), await clients.open()];
    w.pass(DAY_MS - 300);
    expect(await turn()).toBe(300);
    expect([await isSee(), await readMessages()]).toEqual([1, []]);
    w.pass(300);
    expect(await isSee()).toBe(0);
    await turn();
    const until = toSeconds(START + DAY_MS);
    expect(await client.next("member:change", ({ is_see }) => is_see === 0)).toEqual({
      status: 1,
      is_see: 0,
      member_until: until,
    });
    expect(await readMessages()).toMatchObject([{ kind: "membership.ended", create_time: until }]);
    await other.drained();
    expect(other.all("member:change")).toEqual([]);
  });

  it("is announced once, however often and in however many processes it is noticed", async () => {
    await extend(1);
    const others = [new MembershipClock(w.deps), new MembershipClock(w.deps)];
    await Promise.all([turn(), ...others.map((clock) => clock.tick())]);
    const client = await clients.open({ token: mia.token });
    w.pass(DAY_MS);
    await Promise.all([turn(), ...others.map((clock) => clock.tick())]);
    w.pass(HOUR_MS);
    await Promise.all([turn(), ...others.map((clock) => clock.tick())]);
    await client.next("member:change");
    await client.drained();
    expect(client.all("member:change")).toHaveLength(1);
    expect(await readMessages()).toHaveLength(1);
  });

  it("has its texts in every complete language", async () => {
    await extend(1);
    w.pass(DAY_MS);
    await turn();
    const texts = new Set<string>();
    for (const code of completeCodes()) {
      const { data } = await mia.call("/member/messages", {}, { method: "GET", lang: code });
      texts.add(data[0]!.text);
    }
    expect(texts.size).toBe(completeCodes().length);
    expect([...texts].filter((text) => text.startsWith("message."))).toEqual([]);
  });

  it("is not announced while it was extended meanwhile, by anyone, but at its new end", async () => {
    await extend(1);
    await turn();
    w.pass(DAY_MS - 10);
    // No announcement comes for this one: the scheduled end is only a hint.
    await setUntil(START + DAY_MS + MINUTE_MS);
    w.pass(20);
    await turn();
    expect([await isSee(), await readMessages()]).toEqual([1, []]);
    await extend(2);
    w.pass(2 * MINUTE_MS);
    await turn();
    expect(await readMessages()).toEqual([]);
    w.pass(2 * DAY_MS);
    await turn();
    expect(await readMessages()).toHaveLength(1);
  });

  it("is not announced for another's that ended at the same moment", async () => {
    const ben = await w.player("ben_1");
    const until = w.now();
    await setUntil(until, ben);
    await setUntil(until + DAY_MS);
    await w.deps.db.transact((tx) => endMembership(tx, w.deps, { memberId: mia.memberId, until }));
    expect([await readMessages(), await readMessages(ben)]).toEqual([[], []]);
  });

  it("is announced each time that it ends", async () => {
    for (const times of [1, 2]) {
      await extend(1);
      w.pass(DAY_MS);
      await turn();
      expect(await readMessages()).toHaveLength(times);
    }
  });

  it("is announced to a locked member too, who stays locked", async () => {
    await extend(1);
    await w.deps.db.transact((tx) => lockMember(tx, w.deps, mia.memberId, true));
    const client = await clients.open({ token: mia.token });
    w.pass(DAY_MS);
    await turn();
    expect(await client.next("member:change", ({ is_see }) => is_see === 0)).toMatchObject({ status: 0 });
  });
});

describe("the job that ends memberships", () => {
  it("finds after a restart what ended meanwhile, and says when it was", async () => {
    await extend(1);
    await w.restart();
    w.pass(2 * DAY_MS);
    await w.restart();
    await w.site.memberships.tick();
    expect(await readMessages()).toMatchObject([{ create_time: toSeconds(START + DAY_MS) }]);
    await w.restart();
    await w.site.memberships.tick();
    expect(await readMessages()).toHaveLength(1);
  });

  it("does not announce ends of long ago, nor to those who never were members", async () => {
    await setUntil(START - 8 * DAY_MS);
    const ben = await w.player("ben_1");
    await turn();
    expect([await readMessages(), await readMessages(ben)]).toEqual([[], []]);
  });

  it("follows a clock that is set forward by days and back by hours", async () => {
    await extend(3);
    await turn();
    w.pass(3 * DAY_MS + HOUR_MS);
    await turn();
    expect(await readMessages()).toHaveLength(1);
    w.pass(-2 * HOUR_MS);
    expect(await isSee()).toBe(1);
    await turn();
    w.pass(2 * HOUR_MS);
    await turn();
    expect([await isSee(), (await readMessages()).length]).toEqual([0, 1]);
  });

  it("handles more ends at once than it schedules", async () => {
    await w.deps.db.transact(async (tx) => {
      const many = Array.from({ length: 1_100 }, (_, i) => ({
        username: `m_${i}`,
        avatar: "",
        createdAt: START,
        memberUntil: START + MINUTE_MS,
      }));
      for (let i = 0; i < many.length; i += 100) await tx.insert(members).values(many.slice(i, i + 100));
    }, "setup");
    await turn();
    w.pass(MINUTE_MS);
    for (let i = 0; i < 4; i++) await turn();
    const all = await w.deps.db.read.select({ memberId: messages.memberId }).from(messages);
    expect(new Set(all.map(({ memberId }) => memberId)).size).toBe(1_100);
    expect(all).toHaveLength(1_100);
  });
});
