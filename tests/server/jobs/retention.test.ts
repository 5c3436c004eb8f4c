import { readFileSync } from "node:fs";
import { desc, eq, getTableName } from "drizzle-orm";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { attempts, deposits, outbox, passwordResets, sandboxCheckouts, sessions, wallets } from "#db/schema/index.ts";
import { applyEvent } from "#server/domains/payments/apply-event.ts";
import { deleteOutdated, KEPT } from "#server/jobs/retention.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, monthOf, SECOND_MS } from "#shared/time.ts";
import { problemsOf } from "../../support/audited.ts";
import { give } from "../../support/credentials.ts";
import { kick } from "../../support/operator.ts";
import { orderTopUp, topUp } from "../../support/top-up.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { reasonOf } from "../../support/reason-of.ts";

let w: World;
let mia: Player;
beforeAll(async () => {
  w = await world();
  mia = await w.player("mia_1", { balance: 10 });
});
afterAll(() => w.close());

const read = () => w.deps.db.read;
/** The hour's work, without what else the loop does. */
const tidy = async () => {
  w.pass(HOUR_MS);
  await w.site.housekeeping.tick();
};

/** A world of the test's own, whose clock it sets. */
async function ownWorld(): Promise<World> {
  const own = await world();
  onTestFinished(() => own.close());
  return own;
}

const newestEvent = ({ deps }: World) => deps.db.read.select().from(outbox).orderBy(desc(outbox.id)).limit(1);

/** Rows of a session that began so long ago and was last used, or ended, so many days ago. */
const addSessions = (count: number, memberId: number, seenDays: number, endedDays: number | null) =>
  w.deps.db.transact(async (tx) => {
    const [seen, ended] = [w.now() - seenDays * DAY_MS, endedDays === null ? null : w.now() - endedDays * DAY_MS];
    const end = ended === null ? {} : { endedAt: ended, endedBy: "member" as const };
    for (let i = 0; i < count; i++) {
      const tokenHash = `${seenDays}-${endedDays}-${i}`;
      const row = { memberId, tokenHash, createdAt: seen, lastSeenAt: seen, ip: "192.0.2.1", agent: "", ...end };
      await tx.insert(sessions).values(row);
    }
  });

/** The same member on a new session. */
async function loggedIn(player: Player): Promise<Player> {
  await give(w, player.memberId, { password: "correct horse" });
  const { data } = await w.call("/member/doLogin", { username: "mia_1", password: "correct horse" });
  const { token } = data;
  return { ...player, token, call: (path, input, options) => w.call(path, input, { token, ...options }) };
}

it("sessions go sixty days after they were last used or ended, however many there are", async () => {
  await addSessions(1_100, mia.memberId, 61, 61);
  await addSessions(1, mia.memberId, 62, null);
  await addSessions(1, mia.memberId, 63, 59);
  await addSessions(1, mia.memberId, 59, null);
  await tidy();
  const left = (await read().select().from(sessions)).map(({ tokenHash }) => tokenHash);
  expect(left).toHaveLength(3);
  expect(left).toEqual(expect.arrayContaining(["63-59-0", "59-null-0"]));
});

it("a token whose session was ended is told so for its thirty days, and is no good ever after", async () => {
  const nils = await w.player("nils_2");
  await kick(w, nils.memberId, "Late");
  expect((await nils.call("/member/sessions")).code).toBe(10001);
  w.pass(61 * DAY_MS);
  await tidy();
  expect((await nils.call("/member/sessions")).code).toBe(401);
});

it("a clock that was set ahead deletes nothing before it has gone on so for a quarter of an hour", async () => {
  const own = await ownWorld();
  own.pass(HOUR_MS);
  await own.site.housekeeping.tick();
  await own.player("mia_1", { balance: 10 });
  const [told] = await newestEvent(own);
  own.jump(2 * DAY_MS);
  for (const ms of [0, 14 * MINUTE_MS, 59 * SECOND_MS]) {
    own.pass(ms);
    await own.site.housekeeping.tick();
    expect(await newestEvent(own)).toEqual([told]);
  }
  own.pass(SECOND_MS);
  await own.site.housekeeping.tick();
  expect(await newestEvent(own)).toEqual([]);
});

it("an event that a server wrote whose clock is behind stays until all have heard it", async () => {
  const own = await ownWorld();
  await own.site.housekeeping.tick();
  own.pass(15 * MINUTE_MS);
  const event = { topic: "site.changed", payload: { names: [] }, createdAt: own.now() - 3 * HOUR_MS };
  await own.deps.db.transact((tx) => tx.insert(outbox).values(event));
  const [told] = await newestEvent(own);
  await own.site.housekeeping.tick();
  expect(await newestEvent(own)).toEqual([told]);
  own.pass(HOUR_MS);
  await own.site.housekeeping.tick();
  expect(await newestEvent(own)).toEqual([]);
});

it("a clock that is set right while a server tidies up deletes nothing by what it showed before", async () => {
  const own = await ownWorld();
  await own.player("mia_1", { balance: 10 });
  await own.site.housekeeping.tick();
  own.pass(20 * MINUTE_MS);
  const told = await newestEvent(own);
  own.jump(2 * DAY_MS);
  // It has read the time, and waits for the database.
  const ticking = own.site.housekeeping.tick();
  own.jump(-2 * DAY_MS);
  await ticking;
  expect(await newestEvent(own)).toEqual(told);
});

it("a server that has just started deletes nothing yet", async () => {
  const own = await ownWorld();
  await own.player("mia_1", { balance: 10 });
  own.jump(2 * DAY_MS);
  await own.restart();
  await own.site.housekeeping.tick();
  expect(await own.deps.db.read.select().from(outbox)).not.toEqual([]);
});

it("events that every server heard go after an hour, and attempts after a day", async () => {
  await w.call("/member/doLogin", { username: "nobody_1", password: "a wrong one" });
  expect(await read().select().from(attempts)).not.toEqual([]);
  await w.site.housekeeping.tick();
  w.pass(DAY_MS);
  await tidy();
  expect(await read().select().from(attempts)).toEqual([]);
  expect((await read().select().from(outbox)).filter(({ createdAt }) => createdAt < w.now() - HOUR_MS)).toEqual([]);
});

it("unpaid orders go after 400 days, once their member's wallet is in a later month; paid ones stay", async () => {
  mia = await loggedIn(mia);
  const ola = await w.player("ola_33");
  for (const one of [mia, ola]) await orderTopUp(one, 10);
  await topUp(w, mia, 20);
  w.pass(HOUR_MS);
  await w.site.payments.tick();
  w.pass(399 * DAY_MS);
  await tidy();
  expect(await read().select().from(deposits)).toHaveLength(3);
  w.pass(2 * DAY_MS);
  await topUp(w, await loggedIn(mia), 30);
  await tidy();
  const left = await read().select().from(deposits).orderBy(desc(deposits.memberId), deposits.id);
  expect(left.map(({ memberId, status }) => [memberId, status])).toEqual([
    [ola.memberId, "failed"],
    [mia.memberId, "paid"],
    [mia.memberId, "paid"],
  ]);
  expect(await read().select().from(sandboxCheckouts)).toHaveLength(3);
  expect(await problemsOf(w)).toEqual([]);
});

it("an order whose payment turned out to be invalid stays, and stops nothing", async () => {
  const own = await ownWorld();
  const nora = await own.player("nora_1", { balance: 10 });
  const { order } = (await orderTopUp(nora, 10)).data;
  const news = { orderNo: order, amount: 10_00, unit: "point", why: "refund", reference: "invalid" } as const;
  await own.deps.db.transact((tx) => applyEvent(tx, own.deps, "sandbox", { kind: "failed", orderNo: order }));
  await own.deps.db.transact((tx) => applyEvent(tx, own.deps, "sandbox", { ...news, kind: "returned" }));
  own.pass(401 * DAY_MS);
  // A wallet counts in a later month once it has played.
  await own.deps.db.transact((tx) => tx.update(wallets).set({ month: monthOf(own.now()) }));
  await deleteOutdated(own.deps.db, own.now(), 0);
  expect((await own.deps.db.read.select().from(deposits)).map(({ orderNo }) => orderNo)).toEqual([order]);
});

it("a paid order cannot be deleted, by whatever statement", async () => {
  const all = w.deps.db.transact((tx) => tx.delete(deposits).where(eq(deposits.status, "paid")));
  expect(await all.catch(reasonOf)).toContain("only if it lapsed unpaid");
  expect(await read().select().from(deposits)).toHaveLength(3);
});

it("a secret to choose a password with goes an hour after its end", async () => {
  const reset = (memberId: number, expiresAt: number) => ({ memberId, secretHash: "a", expiresAt });
  const [late, good] = [await w.player("late_1"), await w.player("good_1")];
  await w.deps.db.transact((tx) =>
    tx
      .insert(passwordResets)
      .values([reset(late.memberId, w.now() - HOUR_MS - 1), reset(good.memberId, w.now() - HOUR_MS)]),
  );
  await deleteOutdated(w.deps.db, w.now(), 0);
  expect((await read().select().from(passwordResets)).map(({ memberId }) => memberId)).toEqual([good.memberId]);
});

it("the docs say of every kind of row how long it is kept", () => {
  const page = readFileSync(new URL("../../../docs/operating.md", import.meta.url), "utf8");
  const told = [...page.matchAll(/^\| `(\w+)` +\| (\d+) (hours?|days?) +\|/gm)].map(([, name, count, unit]) => [
    name,
    Number(count) * (unit!.startsWith("day") ? DAY_MS : HOUR_MS),
  ]);
  expect(told).toEqual(Object.entries(KEPT).map(([name, { keptMs }]) => [name, keptMs]));
  expect(Object.entries(KEPT).map(([name, { table }]) => [name, getTableName(table)])).toEqual(
    Object.keys(KEPT).map((name) => [name, name === "passcode_attempts" ? "attempts" : name]),
  );
});
