import { afterEach, beforeEach, expect, it } from "vitest";
import { bets, payouts, rounds } from "#db/schema/index.ts";
import { betBookOf } from "#server/domains/lottery/bet-book.ts";
import { readCounted, readOutcomes } from "#server/domains/lottery/read-outcomes.ts";
import type { CountedMember } from "#server/domains/lottery/count-bets.ts";
import { MINUTE_MS } from "#shared/time.ts";
import { bet, drawWithoutSettling } from "../../support/ledger.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { orderOf } from "./book-world.ts";

/** More bets than are read at once. */
const MANY = 1_300;

let w: World;
let [mia, leo, eva]: Player[] = [];
beforeEach(async () => {
  w = await world();
  await w.game();
  [mia, leo, eva] = await Promise.all(["m_1", "l_1", "e_1"].map((name) => w.player(name, { balance: 100_000 })));
  await w.live(1_000);
});
afterEach(() => w.close());

const counted = (round: number, ...players: Player[]) =>
  readCounted(
    w.deps.db.read,
    round,
    players.map(({ memberId }) => memberId),
  );
const placeMany = (count: number, player: Player) =>
  betBookOf(w.deps.db).place(Array.from({ length: count }, () => orderOf(player.memberId, 1)));
const idsOf = async (player: Player) =>
  (await w.deps.db.read.select().from(bets).orderBy(bets.id))
    .filter(({ memberId }) => memberId === player.memberId)
    .map(({ id }) => id);
async function draw(): Promise<void> {
  w.pass(MINUTE_MS);
  await drawWithoutSettling(w);
}

/** Another process drew it, and has a second to settle it. */
async function settle(): Promise<void> {
  await w.live(1_000);
  const unindexed = (await w.deps.db.read.select().from(rounds)).filter(({ id, indexedAt }) => id === 1 && !indexedAt);
  if (unindexed.length > 0) throw new Error("it was not settled");
}

it("of nobody is nothing read, not even the round", async () => {
  expect(await readCounted(w.deps.db.read, 999, [])).toEqual(new Map());
});

it("all bets of a round are gone through in pages, each once", async () => {
  await bet(w, mia!, 1, "A");
  for (let placed = 0; placed < MANY; placed += 500) await placeMany(Math.min(500, MANY - placed), leo!);
  await bet(w, mia!, 1, "A");
  await draw();
  // So many members are asked for that all bets are read.
  const all = await readCounted(
    w.deps.db.read,
    1,
    Array.from({ length: 500 }, (_, i) => i + 1),
  );
  for (const player of [mia!, leo!]) expect(all.get(player.memberId)!.ids).toEqual(await idsOf(player));
});

it("the last bet of a round, and the newest change of a wallet, are found before it is settled and after", async () => {
  await placeMany(40, mia!);
  // Whatever is drawn, one of the two has lost, and nothing came after that bet.
  await bet(w, leo!, 1, "A");
  await bet(w, eva!, 1, "B");
  await draw();
  const find = async () => {
    const [both, one, other] = [await counted(1, leo!, eva!), await counted(1, leo!), await counted(1, eva!)];
    expect(new Map([...one, ...other])).toEqual(both);
    return [leo!, eva!].map(({ memberId }) => both.get(memberId)?.ids);
  };
  expect(await find()).toEqual([[41], [42]]);
  await settle();
  expect(await find()).toEqual([[41], [42]]);
});

it("many bets of a member are found in their order, however far back", async () => {
  await placeMany(400, eva!);
  await placeMany(50, leo!);
  await draw();
  await settle();
  expect((await counted(1, leo!)).get(leo!.memberId)!.ids).toEqual(await idsOf(leo!));
});

it("outcomes are those of the round that is asked for, with the wallet as it was after it", async () => {
  for (const _ of [1, 2]) {
    for (const player of [mia!, leo!]) await bet(w, player, 10, "A,B");
    await bet(w, eva!, 10, "A");
    await bet(w, eva!, 10, "B");
    await w.live(MINUTE_MS);
  }
  const all = [...(await counted(1, mia!, leo!, eva!))];
  const read = async (members: [number, CountedMember][]) => {
    const pieces = [];
    for await (const piece of readOutcomes(w.deps.db.read, 1, members)) pieces.push(piece);
    return pieces;
  };
  const [outcomes, ...more] = await read(all);
  expect(more).toEqual([]);
  const byMember = (a: { memberId: number }, b: { memberId: number }) => a.memberId - b.memberId;
  const paid = (await w.deps.db.read.select().from(payouts)).filter(({ roundId }) => roundId === 1).sort(byMember);
  expect(
    outcomes!.sort(byMember).map(({ memberId, balance, version, win }) => ({ memberId, balance, version, win })),
  ).toEqual(
    paid.map((one) => ({ memberId: one.memberId, balance: one.balanceAfter, version: one.version, win: one.amount })),
  );
  expect(await read([])).toEqual([]);
});
