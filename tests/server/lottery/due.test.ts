import { eq } from "drizzle-orm";
import { afterEach, describe, expect, it } from "vitest";
import { rounds } from "#db/schema/lottery.ts";
import { advanceGames, nextDueAt, unsettledRounds } from "#server/domains/lottery/advance.ts";
import { findGame, listGames } from "#server/domains/lottery/read-games.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { beaconAfter, signedAt } from "#shared/lottery/beacon.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { START, world, type World } from "../../support/world.ts";
import { advancing } from "./advancing.ts";
import { drandWorld, modeOf, type DrandWorld } from "./drand-world.ts";
import { KEY } from "./rounds-world.ts";
import { twoGames } from "./two-games.ts";

describe("the rounds that are left to settle", () => {
  let w: World;
  const CLOSES_MS = 57_000;
  const others = new Set<number>();

  const advance = async (events: string[] = []) => {
    const seeds = new Seeds(w.deps.keys);
    await advanceGames(w.deps, seeds, await listGames(w.deps.db.read), advancing(w.deps, seeds, events));
    return events;
  };

  /** Two games whose first rounds, 1 and 2, have just been drawn, by this process or another. */
  async function drawn(): Promise<void> {
    w = await twoGames();
    await advance();
    w.pass(CLOSES_MS);
    await advance();
    w.pass(MINUTE_MS - CLOSES_MS);
    await advance();
  }
  const set = (id: number, values: Partial<typeof rounds.$inferInsert>) =>
    w.deps.db.transact((tx) => tx.update(rounds).set(values).where(eq(rounds.id, id)));
  afterEach(() => w.close());

  it("are those this process drew, at once, and those of others when they had a second for it", async () => {
    await drawn();
    expect(await unsettledRounds(w.deps)).toEqual([1, 2]);
    expect(await unsettledRounds(w.deps, new Set([2, 3]))).toEqual([2]);
    w.pass(999);
    expect(await unsettledRounds(w.deps, others)).toEqual([]);
    w.pass(1);
    expect(await unsettledRounds(w.deps, others)).toEqual([1, 2]);
  });

  it("are those, too, that a clock ahead by more than a second has drawn", async () => {
    await drawn();
    w.jump(-1_000);
    expect(await unsettledRounds(w.deps, others)).toEqual([]);
    w.jump(-1);
    expect(await unsettledRounds(w.deps, others)).toEqual([1, 2]);
  });

  it("are none that failed, or are settled, or wait for their draw", async () => {
    await drawn();
    await set(1, { failedAt: w.now() });
    expect(await unsettledRounds(w.deps)).toEqual([2]);
    await w.settle();
    const all = await w.deps.db.read.select().from(rounds).orderBy(rounds.id);
    expect(all.map(({ id, indexedAt }) => [id, indexedAt !== null])).toEqual([
      [1, false],
      [2, true],
      [3, false],
      [4, false],
    ]);
    expect(await unsettledRounds(w.deps)).toEqual([]);
  });

  it("are none that were opened too early and had no bets: nothing is drawn of them, not even at their time", async () => {
    w = await world();
    await w.game();
    w.jump(HOUR_MS);
    await advance();
    w.jump(-HOUR_MS);
    expect(await advance()).toContain("close 1");
    expect((await w.deps.db.read.select().from(rounds)).map((round) => round.skippedAt !== null)).toEqual([true]);
    w.pass(HOUR_MS + MINUTE_MS);
    const events = await advance();
    expect(events.filter((name) => /^(close|draw|drawn|waiting) /.test(name))).toEqual([]);
    expect(await unsettledRounds(w.deps)).toEqual([]);
  });

  it("are none that failed before their draw: they are not drawn either", async () => {
    w = await world();
    await w.game();
    await advance();
    w.pass(CLOSES_MS);
    await advance();
    await set(1, { failedAt: w.now() });
    w.pass(MINUTE_MS - CLOSES_MS);
    expect(await advance()).not.toContain("draw 1");
    expect(await unsettledRounds(w.deps)).toEqual([]);
  });

  it("keep no other round from being closed while one has failed", async () => {
    await drawn();
    await set(1, { failedAt: w.now() });
    w.pass(CLOSES_MS);
    const events = await advance();
    expect(events.filter((name) => /^(close|draw|drawn|waiting) /.test(name))).toEqual(["close 3", "close 4"]);
  });
});

describe("when a game is due next", () => {
  it("is its round's close, and from then on its draw", async () => {
    const w = await world();
    await w.game();
    const due = async (at: number) =>
      (await nextDueAt(w.deps, await findGame(w.deps.db.read, KEY), START + at)) - START;
    expect(await Promise.all([0, 56_999, 57_000, 59_999, 60_000].map(due))).toEqual([
      57_000, 57_000, 60_000, 60_000, 117_000,
    ]);
    await w.close();
  });

  describe("with a beacon", () => {
    let site: DrandWorld;
    afterEach(() => site.stop());

    it("is its round's close, then when relays should have the beacon, and then its draw", async () => {
      site = await drandWorld();
      await site.follow(modeOf(site));
      const { deps } = site.w;
      const [opens, closes, draws] = [2 * MINUTE_MS, 2 * MINUTE_MS + 52_000, 3 * MINUTE_MS].map((ms) => START + ms);
      const asks = signedAt(site.chain, beaconAfter(site.chain, closes!)) + 400;
      expect([asks > closes!, asks < draws!]).toEqual([true, true]);
      const due = async (at: number) => nextDueAt(deps, await findGame(deps.db.read, KEY), at);
      const times = [opens!, closes! - 1, closes!, asks - 1, asks, draws! - 1];
      expect(await Promise.all(times.map(due))).toEqual([closes, closes, asks, asks, draws, draws]);
    });
  });
});
