import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { transfers } from "#db/schema/ledger.ts";
import { members, plans } from "#db/schema/member.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { lockMember } from "#server/domains/account/change-status.ts";
import { DAY_MS, HOUR_MS, toSeconds } from "#shared/time.ts";
import { traces } from "../../support/ledger.ts";
import { START, world, type Player, type World } from "../../support/world.ts";

const MONTH = { id: "plan_30", name: { en_us: "A month", vn_vn: "Một tháng" }, days: 30, price: 30_000, position: 1 };
const WEEK = { id: "plan_7", name: "A week", days: 7, price: 10_050, position: 0 };
const GONE = { id: "plan_1", name: "A day", days: 1, price: 100, position: 2, sold: false };

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  await w.deps.db.transact((tx) => tx.insert(plans).values([MONTH, WEEK, GONE]));
  mia = await w.player("mia_1", { balance: 1_000 });
});
afterEach(() => w.close());

const buy = (id: string, key?: string, player = mia) =>
  player.call("/member/buyPlan", { id }, key === undefined ? {} : { key });
const wallet = () => readWallet(w.deps.db.read, mia.memberId);
const until = async () => {
  const [member] = await w.deps.db.read.select().from(members).where(eq(members.id, mia.memberId));
  return member!.memberUntil;
};

describe("the plans on sale", () => {
  it("are listed in their order, with name and price", async () => {
    const { data } = await mia.call("/member/plans", {}, { method: "GET", lang: "en_us" });
    expect(data).toEqual([
      { id: "plan_7", name: "A week", days: 7, price: "100.50" },
      { id: "plan_30", name: "A month", days: 30, price: "300.00" },
    ]);
    const { data: vietnamese } = await mia.call("/member/plans");
    expect(vietnamese[1]!.name).toBe("Một tháng");
  });
});

describe("buying membership", () => {
  it("takes its price and starts the membership now", async () => {
    const { code, data } = await buy("plan_7");
    const chain = expect.stringContaining(`\nmember ${mia.memberId}\n2\n`) as string;
    expect([code, data]).toEqual([200, { member_until: toSeconds(START + 7 * DAY_MS), money: "899.50", chain }]);
    expect(await until()).toBe(START + 7 * DAY_MS);
    const [paid] = await w.deps.db.read.select().from(transfers).where(eq(transfers.code, "plan"));
    const sides = { debit: `member:${mia.memberId}`, credit: "house:plans" };
    expect(paid).toMatchObject({ ...sides, amount: 10_050, version: 2, balanceAfter: 89_950 });
  });

  it("adds up when it is bought twice, and starts over once it is over", async () => {
    await buy("plan_7");
    w.pass(DAY_MS);
    expect((await buy("plan_30")).data.member_until).toBe(toSeconds(START + 37 * DAY_MS));
    // Regular use keeps the session alive.
    for (const days of [19, 19]) {
      await w.site.housekeeping.tick();
      w.pass(days * DAY_MS);
      await mia.call("/member/plans");
    }
    expect((await buy("plan_7")).data.member_until).toBe(toSeconds(START + (39 + 7) * DAY_MS));
    expect((await wallet()).balance).toBe(100_000 - 30_000 - 2 * 10_050);
  });

  it.each([
    ["price", { price: 10_051 }],
    ["days", { days: 6 }],
  ])("is refused where the %s changed since it was shown, and leaves no trace", async (_, change) => {
    const shown = { id: "plan_7", price: "100.50", days: "7" };
    await w.deps.db.transact((tx) => tx.update(plans).set(change).where(eq(plans.id, "plan_7")));
    const before = await traces(w);
    expect(await mia.call("/member/buyPlan", shown)).toMatchObject({ code: 409, data: { reason: "plan.changed" } });
    expect(await traces(w)).toEqual(before);
    expect(await until()).toBe(0);
    await w.deps.db.transact((tx) => tx.update(plans).set(WEEK).where(eq(plans.id, "plan_7")));
    expect((await mia.call("/member/buyPlan", shown)).code).toBe(200);
  });

  it("is refused when the balance does not cover it, and leaves no trace", async () => {
    for (let i = 0; i < 3; i++) await buy("plan_30");
    const before = await traces(w);
    const { code, data } = await buy("plan_7", "too-dear");
    expect([code, data]).toEqual([422, { reason: "balance.insufficient", missing: "0.50" }]);
    expect(await traces(w)).toEqual(before);
  });

  it.each(["plan_9", "plan_1"])("is refused for %s, which is not on sale", async (id) => {
    const before = await traces(w);
    const { code, data } = await buy(id);
    expect([code, data]).toEqual([404, { reason: "object.unknown" }]);
    expect(await traces(w)).toEqual(before);
  });

  it.each([{}, { id: "" }, { id: "plan 7" }, { id: "x".repeat(65) }])(
    "is refused for the malformed %j",
    async (input) => {
      const { code, fields } = await mia.call("/member/buyPlan", input);
      expect([code, Object.keys(fields!)]).toEqual([400, ["id"]]);
    },
  );

  it("is refused to a locked member", async () => {
    await w.deps.db.transact((tx) => lockMember(tx, w.deps, mia.memberId, true));
    const before = await traces(w);
    const { code, data } = await buy("plan_7");
    expect([code, data]).toEqual([403, { reason: "member.locked" }]);
    expect(await traces(w)).toEqual(before);
  });

  it("succeeds once when two purchases want the same money", async () => {
    for (let i = 0; i < 2; i++) await buy("plan_30");
    const replies = await Promise.all([buy("plan_30"), buy("plan_30")]);
    expect(replies.map(({ code }) => code).sort((a, b) => a - b)).toEqual([200, 422]);
    expect(await wallet()).toMatchObject({ balance: 10_000, version: 4 });
    expect(await until()).toBe(START + 90 * DAY_MS);
  });
});

describe("the key of a purchase", () => {
  it("makes it one purchase however often it comes", async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => buy("plan_7", "tap-1")));
    expect(new Set(replies.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    await buy("plan_7");
    expect((await buy("plan_7", "tap-1")).data).toEqual(replies[0]!.data);
    expect(await wallet()).toMatchObject({ balance: 100_000 - 2 * 10_050, version: 3 });
  });

  it("is refused with another plan", async () => {
    await buy("plan_7", "tap-1");
    const before = await traces(w);
    const { code, data } = await buy("plan_30", "tap-1");
    expect([code, data]).toEqual([409, { reason: "key.reused" }]);
    expect(await traces(w)).toEqual(before);
  });

  it("may be used again after a refusal, by another member, and after more than a day", async () => {
    expect((await buy("plan_9", "tap-1")).code).toBe(404);
    expect((await buy("plan_7", "tap-1")).code).toBe(200);
    const leo = await w.player("leo_1", { balance: 500 });
    expect((await buy("plan_7", "tap-1", leo)).code).toBe(200);
    w.pass(DAY_MS + HOUR_MS);
    await w.site.housekeeping.tick();
    expect((await buy("plan_7", "tap-1")).code).toBe(200);
    expect((await wallet()).version).toBe(3);
  });
});
