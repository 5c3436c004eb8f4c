import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { DAY_MS } from "#shared/time.ts";
import type { Player } from "../../support/world.ts";
import { everything, furnishedWorld, type Furnished } from "./furnished.ts";

let site: Furnished;
let mia: Player;
let count = 0;

beforeAll(async () => {
  site = await furnishedWorld();
});
afterAll(() => site.w.close());
beforeEach(async () => {
  mia = await callerOf(await site.w.player(`mia_${++count + 100}`, { balance: 1_000 }));
});

/** Stands for the first commit that the wheel shows to the caller. */
const COMMIT = { commit: "shown" };

/** A new member, who has seen that commit and names it. */
async function callerOf(player: Player): Promise<Player> {
  const { next_commit: commit } = (await player.call("/fair/wheel")).data;
  return {
    ...player,
    call: (path, input, options) =>
      player.call(path, input?.commit === COMMIT.commit ? { ...input, commit } : input, options),
  };
}

/** Each call that writes: its input, another input, and one that is refused without an effect. */
const WRITES = [
  {
    path: "/member/doRecharge",
    input: { pay_way: "sandbox", money: "10" },
    other: { pay_way: "sandbox", money: "11" },
    refused: { pay_way: "nobody", money: "10" },
    stored: "deposits",
  },
  {
    path: "/member/buyPlan",
    input: { id: "plan_30" },
    other: { id: "plan_31" },
    refused: { id: "none" },
    stored: "transfers",
  },
  {
    path: "/member/limits",
    input: { stake_day: "100" },
    other: { stake_day: "90" },
    refused: { exclude_until: "1" },
    stored: "replays",
  },
  {
    path: "/member/setName",
    input: { name: "Mia Tran" },
    other: { name: "Mia Tranh" },
    refused: { name: " " },
    stored: "replays",
  },
  {
    path: "/member/setPayPassword",
    input: { paypassword: "246810" },
    other: { paypassword: "246811" },
    refused: { paypassword: "24681" },
    stored: "replays",
  },
  {
    path: "/fair/wheel",
    input: { client_seed: "one", ...COMMIT },
    other: { client_seed: "two", ...COMMIT },
    refused: { client_seed: "a:b", ...COMMIT },
    stored: "replays",
  },
  {
    path: "/game/placeOrder",
    input: { item: "A", money: "1", lid: "lot_1", expect: "20260302-0007" },
    other: { item: "B", money: "1", lid: "lot_1", expect: "20260302-0007" },
    refused: { item: "A", money: "1001", lid: "lot_1", expect: "20260302-0007" },
    stored: "bets",
  },
] as const;

const rows = () => everything(site.w);

describe.each(WRITES)("an idempotency key on $path", ({ path, input, other, refused, stored }) => {
  it("repeats the answer and does nothing", async () => {
    const first = await mia.call(path, input, { key: "tap" });
    const after = await rows();
    expect(first.code).toBe(200);
    for (let i = 0; i < 3; i++) {
      const again = await mia.call(path, input, { key: "tap" });
      expect([again.code, again.data]).toEqual([200, first.data]);
    }
    expect(await rows()).toEqual(after);
  });

  it("has one effect, however many requests come at once", async () => {
    const before = await rows();
    const replies = await Promise.all(Array.from({ length: 20 }, () => mia.call(path, input, { key: "tap" })));
    expect(new Set(replies.map(({ code }) => code))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ data }) => JSON.stringify(data)))).toHaveProperty("size", 1);
    expect((await rows())[stored]!.length).toBe(before[stored]!.length + 1);
  });

  it("is refused with another body, and changes nothing", async () => {
    await mia.call(path, input, { key: "tap" });
    const before = await rows();
    const { code, data } = await mia.call(path, other, { key: "tap" });
    expect([code, data]).toEqual([409, { reason: "key.reused" }]);
    expect(await rows()).toEqual(before);
  });

  it("may be used again after a refusal, which leaves no trace", async () => {
    const before = await rows();
    expect((await mia.call(path, refused, { key: "tap" })).code).toBeGreaterThanOrEqual(400);
    expect(await rows()).toEqual(before);
    expect((await mia.call(path, input, { key: "tap" })).code).toBe(200);
  });

  it("is separate from other members' keys", async () => {
    const ben = await callerOf(await site.w.player(`ben_${count}`, { balance: 1_000 }));
    const [hers, his] = [await mia.call(path, input, { key: "tap" }), await ben.call(path, other, { key: "tap" })];
    expect(hers.code).toBe(200);
    expect([200, 404]).toContain(his.code);
    expect((await mia.call(path, input, { key: "tap" })).data).toEqual(hers.data);
  });
});

describe("an idempotency key", () => {
  it("belongs to one path", async () => {
    for (const { path, input } of WRITES) expect((await mia.call(path, input, { key: "tap" })).code).toBe(200);
  });

  it("treats a form and JSON as the same request, with fields in any order", async () => {
    const first = await mia.call("/member/doRecharge", { pay_way: "sandbox", money: "10" }, { key: "tap" });
    const response = await site.w.site.app.inject({
      method: "POST",
      url: "/api/member/doRecharge",
      headers: {
        "idempotency-key": "tap",
        token: Buffer.from(mia.token).toString("base64"),
        "x-data-encoding": "json",
      },
      payload: { money: 10, pay_way: "sandbox" },
    });
    expect(response.json()).toMatchObject({ code: 200, data: first.data });
  });

  it.each(["", "a b", "ключ", "k".repeat(65), "a\tb"])("is refused when it is %j", async (key) => {
    const before = await rows();
    const headers = { "idempotency-key": Buffer.from(key).toString("latin1") };
    const { code, fields } = await mia.call("/member/buyPlan", { id: "plan_30" }, { headers });
    expect([code, Object.keys(fields!)]).toEqual([400, ["idempotency-key"]]);
    expect(await rows()).toEqual(before);
  });

  it("is ignored on a guest's call, and on one that only reads", async () => {
    const guest = { username: `guest_${count}`, password: "long enough", code: "WELCOME" };
    expect((await site.w.call("/member/doRegister", guest, { key: "a b" })).code).toBe(200);
    expect((await mia.call("/member/getUserInfo", undefined, { key: "a b" })).code).toBe(200);
  });

  it("is deleted after a day, and can then start a new request", async () => {
    const buy = () => mia.call("/member/buyPlan", { id: "plan_30" }, { key: "tap" });
    const first = await buy();
    site.w.pass(DAY_MS - 1);
    await site.w.site.housekeeping.tick();
    expect((await buy()).data).toEqual(first.data);
    site.w.pass(2 * DAY_MS);
    await site.w.site.housekeeping.tick();
    const second = await buy();
    expect([second.code, second.data.money]).toEqual([200, "980.00"]);
  });
});
