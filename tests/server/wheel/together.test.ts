import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { transfers } from "#db/schema/ledger.ts";
import { DAY_MS } from "#shared/time.ts";
import { excludeMember } from "#server/domains/ledger/limits.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { lock, set } from "../../support/operator.ts";
import type { Player, World } from "../../support/world.ts";
import { changeWords, closeAudited, offer, pairOf, points, prize, spin, spinRows, wheelWorld } from "./wheel-world.ts";

const PRICE = 10;

let w: World;
let players: Player[];

beforeEach(async () => {
  w = await wheelWorld(points("one", 100), points("two", 100));
  await set(w, "spin_daily", "0");
  await set(w, "spin_price", String(PRICE));
  players = [];
  for (let i = 0; i < 8; i++) players.push(await w.player(`mia_${i}`, { balance: 100 }));
});
afterEach(() => closeAudited(w));

const money = async (player: Player) => (await player.call("/member/getUserInfo")).data.money;
const spinAll = (key?: (i: number) => string) => Promise.all(players.map((player, i) => spin(player, key?.(i))));

/** Runs the work, and counts the transactions that the server begins meanwhile. */
async function transactionsOf(work: () => Promise<unknown>): Promise<number> {
  const { db } = w.deps;
  const transact = db.transact.bind(db);
  let begun = 0;
  db.transact = (...input: Parameters<typeof transact>) => (begun++, transact(...input)) as never;
  await work();
  db.transact = transact;
  return begun;
}

describe("spins of several members at once", () => {
  it("share a transaction, and each has its own price, prize, pair and answer", async () => {
    await spinAll();
    let replies: Awaited<ReturnType<typeof spinAll>> = [];
    const begun = await transactionsOf(async () => (replies = await spinAll()));
    expect(begun).toBeLessThan(players.length);
    expect(replies.map(({ code, data }) => [code, data.nonce])).toEqual(players.map(() => [200, 1]));
    const pairs = await Promise.all(players.map(pairOf));
    expect(replies.map(({ data }) => data.commit)).toEqual(pairs.map(({ commit }) => commit));
    expect(await Promise.all(players.map(money))).toEqual(players.map(() => "82.00"));
    const rows = await w.deps.db.read.select().from(transfers);
    expect(rows.filter(({ code }) => code === "spin" || code === "prize")).toHaveLength(4 * players.length);
  });

  it("are refused one by one, and the others are made", async () => {
    const [locked, away, poor, stale] = players as [Player, Player, Player, Player];
    await lock(w, locked.memberId, true);
    await w.deps.db.transact((tx) => excludeMember(tx, away.memberId, w.now() + DAY_MS, w.now()));
    await set(w, "spin_price", "100");
    await spin(poor);
    await changeWords(stale, "words");
    const old = (await pairOf(stale)).commit!;
    await changeWords(stale, "others");
    const replies = await Promise.all(
      players.map((player) => spin(player, undefined, player === stale ? { commit: old } : {})),
    );
    const reasons = replies.map(({ code, reason }) => (code === 200 ? "made" : reason));
    expect(reasons.slice(0, 4)).toEqual(["member.locked", "member.excluded", "balance.insufficient", "commit.stale"]);
    expect(reasons.slice(4)).toEqual(players.slice(4).map(() => "made"));
    const spinners = (await spinRows(w)).map(({ memberId }) => memberId).toSorted((a, b) => a - b);
    expect(spinners).toEqual([poor, ...players.slice(4)].map(({ memberId }) => memberId));
    expect(await money(stale)).toBe("100.00");
  });

  it("fail alone by a bug, and the same key makes the spin later", async () => {
    await spinAll();
    const unlucky = players[3]!;
    arm(`member.leaf:${unlucky.memberId} throw`);
    const codes = (await spinAll((i) => `tap-${i}`)).map(({ code }) => code);
    disarm();
    expect(codes).toEqual(players.map((player) => (player === unlucky ? 500 : 200)));
    expect(await money(unlucky)).toBe("91.00");
    const again = await spinAll((i) => `tap-${i}`);
    expect(again.map(({ code, data }) => [code, data.nonce])).toEqual(players.map(() => [200, 1]));
    expect(await spinRows(w)).toHaveLength(2 * players.length);
  });

  it.each([0, 1, -1])(
    "are halved while they take too long together, and only number %i, slow alone, fails",
    async (at) => {
      await spinAll();
      const slow = players.at(at)!;
      arm(`member.leaf:${slow.memberId} throw 55P03`);
      const codes = (await spinAll((i) => `tap-${i}`)).map(({ code }) => code);
      disarm();
      expect(codes).toEqual(players.map((player) => (player === slow ? 503 : 200)));
      const again = await spinAll((i) => `tap-${i}`);
      expect(again.map(({ code, data }) => [code, data.nonce])).toEqual(players.map(() => [200, 1]));
      expect(await spinRows(w)).toHaveLength(2 * players.length);
    },
  );

  it("of two prizes that are left win no third, and each is drawn from the chances of its time", async () => {
    await offer(w, points("rare", 100, { stock: 2, weight: 1_000_000 }), prize("none"));
    let replies: Awaited<ReturnType<typeof spinAll>> = [];
    const begun = await transactionsOf(async () => (replies = await spinAll()));
    // None of them was tried in vain.
    expect(begun).toBeLessThan(players.length);
    expect(replies.map(({ code }) => code)).toEqual(players.map(() => 200));
    expect(replies.filter(({ data }) => data.id === "rare")).toHaveLength(2);
    const tables = (await spinRows(w)).map(({ tableId }) => tableId);
    expect(new Set(tables).size).toBe(2);
  });

  it("after the last of a prize are drawn from the chances without it", async () => {
    for (let turn = 0; turn < 8; turn++) {
      await offer(w, points("rare", 1, { stock: 1, weight: 1 }), prize("none", { weight: 1 }));
      const before = (await spinRows(w)).length;
      await spinAll();
      const rows = (await spinRows(w)).slice(before);
      const taken = rows.findIndex(({ prizeId }) => prizeId === "rare");
      if (taken < 0) continue;
      const [until, after] = [rows.slice(0, taken + 1), rows.slice(taken + 1)].map((part) =>
        part.map((row) => row.tableId),
      );
      expect(after!.filter((tableId) => until!.includes(tableId))).toEqual([]);
    }
  });
});
