import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bets } from "#db/schema/index.ts";
import { memberWireId } from "#server/domains/account/find-member.ts";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { GAME_KINDS, rulesOf } from "#shared/lottery/games.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { set } from "../../support/operator.ts";
import { START, type Player, type World } from "../../support/world.ts";
import { KEY } from "./rounds-world.ts";
import { twoGames } from "./two-games.ts";

const ROUND = "20260302-0001";
/** What is answered while nobody may play. */
const CLOSED = [403, { reason: "feature.off" }];
/** The options of both games. */
const OWN = new Set(rulesOf("dice-sum").options.map(({ type }) => type));
let w: World;
let [mia, leo]: Player[] = [];

/** Two games, whose first rounds 1 and 2 are open. */
beforeEach(async () => {
  w = await twoGames();
  [mia, leo] = [await w.player("mia_1", { balance: 1_000 }), await w.player("leo_1", { balance: 1_000 })];
  await w.live(1_000);
});
afterEach(async () => {
  disarm();
  await w.close();
});

const order = (over: object = {}) => ({ item: "A", money: "10", lid: "lot_1", mid: "", expect: ROUND, ...over });
const place = (over: object = {}, player = mia!, key?: string) =>
  player.call("/game/placeOrder", order(over), key === undefined ? {} : { key });
const outcome = async (over: object = {}) => {
  const { code, data } = await place(over);
  return [code, data];
};
const rows = async () => (await w.deps.db.read.select().from(bets)).map(({ roundId, memberId }) => [roundId, memberId]);

it("goes to the round of its game, day and number", async () => {
  await place();
  await place({ lid: "lot_2" });
  await w.live(DAY_MS - 1_000);
  expect((await place({ expect: "20260303-0001" })).code).toBe(200);
  expect(await rows()).toEqual([
    [1, mia!.memberId],
    [2, mia!.memberId],
    [3, mia!.memberId],
  ]);
});

it("is taken once for each key of each member", async () => {
  const ids = [];
  for (const _ of [1, 2])
    for (const [player, key] of [
      [mia!, "one"],
      [leo!, "one"],
      [mia!, "two"],
    ] as const)
      ids.push((await place({}, player, key)).data);
  expect(ids.slice(3)).toEqual(ids.slice(0, 3));
  expect(ids.map(({ id }) => id).slice(0, 3)).toEqual(["bet_1", "bet_2", "bet_3"]);
  expect(await rows()).toHaveLength(3);
});

it("tells its member's devices what was taken", async () => {
  const told: unknown[] = [];
  w.deps.bus.on("wallet.changed", (event) => told.push(event));
  await place({}, mia, "one");
  await place({}, mia, "one");
  expect(told).toEqual([{ memberId: mia!.memberId, delta: -1_000, code: "stake", balance: 99_000, version: 2 }]);
});

describe("a bet is refused", () => {
  afterEach(async () => {
    if ((await rows()).length > 0) throw new Error("it was taken");
  });

  it("on an option that no game has, whatever else is wrong, and on one of another kind", async () => {
    const fieldsOf = async (over: object) => {
      const { code, fields } = await place(over);
      return [code, Object.keys(fields ?? {})];
    };
    // No game of three dice has the option of another kind.
    const strange = [...GAME_KINDS.values()].flatMap(({ options }) => options).find(({ type }) => !OWN.has(type))!;
    expect(await fieldsOf({ item: strange.type })).toEqual([400, ["item"]]);
    await set(w, "isplay", "0");
    expect(await fieldsOf({ item: "A,nothing" })).toEqual([400, ["item"]]);
    expect(await outcome({ item: strange.type })).toEqual(CLOSED);
  });

  it("while nobody may play, and under another member's name", async () => {
    expect((await place({ mid: memberWireId(leo!.memberId) })).data).toMatchObject({ reason: "bet.foreign" });
    await set(w, "isplay", "0");
    expect(await outcome()).toEqual(CLOSED);
  });

  it("on a round that was never opened, though another one is open", async () => {
    for (const expected of ["20260302-0900", "20260401-0001", "99999999-0001"])
      expect(await outcome({ expect: expected })).toEqual([
        422,
        { reason: "round.closed", state: "open", next_ms: START },
      ]);
  });

  it("of a game that there is not, unless its member is on a break", async () => {
    for (const lid of ["lot_9", "lot_x"]) expect(await outcome({ lid })).toEqual([404, { reason: "object.unknown" }]);
    await mia!.call("/member/limits", { exclude_until: String((w.now() + DAY_MS) / 1_000) });
    for (const lid of ["lot_9", "lot_x"]) expect(await outcome({ lid })).toEqual([403, { reason: "member.excluded" }]);
  });

  it("with when the next round is drawn or was opened, or that there is none", async () => {
    w.pass(56_000);
    const drawing = { reason: "round.closed", state: "drawing", next_ms: START + MINUTE_MS };
    expect(await outcome()).toEqual([422, drawing]);
    await w.live(3_000);
    expect(await outcome()).toEqual([422, { reason: "round.closed", state: "open", next_ms: START + MINUTE_MS }]);
    const game = await findGame(w.deps.db.read, KEY);
    await w.deps.db.transact((tx) => pauseGame(tx, w.deps, game, { paused: true, reason: null }));
    await w.live(10 * MINUTE_MS);
    expect(await outcome()).toEqual([422, { reason: "round.closed", state: "paused" }]);
  });

  it("with a fault where the database had one, which the log names", async () => {
    arm("bets.place throw");
    const { code } = await place();
    expect(code).toBe(500);
    expect(w.logged.filter((line) => line.includes("failpoint bets.place"))).not.toEqual([]);
  });
});

it("may name its own member", async () => {
  expect((await place({ mid: memberWireId(mia!.memberId) })).code).toBe(200);
});
