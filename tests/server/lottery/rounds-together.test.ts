import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eq } from "drizzle-orm";
import { pino } from "pino";
import { gaps, houseEntries, payouts } from "#db/schema/index.ts";
import { openSite, type Site } from "#server/app/site.ts";
import { faultsOf } from "../../support/recompute.ts";
import type { Player, World } from "../../support/world.ts";
import { KEY, readsOf, roundsWorld } from "./rounds-world.ts";

let w: World;
let second: Site;
let hand: Float64Array<SharedArrayBuffer>;
let mia: Player;
const { info, fair, rounds, announced } = readsOf(() => w);

beforeEach(async () => {
  w = await roundsWorld();
  mia = await w.player("mia_1", { balance: 1_000 });
  hand = new Float64Array(new SharedArrayBuffer(8));
  hand[0] = w.now();
  const clock = { kind: "shared", buffer: hand.buffer } as const;
  second = await openSite(w.config, { clock, log: pino({ level: "silent" }) });
});
afterEach(async () => {
  await second.close();
  await w.close();
});

/** Moves the clock, and lets both servers do what is due at once. */
async function live(ms: number): Promise<void> {
  w.pass(ms);
  hand[0] = w.now();
  const sites = [w.site, second];
  await Promise.all(sites.flatMap(({ rounds }) => [rounds.tick(), rounds.tick()]));
  await Promise.allSettled(sites.map(({ rounds }) => rounds.settle()));
  // The second server at a round may have given up on it.
  await w.site.rounds.settle();
}

const bet = (expect: string) =>
  mia.call("/game/placeOrder", { item: "A,B", money: "10", lid: "lot_1", mid: "", expect });

describe("two servers on one database", () => {
  it("open, close, draw and settle every round once", async () => {
    for (let i = 0; i < 5; i++) {
      expect((await bet((await info()).next_expect!)).code).toBe(200);
      await live(57_000);
      await live(3_000);
    }
    const all = await rounds();
    expect(all).toHaveLength(6);
    for (const round of all.slice(0, 5)) expect(faultsOf(await fair(round.expect))).toEqual([]);
    for (const [topic, times] of [
      ["round.opened", 6],
      ["round.closed", 5],
      ["round.drawn", 5],
    ] as const) {
      const rounds = (await announced(topic)).map(({ payload }) => (payload as { roundId: number }).roundId);
      expect(rounds).toEqual(all.slice(0, times).map(({ id }) => id));
    }
    expect((await mia.call("/member/getUserInfo")).data.money).toBe("997.50");
    const { read } = w.deps.db;
    const paid = await read.select().from(payouts).orderBy(payouts.roundId);
    expect(paid.map(({ roundId, amount }) => [roundId, amount])).toEqual(all.slice(0, 5).map(({ id }) => [id, 1_950]));
    expect(await read.select().from(houseEntries).where(eq(houseEntries.kind, "payouts"))).toHaveLength(5);
  });

  it("close a round for a bet at the same moment, wherever it is placed", async () => {
    const { next_expect } = await info();
    await live(57_000);
    const form = new URLSearchParams({ item: "A", money: "1", lid: "lot_1", mid: "", expect: next_expect! });
    const headers = { token: btoa(mia.token), "content-type": "application/x-www-form-urlencoded" };
    hand[0]! -= 30_000;
    const options = { method: "POST", url: "/api/game/placeOrder", headers, payload: form.toString() } as const;
    expect((await second.app.inject(options)).json()).toMatchObject({ code: 422 });
    expect((await bet(next_expect!)).code).toBe(422);
  });

  it("record one gap for what both missed, and publish each anchor once", async () => {
    await live(3 * 86_400_000);
    expect(await w.deps.db.read.select().from(gaps)).toMatchObject([
      { fromNumber: 2, toNumber: 1_440, reason: "down" },
    ]);
    const { data } = await w.call("/fair/anchors", { key: KEY }, { method: "GET" });
    expect(new Set(data.map(({ day }: { day: string }) => day)).size).toBe(11);
    expect(data).toHaveLength(11);
  });

  it("go on when one of them exits between the close and the draw", async () => {
    await bet((await info()).next_expect!);
    await live(57_000);
    await w.restart();
    w.pass(3_000);
    hand[0] = w.now();
    await second.rounds.tick();
    await second.rounds.settle();
    expect(faultsOf(await fair("20260302-0001"))).toEqual([]);
    expect((await mia.call("/member/getUserInfo")).data.money).toBe("999.50");
  });
});
