import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { and, isNull, lte, sql } from "drizzle-orm";
import { rounds } from "#db/schema/lottery.ts";
import { failedChecks } from "#shared/lottery/fairness.ts";
import { byLength } from "../../support/length.ts";
import { cents, dicer, faultsOf, oddsByType, winOf, type WireOdds } from "../../support/recompute.ts";
import { KNOWN_KINDS, diceOfKind, rollsOf, timesOf } from "../../support/recompute-kinds.ts";
import { set } from "../../support/operator.ts";
import { program } from "../../support/program.ts";
import { MINUTE_GAME, world, type Player, type World } from "../../support/world.ts";
import { exported } from "../member/exported.ts";
import { problemsOf } from "./failing-world.ts";

/** Rounds of each kind, played on the whole server. */
const ROUNDS = byLength(12, 20_000);
/** Bets per round. */
const SOME = 4;
/** Games of the kind that run at once, each with rounds of its own. */
const SIDE_BY_SIDE = 20;
const run = promisify(execFile);

interface OddsRow {
  type: string;
  group: string;
  name: string;
  proportion: string;
  pays: string[];
  probability: number;
  rtp: number;
}

describe.each(KNOWN_KINDS)("a game of %s", (kind) => {
  let w: World;
  let mia: Player;
  let table: OddsRow[];
  let odds: WireOdds;

  beforeEach(async () => {
    w = await world();
    await begin();
  });
  afterEach(() => w.close());

  async function begin() {
    await w.game({ ...MINUTE_GAME, key: "any-1m", kind });
    await w.live(1_000);
    mia = await w.player("mia_1", { balance: 1_000_000 });
    table = await get("/Lottery/getLotteryPeilv", { id: "lot_1" });
    odds = oddsByType(table);
  }

  /** The same on a site whose ledger is in a currency. */
  async function beginIn(unit: string) {
    await w.close();
    w = await world();
    await set(w, "unit", unit);
    await set(w, "licence", "Licence 1");
    await begin();
  }

  /** Rounds whose draw is due and that are not paid yet. */
  const unpaid = async () => {
    const isUnpaid = and(lte(rounds.drawsAt, w.now()), isNull(rounds.settledAt));
    const [row] = await w.deps.db.read
      .select({ count: sql<number>`cast(count(*) as integer)` })
      .from(rounds)
      .where(isUnpaid);
    return row!.count;
  };

  /** On a busy machine a step may fail and be retried a second later. */
  async function liveUntil<T>(look: () => Promise<T>, isSo: (seen: T) => boolean): Promise<T> {
    for (let tries = 0; tries < 60; tries++) {
      const seen = await look();
      if (isSo(seen)) return seen;
      await w.live(1_000);
    }
    throw new Error("it did not come to that within a minute");
  }

  const get = async <P extends string>(path: P, input: Record<string, string>) =>
    (await w.call(path, input, { method: "GET", lang: "en_us" })).data;
  const info = () => get("/Lottery/getLotteryInfo", { key: "any-1m" });
  const types = () => table.map(({ type }) => type);
  const order = async (item: string, money = "7") => {
    const expect = (await info()).next_expect!;
    return mia.call("/game/placeOrder", { item, money, lid: "lot_1", mid: "", expect });
  };
  const orders = async () => (await mia.call("/member/getUserGameList", { limit: "50" }, { method: "GET" })).data;
  const balance = async () => cents((await mia.call("/member/getUserInfo")).data.money);

  // A won has no hundredths, so a bet pays none.
  it.each([
    ["point", 1],
    ["KRW", 100],
  ])("accepts bets in %s on every option, draws, pays each, and shows the same everywhere", async (unit, step) => {
    if (unit !== "point") await beginIn(unit);
    for (const type of types()) expect((await order(type)).code).toBe(200);
    expect((await order(types().join(), "3")).code).toBe(200);
    const staked = 700 * types().length + 300 * types().length;
    expect(await balance()).toBe(100_000_000 - staked);
    expect((await orders())[0]).toMatchObject({ kind, status: 0, opencode: null, win: null });
    await w.live(60_000);

    const fair = await get("/fair/round", { key: "any-1m", expect: "20260302-0001" });
    const dice = fair.opencode!;
    expect([fair.kind, dice.length, faultsOf(fair)]).toEqual([kind, diceOfKind(kind), []]);
    const { commit, seed } = fair;
    const own = { gameKey: "any-1m", round: "20260302-0001", signature: fair.beacon_signature, dice };
    const round = { ...fair, ...own, commit: commit!, seed: seed! };
    expect(failedChecks(round)).toEqual([]);
    const other = dice.with(0, (dice[0]! % 6) + 1);
    expect(failedChecks({ ...round, dice: other })).toEqual(["dice"]);

    const [all, ...single] = await orders();
    const paid = (item: string, units: number) => winOf(item, units, odds, dice, { kind, step });
    expect(cents(all!.win!)).toBe(paid(types().join(), 3));
    for (const { opencode, status, win, data } of single) {
      const { type, proportion } = data[0]!;
      const times = timesOf(kind, type, dice);
      const row = table.find((one) => one.type === type)!;
      expect([type, opencode, cents(win!), status]).toEqual([type, dice, paid(type, 7), times ? 1 : 2]);
      expect(proportion).toBe(row.pays[Math.max(0, times - 1)]);
    }
    expect(await balance()).toBe(100_000_000 - staked + paid(types().join(), 3) + paid(types().join(), 7));

    const { bets } = await exported(w, mia);
    expect(bets).toHaveLength(types().length + 1);
    for (const { options, odds: rates, win, dice: fell, stake } of bets!) {
      expect([fell, cents(win!)]).toEqual([dice.map(String), paid(options!.join(), cents(stake!) / 100)]);
      expect(rates).toEqual(options!.map((type) => table.find((one) => one.type === type)!.pays.join("/")));
    }
    const [drawn] = await get("/Lottery/getLotteryOneList", { key: "any-1m" });
    const { opencode, one, two, kind: kindNow } = await info();
    expect(drawn).toMatchObject({ kind, opencode, one, two, sum: dice.reduce((sum, die) => sum + die, 0) });
    expect([kindNow, opencode]).toEqual([kind, dice]);
    expect(await problemsOf(w)).toEqual([]);

    const words = ["any-1m", "20260302-0001", "--url", await w.listen()];
    const { stdout } = await run(process.execPath, [...program("server/verify.ts"), ...words]);
    expect(stdout).toContain(`dice ${dice.join(" ")}`);
    expect(stdout.match(/^ {2}yes/gm)).toHaveLength(5);
  });

  it("shows for every option its payout by number of hits, its exact chance and its return", () => {
    const rolls = rollsOf(kind);
    for (const { type, name, group, proportion, pays, probability, rtp } of table) {
      const falls = rolls.map((dice) => timesOf(kind, type, dice)).filter((times) => times > 0);
      const returned = falls.reduce((sum, times) => sum + Number(odds.get(type)![times - 1]), 0);
      expect([type, pays.length, probability]).toEqual([type, Math.max(...falls), falls.length / rolls.length]);
      expect(rtp).toBeCloseTo(returned / 1_000 / rolls.length, 12);
      expect([proportion, name.includes("option."), group === ""]).toEqual([pays[0], false, false]);
    }
    expect(new Set(table.map(({ name }) => name)).size).toBe(table.length);
  });

  it("refuses options of another kind or of none, and takes nothing", async () => {
    const others = ["3", "1-1-1", "6-6", "2", "18", "distinct"].filter((type) => !types().includes(type));
    expect(others).not.toEqual([]);
    for (const item of [...others, `${types()[0]},${others[0]}`, "7-7", "Z"]) {
      const { code, fields } = await order(item);
      expect([item, code, Object.keys(fields!)]).toEqual([item, 400, ["item"]]);
    }
    expect(await balance()).toBe(100_000_000);
  });

  it("shows an icon of its class, which has a name", async () => {
    const { ico, class: key } = await info();
    const { statusCode, headers } = await w.site.app.inject({ url: ico });
    expect([statusCode, headers["content-type"]]).toEqual([200, "image/svg+xml"]);
    const classes = await get("/Lottery/itemlist", {});
    expect(classes).toContainEqual({ key, name: expect.not.stringContaining("game.class") as string });
  });

  it(
    `pays ${ROUNDS} rounds as recomputed`,
    async () => {
      const random = dicer(ROUNDS);
      const games = [{ key: "any-1m", lid: "lot_1" }];
      while (games.length < Math.min(SIDE_BY_SIDE, ROUNDS)) {
        const key = `any-1m-${games.length}`;
        games.push({ key, lid: `lot_${await w.game({ ...MINUTE_GAME, key, kind })}` });
      }
      await w.live(1_000);
      const some = () =>
        types()
          .filter(() => random() < 0.25)
          .join() || types()[0]!;
      let owed = await balance();
      const open = () =>
        Promise.all(
          games.map(async ({ key, lid }) => ({
            key,
            lid,
            expect: (await get("/Lottery/getLotteryInfo", { key })).next_expect!,
          })),
        );
      for (let n = 0; n < ROUNDS; n += games.length) {
        const opened = await liveUntil(open, (all) => all.every(({ expect }) => expect !== null));
        const placed = opened.map((round) => ({ ...round, items: Array.from({ length: SOME }, some) }));
        const bets = placed.flatMap(({ items, lid, expect }) => items.map((item) => ({ item, lid, expect })));
        const answers = await Promise.all(
          bets.map((bet) => mia.call("/game/placeOrder", { ...bet, money: "1", mid: "" })),
        );
        expect(answers.map(({ code }) => code)).toEqual(bets.map(() => 200));
        await w.live(60_000);
        await liveUntil(unpaid, (count) => count === 0);
        for (const { key, expect: round, items } of placed) {
          const fair = await get("/fair/round", { key, expect: round });
          expect(faultsOf(fair)).toEqual([]);
          for (const item of items)
            owed += winOf(item, 1, odds, fair.opencode!, { kind }) - 100 * item.split(",").length;
        }
        expect([n, await balance()]).toEqual([n, owed]);
      }
      expect(await problemsOf(w)).toEqual([]);
    },
    240_000 + 500 * ROUNDS,
  );
});
