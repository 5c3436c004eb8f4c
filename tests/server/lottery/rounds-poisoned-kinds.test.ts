import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { byLength } from "../../support/length.ts";
import { openConnection, type OwnConnection } from "../../support/own-connection.ts";
import { unguard } from "../../support/copies.ts";
import { cents, oddsByType, winOf, type WireOdds } from "../../support/recompute.ts";
import { MINUTE_GAME, world, type Player, type World } from "../../support/world.ts";
import { operate } from "../admin/operate.ts";
import { payoutsOf, problemsOf, roundOf, ROUND } from "./failing-world.ts";
import { besideTheLog } from "../admin/audit-ground.ts";

const UNITS = 2;
const KINDS = GAME_KINDS.size;

describe.each([...GAME_KINDS.values()].map((rules) => [rules.kind, rules] as const))("a round of %s", (kind, rules) => {
  let w: World;
  let connection: OwnConnection;
  let ill: Player[];
  let well: Player;
  let odds: WireOdds;
  const item = rules.options.map(({ type }) => type).join();
  const staked = UNITS * 100 * rules.options.length;

  beforeEach(async () => {
    w = await world();
    await w.game({ ...MINUTE_GAME, key: "ill-1m", kind });
    await w.game({ ...MINUTE_GAME, key: "well-1m" });
    await w.live(1_000);
    ill = await Promise.all(["ill_1", "ill_2"].map((name) => w.player(name, { balance: 1_000 })));
    well = await w.player("well_1", { balance: 1_000 });
    odds = oddsByType((await w.call("/Lottery/getLotteryPeilv", { id: "lot_1" }, { method: "GET" })).data);
    for (const player of ill) await place(player, "lot_1", item);
    await place(well, "lot_2", "A,B");
    connection = await openConnection(w.config.database);
    await unguard(connection);
  });
  afterEach(async () => {
    await connection.close();
    await w.close();
  });

  async function place(player: Player, lid: string, item: string): Promise<void> {
    const order = { item, money: String(UNITS), lid, mid: "", expect: ROUND };
    expect((await player.call("/game/placeOrder", order)).code).toBe(200);
  }
  const balance = async (player: Player) => cents((await player.call("/member/getUserInfo")).data.money);
  const rates = (one: string) => `[${rules.odds.map(() => one).join()}]`;
  const ofOdds = (milli: string) => ({
    poison: `update odds set milli = '${milli}' where id = 1`,
    mend: `update odds set milli = '${JSON.stringify(rules.odds)}' where id = 1`,
  });
  const ofMask = (mask: string) => ({
    poison: `update bets set mask = ${mask} where id = 1`,
    mend: `update bets set mask = (select mask from bets where id = 2) where id = 1`,
  });

  const POISONS: [string, { poison: string; mend: string }, RegExp][] = [
    ["no odds", ofOdds("[]"), /^bet 1 would win NaN$/],
    ["odds that are no numbers", ofOdds(rates('"x"')), /^bet 1 would win NaN$/],
    ["odds beyond counting", ofOdds(rates("9e16")), /^bet 1 would win \d/],
    ["odds below nothing", ofOdds(rates("-1000")), /^bet 1 would win -/],
    ["a bet on an option that there is not", ofMask("4611686018427387904"), /^bet 1 took \d+, not its stakes$/],
    ["a bet on one option too few", ofMask("mask - 1"), /^bet 1 took \d+, not its stakes$/],
    ["a bet on nothing", ofMask("0"), /^bet 1 took \d+, not its stakes$/],
  ];

  /** In a short run two of them, of which each kind of game has others. */
  const isTried = (i: number) => byLength((i + [...GAME_KINDS.keys()].indexOf(kind)) % KINDS === 0, true);

  it.each(POISONS.filter((_, i) => isTried(i)))(
    "with %s fails its check and pays nobody, until it is repaired and retried",
    async (_, { poison, mend }, failure) => {
      await connection.run(poison);
      await w.live(60_000);
      expect(await roundOf(w, 1)).toMatchObject({
        failure: expect.stringMatching(failure) as string,
        settledAt: null,
      });
      expect(await payoutsOf(w, 1)).toEqual([]);
      expect(await Promise.all(ill.map(balance))).toEqual(ill.map(() => 100_000 - staked));
      expect(await balance(well)).toBe(100_000 - 400 + 390);
      expect(await problemsOf(w)).not.toEqual([]);

      await connection.run(mend);
      await operate(w, "round:retry", "ill-1m", ROUND);
      await w.live(2_000);
      const { opencode } = (await w.call("/fair/round", { key: "ill-1m", expect: ROUND }, { method: "GET" })).data;
      const won = winOf(item, UNITS, odds, opencode!, { kind });
      expect(await Promise.all(ill.map(balance))).toEqual(ill.map(() => 100_000 - staked + won));
      // The log goes on stating what was poisoned.
      expect(besideTheLog(await problemsOf(w))).toEqual([]);
    },
  );

  it("whose dice are no draw of its kind fails its check and pays nobody", async () => {
    await w.live(60_000);
    expect(await roundOf(w, 1)).toMatchObject({ failure: null, indexedAt: expect.any(Number) as number });
    await connection.run("update rounds set settled_at = null, indexed_at = null, dice = '[1]' where id = 1");
    await connection.run("delete from payouts where round_id = 1");
    await w.live(2_000);
    expect(await roundOf(w, 1)).toMatchObject({ failure: "its dice are no draw of its kind", settledAt: null });
    expect(await payoutsOf(w, 1)).toEqual([]);
    const found = await problemsOf(w);
    expect(found).toContainEqual(expect.stringContaining("is no draw of its kind"));
  });
});
