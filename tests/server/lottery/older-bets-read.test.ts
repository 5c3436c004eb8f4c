import { afterEach, beforeEach, expect, it } from "vitest";
import { bets, rounds } from "#db/schema/index.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { readBetIds, readWaitingRounds } from "#server/domains/lottery/read-orders.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { openNoting, type NotingConnection } from "../../support/asked-statements.ts";
import { databaseIn } from "../../support/databases.ts";
import type { Player, World } from "../../support/world.ts";
import { orderOf } from "./book-world.ts";
import { KEY } from "./rounds-world.ts";
import { twoGames } from "./two-games.ts";

/** Bets that are read at once. */
const PAGE = 50;

let w: World;
let mia: Player;
let connection: NotingConnection;

beforeEach(async () => {
  w = await twoGames();
  mia = await w.player("mia_1", { balance: 100_000 });
  await w.live(1_000);
  connection = await openNoting(databaseIn(w));
});
afterEach(async () => {
  await connection.close();
  await w.close();
});

const place = (roundId: number, count: number) =>
  betBookOf(w.deps.db).place(Array.from({ length: count }, () => orderOf(mia.memberId, roundId)));
const allRounds = () => w.deps.db.read.select().from(rounds).orderBy(rounds.id);
const openOf = async (gameId: number) =>
  (await allRounds()).find((round) => round.gameId === gameId && round.closedAt === null)!.id;
const versionsOf = async (roundId: number) =>
  (await w.deps.db.read.select().from(bets).orderBy(bets.id))
    .filter((one) => one.roundId === roundId)
    .map(({ version }) => version);

/** Bets on three rounds: three pages of bets on the second, with many before and more since. All are indexed. */
async function placeOnThree(): Promise<number[]> {
  const betOn: number[] = [];
  for (const [gameId, count] of [
    [2, 60],
    [1, 3 * PAGE],
    [1, 90],
  ] as const) {
    betOn.push(await openOf(gameId));
    await place(betOn.at(-1)!, count);
    await w.live(MINUTE_MS);
  }
  return betOn;
}

it("the bets of an older round are read in as many pages as they fill, and what came before and since is not", async () => {
  const [before, wanted, since] = await placeOnThree();
  const round = (await allRounds()).find(({ id }) => id === wanted)!;
  const game = await findGame(w.deps.db.read, KEY);
  expect(await readBetIds(connection.tx, { game, round }, mia.memberId)).toHaveLength(3 * PAGE);
  const asked = connection.asked.filter(({ sql }) => sql.includes("limit")).map(({ params }) => params as number[]);
  const pages = asked.filter((params) => params.includes(PAGE));
  const [first, last] = [(await versionsOf(since!))[0]!, (await versionsOf(before!)).at(-1)!];
  // Winnings lie between, so a page begins where the one before it ended.
  const versions = (await versionsOf(wanted!)).toReversed();
  const ends = [first - 1, ...[1, 2].map((page) => versions[page * PAGE - 1]! - 1)];
  expect(pages.map((params) => ends.filter((end) => params.includes(end)))).toEqual(ends.map((end) => [end]));
  expect(versions.at(-1)).toBeGreaterThan(last);
  // Each look halves the versions that are left.
  expect(asked.length - pages.length).toBeLessThanOrEqual(Math.ceil(Math.log2(first + 90)));
});

it("rounds that wait are shown newest first, whichever was bet on last", async () => {
  const both = [await openOf(1), await openOf(2)];
  for (const round of [both[1]!, both[0]!, both[1]!]) await place(round, 1);
  const shown = async () => (await readWaitingRounds(w.deps.db.read, 1, mia.memberId)).map(({ key }) => key);
  expect(await shown()).toEqual(["k3-b", KEY]);
  await place(both[0]!, 1);
  expect(await shown()).toEqual(["k3-b", KEY]);
});
