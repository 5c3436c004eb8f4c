import { afterEach, expect, it } from "vitest";
import { bets, rounds } from "#db/schema/index.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { readBetIds, readOwnRounds, readWaitingRounds } from "#server/domains/lottery/read-orders.ts";
import { betWireId } from "#server/domains/lottery/views.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { bet } from "../../support/ledger.ts";
import { topUp } from "../../support/top-up.ts";
import { START, type Player, type World } from "../../support/world.ts";
import { orderOf } from "./book-world.ts";
import { KEY } from "./rounds-world.ts";
import { OTHER_KEY, twoGames } from "./two-games.ts";

let w: World;
let mia: Player;
let leo: Player;
afterEach(() => w.close());

async function site(now = START): Promise<void> {
  w = await twoGames({ now });
  [mia, leo] = [await w.player("mia_1", { balance: 100_000 }), await w.player("leo_1", { balance: 100_000 })];
  await w.live(1_000);
}

const rowsOf = () => w.deps.db.read.select().from(rounds).orderBy(rounds.id);
const gameOf = (key = KEY) => findGame(w.deps.db.read, key);
const openIds = async () => {
  const open = (await rowsOf()).filter(({ closedAt }) => closedAt === null);
  return [1, 2].map((gameId) => open.find((round) => round.gameId === gameId)!.id) as [number, number];
};
const place = (player: Player, roundId: number, count: number) =>
  betBookOf(w.deps.db).place(Array.from({ length: count }, () => orderOf(player.memberId, roundId)));
/** The names of the rounds that are shown, with what was staked on each. */
const shown = async () =>
  (await readOwnRounds(w.deps.db.read, 1, await gameOf(), mia.memberId)).map(
    ({ expect: round, money }) => `${round} ${money}`,
  );
const idsOf = async (roundId: number, key = KEY) => {
  const round = (await rowsOf()).find(({ id }) => id === roundId)!;
  return readBetIds(w.deps.db.read, { game: await gameOf(key), round }, mia.memberId);
};
/** The same, by the bets themselves. */
const expected = async (roundId: number) =>
  (await w.deps.db.read.select().from(bets).orderBy(bets.id))
    .filter((one) => one.roundId === roundId && one.memberId === mia.memberId)
    .map(({ id }) => betWireId(id));
const sorted = (ids: string[]) => ids.toSorted((a, b) => Number(a.slice(4)) - Number(b.slice(4)));

it("a table shows the stakes of its three newest rounds, over midnight too", async () => {
  await site(START + DAY_MS - 3 * MINUTE_MS);
  const names: string[] = [];
  for (let i = 1; i <= 6; i++) {
    const [round] = await openIds();
    names.unshift(`${roundText((await rowsOf()).find(({ id }) => id === round)!)} ${i}.00`);
    await bet(w, mia, i, "A");
    await w.live(MINUTE_MS);
  }
  expect(names[1]).toMatch(/^20260303-0002 /);
  // The newest is open, and has no bet of hers.
  expect(await shown()).toEqual(names.slice(0, 2));
  await bet(w, mia, 9, "A");
  expect((await shown()).length).toBe(3);
});

it("more bets than are read at once are all shown, of however many that came before and since", async () => {
  await site();
  const [first, other] = await openIds();
  await place(mia, other, 70);
  await w.live(MINUTE_MS);
  const [second] = await openIds();
  await place(leo, second, 30);
  await place(mia, second, 120);
  await w.live(MINUTE_MS);
  for (let i = 0; i < 5; i++) await topUp(w, mia, 1);
  const [third] = await openIds();
  await place(mia, third, 90);
  for (const done of [false, true]) {
    if (done) await w.live(MINUTE_MS);
    expect(await idsOf(first)).toEqual([]);
    for (const [round, key] of [
      [other, OTHER_KEY],
      [second, KEY],
      [third, KEY],
    ] as const)
      expect(sorted(await idsOf(round, key))).toEqual(await expected(round));
    expect(await shown()).toEqual(["20260302-0003 1800.00", "20260302-0002 2400.00"]);
  }
});

it("a round's bets are those of its game and number, each once while they are being indexed", async () => {
  await site();
  const [first, other] = await openIds();
  await place(mia, first, 2);
  await place(mia, other, 3);
  expect([sorted(await idsOf(first)), sorted(await idsOf(other, OTHER_KEY))]).toEqual([
    await expected(first),
    await expected(other),
  ]);
  expect(
    (await readWaitingRounds(w.deps.db.read, 1, mia.memberId)).map(({ key, money, win }) => [key, money, win]),
  ).toEqual([
    [OTHER_KEY, "60.00", null],
    [KEY, "40.00", null],
  ]);
  await w.live(MINUTE_MS);
  const [next] = await openIds();
  await place(mia, next, 1);
  for (const round of [first, next]) expect(sorted(await idsOf(round))).toEqual(await expected(round));
  expect((await readWaitingRounds(w.deps.db.read, 1, mia.memberId)).map(({ money }) => money)).toEqual(["20.00"]);
});
