import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gaps, odds, rounds, shownPlaces } from "#db/schema/index.ts";
import { changeBeacon } from "#server/domains/lottery/change-beacon.ts";
import { closeEarlyRound } from "#server/domains/lottery/close-round.ts";
import { lastBet, openRound } from "#server/domains/lottery/open-round.ts";
import { publishAnchors } from "#server/domains/lottery/publish-anchors.ts";
import { listGames, type Game } from "#server/domains/lottery/read-games.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { drandMode } from "#shared/lottery/beacon.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { dayOf, HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { MINUTE_GAME, START, type World } from "../../support/world.ts";
import { betSurely } from "./failing-world.ts";
import { readsOf } from "./rounds-world.ts";
import { closeOf, twoGames } from "./two-games.ts";

let w: World;
let seeds: Seeds;
let game: Game;
let other: Game;
const { announced } = readsOf(() => w);

beforeEach(async () => {
  w = await twoGames();
  seeds = new Seeds(w.deps.keys);
  [game, other] = (await listGames(w.deps.db.read)) as [Game, Game];
});
afterEach(async () => {
  disarm();
  await w.close();
});

const anchor = (of: Game = game) => publishAnchors(w.deps, seeds, of);
const openOf = (of: Game = game) => w.deps.db.transact((tx) => openRound(tx, w.deps, seeds, of));
const close = (id: number) => closeOf(w, id);
const names = async () =>
  (await w.deps.db.read.select().from(rounds).orderBy(rounds.id)).map((round) => `${round.gameId} ${roundText(round)}`);

it("opens the round of the moment, once, before its bets end, and tells every process", async () => {
  await anchor();
  w.pass(57_000);
  expect([await openOf(), await names()]).toEqual([false, []]);
  w.pass(-1);
  expect(await openOf()).toBe(true);
  expect([await openOf(), await names()]).toEqual([false, ["1 20260302-0001"]]);
  expect((await announced("round.opened")).map(({ payload }) => payload)).toEqual([{ gameId: 1, roundId: 1 }]);
});

it("opens none on a day without an anchor of the game itself, or that breaks off", async () => {
  await anchor(other);
  expect(await openOf()).toBe(false);
  await anchor();
  arm("round.open:1 throw");
  await expect(openOf()).rejects.toThrow("round.open");
  expect([await names(), await announced("round.opened")]).toEqual([[], []]);
  disarm();
  expect(await openOf()).toBe(true);
});

it("opens none whose bets end before the game had its first odds", async () => {
  w.jump(57_000);
  await w.game({ ...MINUTE_GAME, key: "k3-c" });
  w.jump(1);
  await w.game({ ...MINUTE_GAME, key: "k3-d" });
  w.jump(-57_001);
  const [inTime, late] = (await listGames(w.deps.db.read)).slice(2);
  for (const one of [inTime!, late!]) await anchor(one);
  expect([await openOf(inTime), await openOf(late)]).toEqual([true, false]);
});

it("opens no place up to the highest that was shown of its day", async () => {
  await anchor();
  w.pass(2 * MINUTE_MS);
  const show = (number: number, gameId = game.id, day = dayOf(START)) =>
    w.deps.db.transact((tx) => tx.insert(shownPlaces).values({ gameId, day, number }));
  await show(9, other.id);
  await show(9, game.id, dayOf(START) - 1);
  await show(3);
  expect(await openOf()).toBe(false);
  w.pass(MINUTE_MS);
  expect(await openOf()).toBe(true);
});

it("takes back what a clock ahead wrote of the rounds to come", async () => {
  await anchor();
  const [day, gap] = [dayOf(START), { gameId: game.id, reason: "down" as const, createdAt: START }];
  await w.deps.db.transact((tx) =>
    tx.insert(gaps).values({ ...gap, fromDay: day, fromNumber: 2, toDay: day, toNumber: 60 }),
  );
  expect(await openOf()).toBe(true);
  expect((await w.deps.db.read.select().from(gaps)).map(({ takenBackAt }) => takenBackAt)).toEqual([START]);
});

it("opens none after a round that was skipped, until the log has told of that", async () => {
  await anchor();
  w.jump(HOUR_MS);
  expect(await openOf()).toBe(true);
  w.jump(-HOUR_MS);
  expect(await w.deps.db.transact((tx) => closeEarlyRound(tx, w.deps, game, 1), "fence")).toBe(true);
  w.pass(HOUR_MS + MINUTE_MS);
  expect(await openOf()).toBe(false);
  await w.deps.publicLog.advance();
  expect(await openOf()).toBe(true);
});

describe("an earlier round", () => {
  beforeEach(async () => {
    await anchor();
    await anchor(other);
    await openOf();
  });

  it("that is open, or whose bets nobody was told, keeps the next of its game closed, and no other's", async () => {
    w.pass(MINUTE_MS);
    expect([await openOf(), await openOf(other)]).toEqual([false, true]);
    expect(await close(1)).toBe(true);
    expect(await openOf()).toBe(false);
    await w.deps.publicLog.advance();
    expect([await openOf(), await names()]).toEqual([true, ["1 20260302-0001", "2 20260302-0002", "1 20260302-0002"]]);
  });

  it("that was drawn keeps none closed", async () => {
    w.pass(57_000);
    await close(1);
    await w.deps.publicLog.advance();
    w.pass(3_000);
    await w.settle();
    expect(await names()).toContain("1 20260302-0002");
  });

  it("has taken the bets up to where the next one begins", async () => {
    await betSurely(await w.player("mia_1", { balance: 100 }), "lot_1", "20260302-0001");
    w.pass(MINUTE_MS);
    await close(1);
    await w.deps.publicLog.advance();
    await openOf();
    expect(await w.deps.db.transact((tx) => lastBet(tx))).toBe(1);
    expect((await w.deps.db.read.select().from(rounds).orderBy(rounds.id)).map(({ fromBet }) => fromBet)).toEqual([
      1, 2,
    ]);
  });
});

it("opens with the newest odds of its own game", async () => {
  await w.deps.db.transact(async (tx) => {
    const [first] = await tx.select().from(odds).limit(1);
    const { id: _, ...terms } = first!;
    await tx.insert(odds).values([
      { ...terms, gameId: game.id },
      { ...terms, gameId: other.id },
    ]);
  });
  await anchor();
  await openOf();
  expect((await w.deps.db.read.select().from(rounds))[0]!.oddsId).toBe(3);
});

it("opens none under a beacon that this version does not know", async () => {
  await anchor();
  await w.deps.db.transact((tx) => changeBeacon(tx, w.deps, game, drandMode({ hash: "00".repeat(32) })));
  w.pass(2 * MINUTE_MS);
  await expect(openOf()).rejects.toThrow("this version does not know the beacon drand:00");
  expect(await names()).toEqual([]);
});
