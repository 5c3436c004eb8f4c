import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { betKeys } from "#db/schema/index.ts";
import { MINUTE_MS, toSeconds } from "#shared/time.ts";
import { bet } from "../../support/ledger.ts";
import { topUp } from "../../support/top-up.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { operate } from "../admin/operate.ts";
import { asked, saver } from "../payments/purse.ts";

const LISTS = ["Moneylog", "UserGameList", "UserRechargeList", "UserWithdrawList"] as const;
type List = (typeof LISTS)[number];

interface Row {
  id: string;
  number: string;
  version: number;
}

interface Log {
  list: Row[];
  count: number;
}

let w: World;
let mia: Player;
let kim: Player;
/** The seconds before, between and after two rounds of the same acts, two minutes apart. */
let times: [number, number, number];

const ask = (list: List, input: Record<string, string | number> = {}, player = mia) =>
  player.call(
    `/member/get${list}?${new URLSearchParams(Object.entries(input).map(([key, value]) => [key, `${value}`]))}`,
  );
const rowsOf = async (list: List, input: Record<string, string | number> = {}): Promise<Row[]> => {
  const { data } = await ask(list, input);
  return list === "Moneylog" ? (data as Log).list : (data as Row[]);
};

beforeEach(async () => {
  w = await world();
  await w.game();
  mia = await saver(w, "mia_1", 1_000);
  kim = await w.player("kim_1", { balance: 1_000 });
  await w.live(1_000);
  const acts = async () => {
    await topUp(w, mia, 10);
    await bet(w, mia, 5);
    await asked(mia, 100);
  };
  const first = toSeconds(w.now());
  await acts();
  w.pass(MINUTE_MS);
  await w.settle();
  await w.live(1);
  w.pass(MINUTE_MS);
  await w.live(1);
  const second = toSeconds(w.now());
  await acts();
  w.pass(1_000);
  times = [first, second, toSeconds(w.now())];
});
afterEach(() => w.close());

describe("the records of a period", () => {
  it("are those of the list that lie in it, on all four lists and on every page", async () => {
    const [first, second, after] = times;
    for (const list of LISTS) {
      const all = await rowsOf(list, { limit: 50 });
      const late = await rowsOf(list, { from: second, limit: 50 });
      const early = await rowsOf(list, { from: first, to: second, limit: 50 });
      expect(late.length).toBe(list === "Moneylog" ? 3 : 1);
      const before = await rowsOf(list, { to: first, limit: 50 });
      expect([...late, ...early, ...before]).toEqual(all);
      expect(await rowsOf(list, { from: after })).toEqual([]);
      expect(await rowsOf(list, { from: second, to: first })).toEqual([]);
      const pages = await Promise.all(late.map((_, page) => rowsOf(list, { from: second, limit: 1, page: page + 1 })));
      expect(pages.flat()).toEqual(late);
    }
    expect(((await ask("Moneylog", { from: second })).data as Log).count).toBe(3);
  });

  it("hold a bet that is not indexed yet", async () => {
    expect(await w.deps.db.read.select().from(betKeys)).toHaveLength(1);
    expect(await rowsOf("UserGameList", { from: times[1] })).toHaveLength(1);
  });
});

describe("one record", () => {
  it("is read by its id, indexed or not; what is another member's is not there", async () => {
    for (const list of LISTS) {
      const all = await rowsOf(list, { limit: 50 });
      const key = (row: Row) => (list === "Moneylog" ? { version: row.version } : { id: row.id });
      for (const row of all) expect(await rowsOf(list, key(row))).toEqual([row]);
      expect(await ask(list, key(all.at(-1)!), kim)).toMatchObject(
        list === "Moneylog" ? { code: 200 } : { code: 404, reason: "object.unknown" },
      );
      expect((await ask(list, list === "Moneylog" ? { version: 900 } : { id: "none" })).code).toBe(404);
    }
  });

  it("has a short number that the operator's commands take", async () => {
    const [withdrawal] = await rowsOf("UserWithdrawList");
    expect(withdrawal!.number).toBe("W-2");
    const approved = await operate(w, "withdraw:approve", "w-2");
    expect([approved.exit, approved.out]).toEqual([0, expect.stringContaining("wdr_2")]);
    const [deposit] = await rowsOf("UserRechargeList");
    expect(deposit!.number).toMatch(/^T-\d+$/);
    expect((await operate(w, "recharge:list")).out).toContain(deposit!.number);
    const [order] = await rowsOf("UserGameList");
    expect(order!.number).toBe(order!.id.replace("bet_", "B-"));
  });
});
