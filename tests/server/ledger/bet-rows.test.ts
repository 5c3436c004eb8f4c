import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eq, isNotNull } from "drizzle-orm";
import { betKeys, odds, rounds, settleRanges } from "#db/schema/index.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { bet, drawWithoutSettling } from "../../support/ledger.ts";
import { MINUTE_GAME, world, type Player, type World } from "../../support/world.ts";

let w: World;
let mia: Player;
let leo: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  await w.game({ ...MINUTE_GAME, key: "pair-1m", name: "A pair", kind: "dice-pair" });
  mia = await w.player("mia_1", { balance: 1_000 });
  leo = await w.player("leo_1", { balance: 1_000 });
  await w.live(1_000);
});
afterEach(() => w.close());

interface Order {
  key: string;
  name: string;
  status: number;
  opencode: number[] | null;
  data: { type: string; proportion: string }[];
}
const orders = async (player = mia): Promise<Order[]> =>
  (await player.call("/member/getUserGameList", {}, { method: "GET", lang: "en_us" })).data;
/** What never changes about a bet. */
const placed = async () => (await orders()).map(({ key, name, data }) => ({ key, name, data: data.map(fixed) }));
const fixed = ({ type, proportion }: Order["data"][number]) => [type, proportion];

async function betOnPair(player: Player): Promise<void> {
  const { data } = await w.call("/Lottery/getLotteryInfo", { key: "pair-1m" }, { method: "GET" });
  const { data: table } = await w.call("/Lottery/getLotteryPeilv", { id: "lot_2" }, { method: "GET" });
  const order = { item: table[0]!.type, money: "1", lid: "lot_2", mid: "", expect: data.next_expect! };
  expect((await player.call("/game/placeOrder", order)).code).toBe(200);
}

describe("a bet", () => {
  it("keeps its game and the odds of its hour, before and after it is indexed", async () => {
    await bet(w, mia, 10, "A");
    await betOnPair(mia);
    const [first] = await w.deps.db.read.select().from(odds).where(eq(odds.gameId, 1));
    const milli = first!.milli.map((one) => one + 10);
    await w.deps.db.transact((tx) => tx.insert(odds).values({ gameId: 1, milli, createdAt: w.now() }));
    const early = await placed();
    expect(early).toMatchObject([
      { key: "pair-1m", name: "A pair" },
      { key: "k3-1m", name: "One minute", data: [["A", "1.95"]] },
    ]);
    await w.live(MINUTE_MS);
    await bet(w, mia, 10, "A");
    const all = [{ key: "k3-1m", name: "One minute", data: [["A", "1.96"]] }, ...early];
    expect(await placed()).toEqual(all);
    await w.live(MINUTE_MS);
    expect(await w.deps.db.read.select().from(rounds).where(isNotNull(rounds.indexedAt))).toHaveLength(4);
    expect(await placed()).toEqual(all);
    // Without keys only the index knows the bets.
    await w.deps.db.transact((tx) => tx.delete(betKeys));
    expect(await placed()).toEqual(all);
  });

  it("shows its draw to each member once that member is paid, and to nobody while its round has failed", async () => {
    await bet(w, mia, 10, "A,B");
    await bet(w, leo, 10, "A,B");
    w.pass(MINUTE_MS);
    await drawWithoutSettling(w);
    const statuses = async () => [(await orders(mia))[0]!.status, (await orders(leo))[0]!.status];
    expect(await statuses()).toEqual([0, 0]);
    const set = (values: Partial<typeof rounds.$inferInsert>) =>
      w.deps.db.transact((tx) => tx.update(rounds).set(values).where(eq(rounds.id, 1)));
    const range = { roundId: 1, fromId: 1, toId: leo.memberId, settledTo: mia.memberId, indexedTo: 0 };
    await w.deps.db.transact((tx) => tx.insert(settleRanges).values(range));
    expect(await statuses()).toEqual([1, 0]);
    await set({ failedAt: w.now(), failure: "a test" });
    expect(await statuses()).toEqual([0, 0]);
  });

  it("shows its draw to whoever is paid in a later range, while the first range is not begun", async () => {
    await bet(w, mia, 10, "A,B");
    await bet(w, leo, 10, "A,B");
    w.pass(MINUTE_MS);
    await drawWithoutSettling(w);
    const ranges = [
      { roundId: 1, fromId: 1, toId: mia.memberId, settledTo: 0, indexedTo: 0 },
      { roundId: 1, fromId: leo.memberId, toId: 99, settledTo: 99, indexedTo: mia.memberId },
    ];
    await w.deps.db.transact((tx) => tx.insert(settleRanges).values(ranges));
    expect([(await orders(mia))[0]!.status, (await orders(leo))[0]!.status]).toEqual([0, 1]);
    const ask = { method: "GET" } as const;
    const report = async (player: Player) => (await player.call("/member/getPersonalreport", {}, ask)).data.play_money;
    expect([await report(mia), await report(leo)]).toEqual(["0.00", "20.00"]);
    const days = async (player: Player) => {
      const { data } = await player.call("/member/reportSeries", { by: "day" }, ask);
      return data.some((day: { play_money: string }) => day.play_money === "20.00");
    };
    expect([await days(mia), await days(leo)]).toEqual([false, true]);
  });
});
