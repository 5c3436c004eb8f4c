import { afterEach, beforeEach, expect, it } from "vitest";
import { logLeaves } from "#db/schema/index.ts";
import { drawRound, isDrawDue } from "#server/domains/lottery/draw-round.ts";
import { findGame, type Game } from "#server/domains/lottery/read-games.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { keyOfRound } from "#server/domains/log/round-keys.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { START, type World } from "../../support/world.ts";
import { KEY, readsOf } from "./rounds-world.ts";
import { roundOf } from "./failing-world.ts";
import { closeOf, setRound, twoGames } from "./two-games.ts";

const NAME = "20260302-0001";
let w: World;
let game: Game;
const { announced } = readsOf(() => w);

/** Two games, whose first rounds 1 and 2 are open. */
beforeEach(async () => {
  w = await twoGames();
  await w.settle();
  game = await findGame(w.deps.db.read, KEY);
});
afterEach(async () => {
  disarm();
  await w.close();
});

const row = (id = 1) => roundOf(w, id);
const draw = async (signature = "", seeds = new Seeds(w.deps.keys)) => {
  const round = await row();
  return w.deps.db.transact((tx) => drawRound(tx, w.deps, seeds, game, round, signature));
};
const close = (id = 1) => closeOf(w, id);
const tell = () => w.deps.publicLog.advance();
const told = async () =>
  [...(await announced("round.drawn")), ...(await announced("round.failed"))].map(({ payload }) => payload);
const leaf = async () =>
  (await w.deps.db.read.select().from(logLeaves)).find(
    ({ key }) => key === keyOfRound("draw", { game: KEY, round: NAME }),
  );
const set = (text: string, id = 1) => setRound(w, id, text);

async function closed(): Promise<void> {
  w.pass(57_000);
  await close();
  await tell();
}

it("a round is drawn once it is closed, told, and due, by its game's time alone, and once", async () => {
  w.pass(57_000);
  await close();
  w.pass(2_999);
  await tell();
  expect(await draw()).toBe("before");
  w.pass(1);
  expect(await draw()).toBe("drawn");
  const { dice, drawnAt, seed } = await row();
  expect([dice!.length, drawnAt]).toEqual([3, START + MINUTE_MS]);
  w.pass(1_000);
  expect(await draw()).toBe("before");
  expect(await row()).toMatchObject({ dice, drawnAt, seed });
  expect((await row(2)).drawnAt).toBeNull();
  expect(await told()).toEqual([{ gameId: 1, roundId: 1, by: w.deps.process }]);
  expect(await leaf()).toBeDefined();
});

it("is not drawn while it is open, or its bets were not told", async () => {
  w.pass(MINUTE_MS);
  expect(await draw()).toBe("before");
  await close();
  expect(await draw()).toBe("before");
  await tell();
  expect(await draw()).toBe("drawn");
});

it("is not drawn where it failed, or its stakes went back", async () => {
  await closed();
  w.pass(3_000);
  for (const over of ["failed_at", "refunded_at"]) {
    await set(`${over} = 1`);
    expect(await draw()).toBe("before");
    await set(`${over} = null`);
  }
  expect([await told(), await leaf()]).toEqual([[], undefined]);
  expect(await draw()).toBe("drawn");
});

it("is due at its time, and at once where a clock ahead opened it more than two rounds too early", () => {
  const due = (drawsAt: number) => isDrawDue(game, { drawsAt }, START);
  expect([due(START), due(START + 1), due(START + 2 * MINUTE_MS), due(START + 2 * MINUTE_MS + 1)]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

it("that was opened too early is drawn as soon as it is closed", async () => {
  await closed();
  w.jump(-2 * MINUTE_MS);
  // Its draw lies two rounds and three seconds ahead.
  expect(await draw()).toBe("drawn");
});

it("that was opened too early, but by no more than two rounds, waits for its time", async () => {
  await closed();
  w.jump(-2 * MINUTE_MS + 3_000);
  expect(await draw()).toBe("before");
  w.jump(-1);
  expect(await draw()).toBe("drawn");
});

it("fails where its seed is not the committed one, and then stays as it is", async () => {
  await closed();
  w.pass(3_000);
  await set(`"commit" = '${"00".repeat(32)}'`);
  expect(await draw()).toBe("failed");
  expect(await row()).toMatchObject({
    failedAt: w.now(),
    failure: "its seed is not the committed one",
    dice: null,
    seed: null,
    drawnAt: null,
  });
  expect([await told(), await leaf()]).toEqual([[{ gameId: 1, roundId: 1 }], undefined]);
  expect(await draw()).toBe("before");
});

it("fails where a beacon stands there already, or comes with a rule that allows none", async () => {
  await closed();
  w.pass(3_000);
  await set("beacon = 'chosen'");
  expect(await draw()).toBe("failed");
  expect((await row()).failure).toBe("it has a beacon that its rule does not allow");
  await set("beacon = '', failed_at = null, failure = null");
  expect(await draw("ab".repeat(48))).toBe("failed");
  expect((await row()).failure).toBe("it has a beacon that its rule does not allow");
});

it("breaks off without a trace", async () => {
  await closed();
  w.pass(3_000);
  arm("round.draw:1 throw");
  await expect(draw()).rejects.toThrow("round.draw");
  expect([(await row()).drawnAt, await told(), await leaf()]).toEqual([null, [], undefined]);
});
