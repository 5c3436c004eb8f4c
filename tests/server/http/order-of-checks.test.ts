import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Reply } from "../../support/call.ts";
import { kick as kickMember, lock as lockMember, set } from "../../support/operator.ts";
import { roundNow } from "../../support/ledger.ts";
import { world, type Player } from "../../support/world.ts";
import { JSON_TYPE, send, stopClock } from "./endpoints.ts";
import { furnishedWorld, type Furnished } from "./furnished.ts";

let site: Furnished;
let mia: Player;
let count = 0;

beforeAll(async () => {
  site = await furnishedWorld();
});
afterAll(() => site.w.close());
beforeEach(async () => {
  mia = await site.w.player(`mia_${++count + 100}`, { balance: 100 });
});

const BET = "/game/placeOrder";
const order = (over: object = {}) => ({
  item: "A",
  money: "1",
  lid: "lot_1",
  mid: "",
  expect: roundNow(site.w),
  ...over,
});
const bet = (over: object = {}, key?: string) => mia.call(BET, order(over), key === undefined ? {} : { key });
const answer = ({ code, reason }: Reply) => [code, reason];

const lock = () => lockMember(site.w, mia.memberId, true);
const kick = () => kickMember(site.w, mia.memberId);

/** Changes a setting as the operator would, while the work runs. */
async function while_(name: string, value: string, otherwise: string, work: () => Promise<void>): Promise<void> {
  await set(site.w, name, value);
  await work().finally(() => set(site.w, name, otherwise));
}

describe("of two errors, the answer names", () => {
  it("too many requests before an unreadable body", async () => {
    const w = await world({ env: { RATE_LIMIT: "on" } });
    const unreadable = () => send(w, { path: BET, payload: "[", type: JSON_TYPE });
    stopClock();
    for (let i = 0; i < 1_000; i++) expect((await unreadable()).status).toBe(400);
    expect((await unreadable()).status).toBe(429);
    await w.close();
  });

  it.each([
    [400, "{", JSON_TYPE],
    [413, `item=${"7".repeat(70_000)}`, undefined],
    [415, "<item/>", "text/xml"],
  ])("an unreadable body (%d) before a missing session", async (code, payload, type) => {
    expect((await send(site.w, { path: BET, payload, ...(type && { type }) })).status).toBe(code);
  });

  it("an ended session before a stored answer for the key", async () => {
    expect((await bet({}, "tap")).code).toBe(200);
    await kick();
    expect(answer(await bet({}, "tap"))).toEqual([10001, "session.kicked"]);
    expect((await site.w.call(BET, order(), { key: "tap" })).code).toBe(401);
  });

  it("an ended session before a field", async () => {
    await kick();
    expect((await bet({ money: "0" })).code).toBe(10001);
    expect((await site.w.call(BET, {})).code).toBe(401);
  });

  it("a stored answer for the key before the lock", async () => {
    const first = await bet({}, "tap");
    await lock();
    expect((await bet({}, "tap")).data).toEqual(first.data);
    expect(answer(await bet({}, "tap-2"))).toEqual([403, "member.locked"]);
  });

  it("a reused key before the lock", async () => {
    await bet({}, "tap");
    await lock();
    expect(answer(await bet({ money: "2" }, "tap"))).toEqual([409, "key.reused"]);
  });

  it("the lock before a field", async () => {
    await lock();
    expect(answer(await bet({ money: "0" }))).toEqual([403, "member.locked"]);
  });

  it("the lock before a malformed key", async () => {
    expect((await bet({}, "a b")).data).toHaveProperty("fields.idempotency-key");
    await lock();
    expect(answer(await bet({}, "a b"))).toEqual([403, "member.locked"]);
  });

  it("a weak passcode before the switch of its change", async () => {
    const change = (paypassword: string) => mia.call("/member/editPayPassword", { oldpaypwd: "246813", paypassword });
    await while_("edit_paypwd", "0", "1", async () => {
      expect((await change("111111")).data).toHaveProperty("fields.paypassword");
      expect(answer(await change("135792"))).toEqual([403, "feature.off"]);
    });
  });

  it("a field before what is switched off", async () => {
    await while_("isplay", "0", "1", async () => {
      expect((await bet({ money: "0" })).code).toBe(400);
      expect(answer(await bet())).toEqual([403, "feature.off"]);
      expect((await bet()).msg).toBe(site.w.deps.text("vn_vn", "refusal.feature.games"));
    });
    await while_("close_recharge", "1", "0", async () => {
      expect((await mia.call("/member/doRecharge", { pay_way: "nobody", money: "1" })).code).toBe(400);
      expect(answer(await mia.call("/member/doRecharge", { pay_way: "sandbox", money: "1" }))[0]).toBe(403);
    });
  });

  it("a closed feature, or another's object, before an unknown one", async () => {
    await while_("isplay", "0", "1", async () => {
      expect(answer(await bet({ lid: "lot_99" }))).toEqual([403, "feature.off"]);
    });
    expect(answer(await bet({ mid: "mem_1", lid: "lot_99" }))).toEqual([403, "bet.foreign"]);
    expect(answer(await bet({ lid: "lot_99" }))).toEqual([404, "object.unknown"]);
  });

  it("a member's break before a closed round, a limit or a balance", async () => {
    const until = String(Math.floor(site.w.now() / 1000) + 10 * 86_400);
    await mia.call("/member/limits", { exclude_until: until, stake_day: "1" });
    expect(answer(await bet({ money: "500" }))).toEqual([403, "member.excluded"]);
    expect(answer(await bet({ expect: "20260302-0001" }))).toEqual([403, "member.excluded"]);
  });

  it("a member's break before an unknown object, or another price than was shown", async () => {
    const buy = (over: object) => mia.call("/member/buyPlan", { id: "plan_30", ...over });
    expect([(await buy({ id: "plan_none" })).code, (await buy({ price: "1.00" })).code]).toEqual([404, 409]);
    await mia.call("/member/limits", { exclude_until: String(Math.floor(site.w.now() / 1000) + 10 * 86_400) });
    for (const refused of [await buy({ id: "plan_none" }), await buy({ price: "1.00" }), await bet({ lid: "lot_99" })])
      expect(answer(refused)).toEqual([403, "member.excluded"]);
  });

  it("a commit that is not the member's next before spins that are used up", async () => {
    await while_("spin_daily", "0", "1", async () => {
      expect(answer(await mia.call("/luckdraw", {}))).toEqual([422, "spins.none"]);
      const stale = { client_seed: "mine", commit: "f".repeat(64) };
      expect(answer(await mia.call("/luckdraw", stale))).toEqual([409, "commit.stale"]);
    });
  });

  it("an unknown object before a short balance", async () => {
    expect(answer(await bet({ lid: "lot_99", money: "500" }))).toEqual([404, "object.unknown"]);
    expect((await mia.call("/member/buyPlan", { id: "plan_none" })).code).toBe(404);
  });

  it("a field before a taken name", async () => {
    const who = { username: "nora_1", password: "long enough" };
    expect((await site.w.call("/member/doRegister", { ...who, code: "NONE" })).data).toHaveProperty("fields.code");
    expect(answer(await site.w.call("/member/doRegister", { ...who, code: "WELCOME" }))).toEqual([
      409,
      "username.taken",
    ]);
  });

  it("an invalid break before a shorter one", async () => {
    const inDays = (days: number) => ({ exclude_until: String(Math.floor(site.w.now() / 1000) + days * 86_400) });
    await mia.call("/member/limits", inDays(200));
    expect((await mia.call("/member/limits", inDays(100))).data).toHaveProperty("fields.exclude_until");
    expect(answer(await mia.call("/member/limits", inDays(30)))).toEqual([422, "limit.shortened"]);
  });

  it("a reused key before a short balance", async () => {
    await bet({}, "tap");
    expect(answer(await bet({ money: "500" }, "tap"))).toEqual([409, "key.reused"]);
  });
});
