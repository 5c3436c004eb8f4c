import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { limitChanges } from "#db/schema/limits.ts";
import { applyDueLimits } from "#server/domains/ledger/limits.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toSeconds } from "#shared/time.ts";
import { bet, traces } from "../../support/ledger.ts";
import { START, world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 10_000 });
  await w.live(1_000);
});
afterEach(() => w.close());

const set = (fields: Record<string, string>) => mia.call("/member/limits", fields);
const shown = async () => (await mia.call("/member/limits")).data;
const stake = async (money: number) => (await bet(w, mia, money)).code;
/** Moves the clock and runs everything that is due. */
async function live(ms: number): Promise<void> {
  await w.live(ms);
  await w.site.housekeeping.tick();
}

describe("changing a member's own limits", () => {
  it("starts without limits", async () => {
    const { pending, left, ...limits } = await shown();
    expect(pending).toEqual([]);
    expect(new Set(Object.values(left))).toEqual(new Set([null]));
    expect(Object.keys(limits)).toHaveLength(11);
    expect(new Set(Object.values(limits))).toEqual(new Set([null]));
  });

  it("applies a first or tighter limit at once, and leaves the others as they are", async () => {
    expect((await set({ stake_day: "200", loss_week: "500" })).data).toMatchObject({ stake_day: 200, loss_week: 500 });
    expect((await set({ stake_day: "100", recharge_month: "9" })).data).toMatchObject({
      stake_day: 100,
      loss_week: 500,
      recharge_month: 9,
      pending: [],
    });
    expect(await stake(101)).toBe(422);
    expect(await stake(100)).toBe(200);
  });

  it.each([
    ["200", 200],
    ["", null],
  ])("delays a looser limit by a day (to %j), and says so", async (wish, value) => {
    await set({ stake_day: "100" });
    const from = toSeconds(w.now() + DAY_MS);
    const answer = { stake_day: 100, pending: [{ name: "stake_day", value, from }] };
    expect((await set({ stake_day: wish })).data).toMatchObject(answer);
    await live(DAY_MS - 1);
    expect(await shown()).toMatchObject(answer);
    expect(await stake(101)).toBe(422);
    await live(1);
    expect(await shown()).toMatchObject({ stake_day: value, pending: [] });
    expect(await stake(200)).toBe(200);
    expect(await stake(1)).toBe(value === null ? 200 : 422);
  });

  it("takes in what is due for one member, and leaves others to their own turn", async () => {
    const ben = await w.player("ben_1");
    for (const who of [mia, ben])
      for (const stake_day of ["100", "200"]) await who.call("/member/limits", { stake_day });
    w.pass(DAY_MS);
    const pending = async () => (await w.deps.db.read.select().from(limitChanges)).map(({ memberId }) => memberId);
    expect(await w.deps.db.transact((tx) => applyDueLimits(tx, w.now(), mia.memberId))).toBe(1);
    expect(await pending()).toEqual([ben.memberId]);
    expect(await w.deps.db.transact((tx) => applyDueLimits(tx, w.now()))).toBe(1);
    expect(await pending()).toEqual([]);
  });

  it.each(["100", "60"])("cancels a pending loosening when it is set to %s again", async (value) => {
    await set({ stake_day: "100" });
    await set({ stake_day: "200" });
    expect((await set({ stake_day: value })).data).toMatchObject({ stake_day: Number(value), pending: [] });
    await live(2 * DAY_MS);
    expect(await shown()).toMatchObject({ stake_day: Number(value), pending: [] });
    expect(await stake(101)).toBe(422);
  });

  it("keeps a loosening's day when the same is requested again, and restarts it for another", async () => {
    await set({ stake_day: "100" });
    await set({ stake_day: "200" });
    const first = await shown();
    w.pass(HOUR_MS);
    expect((await set({ stake_day: "200" })).data).toEqual(first);
    const from = toSeconds(w.now() + DAY_MS);
    expect((await set({ stake_day: "300" })).data.pending).toEqual([{ name: "stake_day", value: 300, from }]);
    await live(DAY_MS - MINUTE_MS);
    expect((await shown()).stake_day).toBe(100);
    await live(MINUTE_MS);
    expect((await shown()).stake_day).toBe(300);
  });

  it("compares the next change with the limit in force, even before anything has read it", async () => {
    await set({ stake_day: "100" });
    await set({ stake_day: "300" });
    w.pass(DAY_MS);
    const { data } = await set({ stake_day: "200" });
    expect(data).toMatchObject({ stake_day: 200, pending: [] });
    await w.live(0);
    expect(await stake(200)).toBe(200);
    expect(await stake(1)).toBe(422);
  });

  it("reminds after some minutes of a day: tighter at once, looser after a day", async () => {
    expect((await set({ remind_minutes: "1440" })).data.remind_minutes).toBe(1_440);
    expect((await set({ remind_minutes: "15" })).data.remind_minutes).toBe(15);
    const from = toSeconds(START + 1_000 + DAY_MS);
    expect((await set({ remind_minutes: "30" })).data).toMatchObject({
      remind_minutes: 15,
      pending: [{ name: "remind_minutes", value: 30, from }],
    });
  });

  it.each([
    ["stake_day", "0"],
    ["loss_week", "-5"],
    ["recharge_month", "10.5"],
    ["stake_month", "2000000001"],
    ["loss_day", "many"],
    ["remind_minutes", "1441"],
    ["exclude_until", "tomorrow"],
  ])("is refused with %s %s, and applies nothing else of the request", async (name, value) => {
    const before = await traces(w);
    const { code, fields } = await set({ recharge_day: "100", [name]: value });
    expect([code, Object.keys(fields!)]).toEqual([400, [name]]);
    expect(await traces(w)).toEqual(before);
  });

  it("is one change however often its key comes", async () => {
    const again = () => mia.call("/member/limits", { stake_day: "100" }, { key: "tighter" });
    const replies = await Promise.all(Array.from({ length: 10 }, again));
    expect(new Set(replies.map(({ data }) => JSON.stringify(data))).size).toBe(1);
    await set({ stake_day: "50" });
    expect((await again()).data).toEqual(replies[0]!.data);
    expect(await shown()).toMatchObject({ stake_day: 50, pending: [] });
  });
});
