import { afterEach, beforeEach, expect, it } from "vitest";
import { readCounted } from "#server/domains/lottery/read-outcomes.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { bet, drawWithoutSettling } from "../../support/ledger.ts";
import { settleInSteps } from "../../support/settling.ts";
import { topUp } from "../../support/top-up.ts";
import { MINUTE_GAME, world, type Player, type World } from "../../support/world.ts";

/** Bets of others, beside which those of two members are few. */
const OTHERS = 24;

let w: World;
let [mia, leo, eva, ben]: Player[] = [];

beforeEach(async () => {
  w = await world();
  await w.game();
  await w.game({ ...MINUTE_GAME, key: "k3-b" });
  for (const name of ["mia_1", "leo_1", "eva_1", "ben_1"]) await w.player(name, { balance: 10_000 });
  [mia, leo, eva, ben] = await Promise.all(
    ["m_2", "l_2", "e_2", "b_2"].map((name) => w.player(name, { balance: 10_000 })),
  );
  await w.live(1_000);
});
afterEach(() => w.close());

const ids = (...players: (Player | undefined)[]) => players.map((player) => player!.memberId);
const counted = (...players: (Player | undefined)[]) => readCounted(w.deps.db.read, 3, ids(...players));

async function betOnOther(player: Player): Promise<void> {
  const { data } = await w.call("/Lottery/getLotteryInfo", { key: "k3-b" }, { method: "GET" });
  await player.call("/game/placeOrder", { item: "A", money: "1", lid: "lot_2", mid: "", expect: data.next_expect! });
}

/** Plays a round before it, and takes bets on the rounds 3 and 4, the second of each game, mixed with each other. */
async function bettingOver(): Promise<void> {
  await bet(w, mia!, 5, "A");
  await w.live(MINUTE_MS);
  for (const item of ["A,B", "C", "7"]) {
    await bet(w, mia!, 10, item);
    await betOnOther(mia!);
  }
  await topUp(w, leo!, 5);
  await bet(w, leo!, 20, "C,D");
  for (let i = 0; i < OTHERS; i++) await bet(w, eva!, 1, "A");
  w.pass(MINUTE_MS);
  await drawWithoutSettling(w);
}

/** What all bets of the round say of the two. */
async function expected() {
  const all = await readCounted(
    w.deps.db.read,
    3,
    Array.from({ length: 100 }, (_, i) => i + 1),
  );
  expect(new Set(all.keys())).toEqual(new Set(ids(mia, leo, eva)));
  return new Map(ids(mia, leo).map((memberId) => [memberId, all.get(memberId)!]));
}

it("of few members their own bets are read, before a round is settled and after each step of it", async () => {
  await bettingOver();
  const all = await expected();
  expect(all.get(mia!.memberId)!.ids).toHaveLength(3);
  expect(all.get(mia!.memberId)!.win).toBeGreaterThan(0);
  expect(await counted(mia, leo, ben)).toEqual(all);
  let steps = 0;
  for await (const _ of settleInSteps(w, 3)) {
    steps++;
    expect(await counted(mia, leo, ben)).toEqual(all);
  }
  expect(steps).toBeGreaterThan(2);
});

it("they are found behind any number of newer rows, and of a wallet that has none before", async () => {
  await bettingOver();
  const all = await expected();
  await w.settle();
  for (let i = 0; i < 40; i++) await topUp(w, i % 2 ? mia! : leo!, 1);
  for (let i = 0; i < 10; i++) await bet(w, mia!, 1, "A");
  await w.live(MINUTE_MS);
  expect(await counted(mia, leo, ben)).toEqual(all);
});

it("nobody's bets are read where nobody is asked for, and none are found of who is no member", async () => {
  await bettingOver();
  expect(await counted()).toEqual(new Map());
  expect(await readCounted(w.deps.db.read, 3, [999])).toEqual(new Map());
});
