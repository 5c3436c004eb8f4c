import { afterEach, beforeEach, expect, it } from "vitest";
import { spentKeys } from "#db/schema/index.ts";
import { betBookOf, type BetAnswer } from "#server/domains/lottery/bet-book.ts";
import { DAY_MS, MINUTE_MS } from "#shared/time.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { orderOf } from "./book-world.ts";

let w: World;
let [mia, leo]: Player[] = [];
beforeEach(async () => {
  w = await world();
  await w.game();
  [mia, leo] = [await w.player("mia_1", { balance: 1_000 }), await w.player("leo_1", { balance: 1_000 })];
  await w.live(1_000);
});
afterEach(() => w.close());

const place = async (player: Player, roundId: number, key: string, requestHash = "asked"): Promise<BetAnswer> =>
  (await betBookOf(w.deps.db).place([orderOf(player.memberId, roundId, { key, requestHash })]))[0]!;

it("a key of a settled round's bet stands for that bet, for its member alone, and no other key does", async () => {
  const [taken] = [await place(mia!, 1, "tap-1"), await place(mia!, 1, "tap-2"), await place(leo!, 1, "tap-3")];
  await w.live(MINUTE_MS);
  expect((await w.deps.db.read.select().from(spentKeys)).map(({ key }) => key).sort()).toEqual([
    "tap-1",
    "tap-2",
    "tap-3",
  ]);
  expect(await place(mia!, 1, "tap-1")).toEqual({ ...taken, fresh: false, commit: null });
  expect(await place(mia!, 1, "tap-1", "other")).toEqual({ refused: "key.reused" });
  for (const [player, key] of [
    [leo!, "tap-1"],
    [mia!, "tap-3"],
    [mia!, "tap-4"],
  ] as const)
    expect(await place(player, 1, key)).toEqual({ refused: "round.closed" });
  // It is taken in the open round, as a bet of its own.
  expect(await place(leo!, 2, "tap-1")).toMatchObject({ betId: 4, fresh: true });
});

const prune = () => w.deps.db.job("bets.prune", null, () => {});
const left = async () =>
  (await w.deps.db.read.select().from(spentKeys).orderBy(spentKeys.memberId, spentKeys.key)).map(
    ({ memberId, key, betId }) => `${memberId} ${key} ${betId}`,
  );

/** Bet 1 in round 1, bet 2 in round 2, each with a key. Returns when round 1 closed. */
async function twoRounds(): Promise<number> {
  await place(mia!, 1, "old");
  await w.live(56_000);
  const closedAt = w.now();
  await w.live(3_000);
  await place(leo!, 2, "new");
  await w.live(57_000);
  await w.live(3_000);
  expect(await left()).toEqual(["1 old 1", "2 new 2"]);
  return closedAt;
}

it("keys are kept until a day after their round closed, and then forgotten", async () => {
  expect(await prune()).toBe(0);
  const closedAt = await twoRounds();
  w.pass(closedAt + DAY_MS - w.now());
  expect([await prune(), await left()]).toEqual([0, ["1 old 1", "2 new 2"]]);
  w.pass(1);
  expect([await prune(), await left()]).toEqual([1, ["2 new 2"]]);
  w.pass(60_000);
  expect([await prune(), await left()]).toEqual([1, []]);
});

it("thousands of them are gone through in pages, each key once, and the younger stay", async () => {
  const closedAt = await twoRounds();
  const many = [mia!, leo!].flatMap(({ memberId }, of) =>
    Array.from({ length: 2_300 + of * 100 }, (_, i) => {
      const betId = i % 3 === 0 ? 2 : 1;
      return { memberId, key: `key-${String(i).padStart(4, "0")}`, betId, requestHash: "" };
    }),
  );
  for (let from = 0; from < many.length; from += 1_000)
    await w.deps.db.transact((tx) => tx.insert(spentKeys).values(many.slice(from, from + 1_000)));
  const all = await left();
  const younger = all.filter((row) => row.endsWith(" 2"));
  w.pass(closedAt + DAY_MS + 1 - w.now());
  expect(await prune()).toBe(all.length - younger.length);
  expect(await left()).toEqual(younger);
  expect(await prune()).toBe(0);
});
