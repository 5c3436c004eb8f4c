import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { betKeys, bets, houseEntries, spentKeys } from "#db/schema/index.ts";
import { readWallet } from "#server/domains/ledger/wallet.ts";
import { DAY_MS } from "#shared/time.ts";
import { world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await w.player("mia_1", { balance: 1_000 });
  await w.live(1_000);
});
afterEach(() => w.close());

const ROUND = "20260302-0001";
const order = (over: object = {}) => ({ item: "A,C", money: "100", lid: "lot_1", mid: "", expect: ROUND, ...over });
const rowsOf = async () => ({
  bets: await w.deps.db.read.select().from(bets),
  keys: await w.deps.db.read.select().from(betKeys),
  house: await w.deps.db.read.select().from(houseEntries),
});

describe("placing a bet", () => {
  it("takes the stake on each option and answers with the balance", async () => {
    const { code, data } = await mia.call("/game/placeOrder", order());
    expect(code).toBe(200);
    expect(data).toEqual({
      id: "bet_1",
      expect: ROUND,
      total: "200.00",
      balance: "800.00",
      receipt: expect.any(String),
    });
    const { bets, house } = await rowsOf();
    expect(bets).toMatchObject([{ memberId: mia.memberId, stake: 10_000, total: 20_000, balanceAfter: 80_000 }]);
    expect(house).toMatchObject([{ kind: "bets", amount: 20_000, fromId: 1, toId: 1 }]);
  });

  it("is refused when the balance does not cover it, and leaves no trace", async () => {
    const before = await readWallet(w.deps.db.read, mia.memberId);
    const { code, data } = await mia.call("/game/placeOrder", order({ money: "501" }));
    expect([code, data]).toEqual([422, { reason: "balance.insufficient", missing: "2.00" }]);
    expect(await rowsOf()).toEqual({ bets: [], keys: [], house: [] });
    expect(await readWallet(w.deps.db.read, mia.memberId)).toEqual(before);
  });

  it("is refused from the closing moment on, by the database's clock", async () => {
    w.pass(55_999);
    expect((await mia.call("/game/placeOrder", order())).code).toBe(200);
    w.pass(1);
    const { code, data } = await mia.call("/game/placeOrder", order());
    expect([code, data]).toMatchObject([422, { reason: "round.closed", state: "drawing" }]);
  });

  it("accepts exactly ten of sixty concurrent bets", async () => {
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => mia.call("/game/placeOrder", order({ item: "7" }))),
    );
    expect(replies.filter(({ code }) => code === 200)).toHaveLength(10);
    expect((await readWallet(w.deps.db.read, mia.memberId)).balance).toBe(0);
  });

  it("is one bet however often its idempotency key comes", async () => {
    const replies = await Promise.all(
      Array.from({ length: 40 }, () => mia.call("/game/placeOrder", order(), { key: "tap-1" })),
    );
    expect(new Set(replies.map(({ data }) => data.id))).toEqual(new Set(["bet_1"]));
    expect((await rowsOf()).bets).toHaveLength(1);
  });

  it("keeps an idempotency key for a day after the round was settled, and stores only the keys that were sent", async () => {
    await mia.call("/game/placeOrder", order(), { key: "tap-1" });
    await mia.call("/game/placeOrder", order());
    await w.live(57_000);
    await w.live(3_000);
    expect((await rowsOf()).keys).toEqual([]);
    const { code, data } = await mia.call("/game/placeOrder", order(), { key: "tap-1" });
    expect([code, data.id, data.balance]).toEqual([200, "bet_1", "800.00"]);
    const other = await mia.call("/game/placeOrder", order({ money: "1" }), { key: "tap-1" });
    expect(other.data).toEqual({ reason: "key.reused" });
    const spent = await w.deps.db.read.select().from(spentKeys);
    expect(spent.map(({ key, betId }) => [key, betId])).toEqual([["tap-1", 1]]);
  });

  it("forgets a key after a day", async () => {
    await mia.call("/game/placeOrder", order(), { key: "tap-1" });
    await w.live(57_000);
    await w.live(3_000);
    await w.live(DAY_MS + 1);
    await w.site.housekeeping.tick();
    expect(await w.deps.db.read.select().from(spentKeys)).toEqual([]);
    expect((await mia.call("/game/placeOrder", order(), { key: "tap-1" })).data).toMatchObject({
      reason: "round.closed",
    });
  });

  it("refuses a repeated key with another body", async () => {
    await mia.call("/game/placeOrder", order(), { key: "tap-1" });
    const { code, data } = await mia.call("/game/placeOrder", order({ money: "1" }), { key: "tap-1" });
    expect([code, data]).toEqual([409, { reason: "key.reused" }]);
  });

  it("lets a key be used again after a refusal", async () => {
    expect((await mia.call("/game/placeOrder", order({ money: "900" }), { key: "tap-1" })).code).toBe(422);
    expect((await mia.call("/game/placeOrder", order({ money: "100" }), { key: "tap-1" })).code).toBe(200);
  });
});
