import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { journalIndex } from "#db/schema/index.ts";
import { advanceAll } from "../../support/advance-all.ts";
import { cents, isWon, oddsByType, winOf } from "../../support/recompute.ts";
import { MINUTE_GAME, START, world, type Player, type World } from "../../support/world.ts";

interface Order {
  id: string;
  key: string;
  status: number;
  status_text: string;
  opencode: number[] | null;
  money: string;
  win: string | null;
  create_time: number;
  update_time: number;
  data: { expect: string; type: string; money: string; proportion: string; win: string | null }[];
}

let w: World;
let mia: Player;

beforeEach(async () => {
  w = await world();
  await w.game();
  await w.game({ ...MINUTE_GAME, key: "k3-3m", name: "Three minutes", periodS: 180 });
  mia = await w.player("mia_1", { balance: 100_000 });
  await w.settle();
});
afterEach(() => w.close());

async function place(item: string, lid = "lot_1", money = "10", who = mia): Promise<string> {
  const key = lid === "lot_1" ? "k3-1m" : "k3-3m";
  const { data } = await w.call("/Lottery/getLotteryInfo", { key }, { method: "GET" });
  const placed = await who.call("/game/placeOrder", { item, money, lid, mid: "", expect: data.next_expect! });
  return placed.data.id;
}

async function orders(input: Record<string, string> = {}, who = mia): Promise<Order[]> {
  const { code, data } = await who.call("/member/getUserGameList", input, { method: "GET", lang: "en_us" });
  expect(code).toBe(200);
  return data;
}
const ids = async (input: Record<string, string> = {}) => (await orders(input)).map(({ id }) => id);

/** Draws what is due without settling it. */
async function drawOnly(ms: number): Promise<void> {
  w.pass(ms);
  await advanceAll(w.deps);
}

const ALL = "3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,A,B,C,D";

/** Of the odds of every game of sums, as its public record shows it. */
const ODDS = expect.stringMatching(/^[0-9a-f]{64}$/) as string;

describe("a member's list of orders", () => {
  it("shows an undrawn order with its stakes and odds, and nothing of a result", async () => {
    w.pass(5_500);
    const id = await place("7,A");
    expect(await orders()).toEqual([
      {
        id,
        number: id.replace("bet_", "B-"),
        odds: ODDS,
        key: "k3-1m",
        kind: "dice-sum",
        ico: "/icons/k3.svg",
        name: "One minute",
        status: 0,
        status_text: "Waiting for the draw",
        opencode: null,
        one: null,
        two: null,
        money: "20.00",
        win: null,
        create_time: START / 1_000 + 5,
        update_time: START / 1_000 + 5,
        data: [
          { expect: "20260302-0001", type: "7", money: "10.00", proportion: "13.68", win: null },
          { expect: "20260302-0001", type: "A", money: "10.00", proportion: "1.95", win: null },
        ],
      },
    ]);
  });

  it("shows what each option of a drawn order won, and the total", async () => {
    await place(ALL, "lot_1", "7");
    await w.live(60_000);
    const [order] = await orders();
    const { data: table } = await w.call("/Lottery/getLotteryPeilv", { id: "lot_1" }, { method: "GET" });
    const odds = oddsByType(table);
    expect(order).toMatchObject({ status: 1, money: "140.00", update_time: START / 1_000 + 60 });
    expect(order!.data.map(({ type }) => type).join()).toBe(ALL);
    for (const { type, win, money } of order!.data) {
      expect([money, cents(win!)]).toEqual(["7.00", winOf(type, 7, odds, order!.opencode!)]);
    }
    expect(order!.data.filter(({ win }) => win !== "0.00")).toHaveLength(3);
    expect(cents(order!.win!)).toBe(winOf(ALL, 7, odds, order!.opencode!));
    expect((await mia.call("/member/getUserInfo")).data.money).toBe(
      ((10_000_000 - 14_000 + cents(order!.win!)) / 100).toFixed(2),
    );
  });

  it("filters won orders and lost ones", async () => {
    await place("A");
    await place("B");
    await w.live(60_000);
    const both = await orders();
    const dice = both[0]!.opencode!;
    for (const { status, win, data } of both) {
      const won = isWon(data[0]!.type, dice);
      expect([status, win, data[0]!.win]).toEqual(won ? [1, "19.50", "19.50"] : [2, "0.00", "0.00"]);
    }
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([1, 2]));
  });

  it("shows a drawn order as waiting until its win is paid", async () => {
    await place("A,B");
    await drawOnly(60_000);
    expect(await orders()).toMatchObject([{ status: 0, opencode: null, win: null }]);
    await w.live(1_000);
    expect(await orders()).toMatchObject([{ status: 1, win: "19.50" }]);
  });

  it("pages newest first over indexed orders and others", async () => {
    const placed: string[] = [];
    for (let round = 0; round < 5; round++) {
      for (const lid of ["lot_2", "lot_1", "lot_1", "lot_2", "lot_1"]) placed.push(await place("A,B", lid, "1"));
      await w.live(60_000);
    }
    // The slower game's second round is still open, so its unindexed bets lie among indexed ones.
    placed.push(await place("C", "lot_1"), await place("D", "lot_2"));
    const newestFirst = placed.toReversed();
    expect(await w.deps.db.read.select().from(journalIndex)).not.toHaveLength(0);
    expect(await ids()).toEqual(newestFirst.slice(0, 20));
    expect(await ids({ page: "2" })).toEqual(newestFirst.slice(20));
    expect(await ids({ page: "3" })).toEqual([]);
    for (const limit of [1, 3, 7, 50]) {
      const pages: string[] = [];
      for (let page = 1; pages.length < placed.length; page++) {
        const part = await ids({ page: String(page), limit: String(limit) });
        expect(part).toEqual(newestFirst.slice((page - 1) * limit, page * limit));
        pages.push(...part);
      }
    }
    const statuses = (await orders({ limit: "50" })).map(({ status }) => status);
    expect(statuses.filter((status) => status === 0)).toHaveLength(2 + 4);
  });

  it("stays the same once everything is indexed", async () => {
    const placed: string[] = [];
    for (let round = 0; round < 3; round++) {
      for (const lid of ["lot_1", "lot_2"]) placed.push(await place("A", lid));
      await w.live(60_000);
    }
    expect(await ids()).toEqual(placed.toReversed());
    await w.restart();
    expect(await ids()).toEqual(placed.toReversed());
  });

  it("has only the member's own orders, and is empty without bets", async () => {
    await place("A");
    const tom = await w.player("tom_1", { balance: 10 });
    expect(await orders({}, tom)).toEqual([]);
    expect((await w.call("/member/getUserGameList", {}, { method: "GET" })).code).toBe(401);
  });
});

describe("a member's newest rounds of a game", () => {
  const own = async (who = mia) =>
    (await who.call("/Lottery/ownRounds", { key: "k3-1m" }, { method: "GET" })).data as {
      expect: string;
      opencode: number[] | null;
      money: string;
      win: string | null;
      options: { type: string; money: string; pays: string[]; win: string | null }[];
    }[];

  it("sum all bets by option, say what each can pay, and nothing of a draw before it is paid", async () => {
    await place("A,7");
    await place("A", "lot_1", "5");
    await place("A", "lot_2");
    const options = [
      { type: "7", money: "10.00", pays: ["136.80"], win: null },
      { type: "A", money: "15.00", pays: ["29.25"], win: null },
    ];
    const waiting = [{ key: "k3-1m", expect: "20260302-0001", opencode: null, money: "25.00", win: null, options }];
    expect(await own()).toEqual(waiting);
    await drawOnly(60_000);
    expect(await own()).toEqual(waiting);
    expect(await own(await w.player("tom_1"))).toEqual([]);
  });

  it("show what was paid for every option, whether indexed or not, and end after three rounds", async () => {
    for (let round = 0; round < 4; round++) {
      for (let bet = 0; bet < (round === 2 ? 60 : 1); bet++) await place(ALL, "lot_1", "1");
      await w.live(60_000);
    }
    const rounds = await own();
    expect(rounds.map(({ expect: round, money }) => [round, money])).toEqual([
      ["20260302-0004", "20.00"],
      ["20260302-0003", "1200.00"],
    ]);
    const [newest] = rounds;
    const [order] = await orders({ limit: "1" });
    expect(newest).toMatchObject({ opencode: order!.opencode, money: order!.money, win: order!.win });
    expect(newest!.options.map(({ win }) => win)).toEqual(order!.data.map(({ win }) => win));
  });
});

describe("a member's newest rounds of a slow game", () => {
  it("are found among many bets on another before, between and after", async () => {
    const rounds = [];
    for (let minute = 0; minute < 9; minute++) {
      for (let bet = 0; bet < 26; bet++) await place("A", "lot_1", "1");
      if (minute % 3 === 1) rounds.unshift([`20260302-000${(minute + 2) / 3}`, `${minute}.00`]);
      if (minute % 3 === 1) await place("B", "lot_2", String(minute));
      for (let bet = 0; bet < 26; bet++) await place("A", "lot_1", "1");
      await w.live(60_000);
    }
    const { data } = await mia.call("/Lottery/ownRounds", { key: "k3-3m" }, { method: "GET" });
    expect(data.map((own) => [own.expect, own.money])).toEqual(rounds.slice(0, 2));
  });
});

describe("a member's waiting rounds of all games", () => {
  const waiting = async (who = mia) =>
    (await who.call("/Lottery/ownRounds", {}, { method: "GET" })).data.map((own) => [own.key, own.expect, own.money]);

  it("stand in one answer until they are paid", async () => {
    await place("A,7");
    await place("A", "lot_1", "5");
    await place("A", "lot_2");
    const placed = [
      ["k3-1m", "20260302-0001", "25.00"],
      ["k3-3m", "20260302-0001", "10.00"],
    ];
    expect(await waiting()).toEqual(expect.arrayContaining(placed));
    expect(await waiting()).toHaveLength(placed.length);
    await drawOnly(60_000);
    expect(await waiting()).toHaveLength(placed.length);
    await w.live(1_000);
    expect(await waiting()).toEqual([placed[1]]);
    expect(await waiting(await w.player("tom_1"))).toEqual([]);
  });
});

describe("the word for an order", () => {
  it("is a win only if more came back than was staked", async () => {
    await place("A,B,C,D");
    await place("A");
    await place("B");
    await w.live(60_000);
    const words = (await orders()).map(({ money, win, status_text }) => [
      Math.sign(cents(win!) - cents(money)),
      status_text,
    ]);
    expect(new Set(words.map(([, word]) => word))).toEqual(new Set(["Not won", "Settled", "Won"]));
    for (const [net, word] of words) expect(word === "Won").toBe(net === 1);
  });
});
