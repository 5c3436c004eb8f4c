import { asc, eq, isNull } from "drizzle-orm";
import { afterEach, beforeEach, expect, it } from "vitest";
import { logLeaves, logRestores, logRounds } from "#db/schema/log.ts";
import { rounds } from "#db/schema/lottery.ts";
import { pauseGame } from "#server/domains/lottery/pause-game.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import type { Verdict } from "#shared/log/check-log.ts";
import { parseLeaf } from "#shared/log/leaf.ts";
import { parseReceipt } from "#shared/log/receipt.ts";
import { roundText } from "#shared/lottery/schedule.ts";
import { DAY_MS, HOUR_MS } from "#shared/time.ts";
import { problemsOf } from "../../support/audited.ts";
import { set } from "../../support/operator.ts";
import { world, type Player, type World } from "../../support/world.ts";
import { verdictOf } from "./read-log.ts";

/* What strangers check (shared/log/check-log.ts) finds nothing in the log of a site that lives through all of this. */

const FIVE = { key: "faces", kind: "dice-faces", name: "Faces", periodS: 300, closeS: 5 };

let w: World;

beforeEach(async () => {
  w = await world();
  await w.game();
  await w.game(FIVE);
  await w.live(1_000);
});
afterEach(() => w.close());

const verdict = (log = 1): Promise<Verdict> => verdictOf(w, log);
const problems = ({ findings }: Verdict) => findings.filter(({ strength }) => strength === "problem");

async function play(player: Player, minutes: number): Promise<void> {
  for (let i = 0; i < minutes; i++) {
    const { data } = await w.call("/Lottery/getLotteryInfo", { key: "k3-1m" }, { method: "GET" });
    await player.call("/game/placeOrder", {
      lid: "lot_1",
      item: "A,10",
      money: "1",
      expect: data.next_expect ?? "20260302-0001",
    });
    await w.live(60_000);
  }
}

async function pause(paused: boolean): Promise<void> {
  await w.deps.db.transact(async (tx) =>
    pauseGame(tx, w.deps, await findGame(tx, "k3-1m"), { paused, reason: paused ? "Repairs" : null }),
  );
  // Servers hear of it, and tell it within a second.
  await w.site.relay.wake();
  await w.site.publicLog.tick();
  const waiting = async () =>
    (await w.deps.db.read.select().from(logLeaves).where(isNull(logLeaves.number)))
      .map(({ text }) => parseLeaf(text!)!.kind)
      .filter((kind) => kind === "pause" || kind === "resume");
  expect(await waiting()).toEqual([]);
}

it("rounds with bets, a pause, hours without a server, a restart and a night", async () => {
  const mia = await w.player("mia", { balance: 1_000 });
  await play(mia, 3);
  await pause(true);
  await play(mia, 4);
  await pause(false);
  await play(mia, 4);
  await w.live(3 * HOUR_MS);
  await play(mia, 2);
  await w.restart();
  await play(mia, 2);
  await w.site.housekeeping.seal();
  await w.live(DAY_MS);
  await play(mia, 3);
  const said = await verdict();
  expect(problems(said)).toEqual([]);
  expect(said.kinds.get("gap")).toBeGreaterThan(2);
  expect([said.kinds.get("pause"), said.kinds.get("resume")]).toEqual([1, 1]);
  expect(said.kinds.get("settle")).toBeGreaterThan(12);
  expect(said.games).toEqual(["k3-1m", "faces"]);
});

it("odds that are stated again when the unit changes", async () => {
  await w.live(60_000);
  await set(w, "unit", "JPY");
  await set(w, "licence", "A licence");
  await w.site.relay.wake();
  // The round that is open has its odds in the unit before: it takes no bets.
  const ann = await w.player("ann", { balance: 100 });
  const bet = async () => {
    const own = await w.deps.db.read.select().from(rounds).where(eq(rounds.gameId, 1)).orderBy(asc(rounds.id));
    const expect = roundText(own.at(-1)!);
    return ann.call("/game/placeOrder", { lid: "lot_1", item: "A", money: "2", expect });
  };
  expect((await bet()).code).toBe(422);
  await w.live(60_000);
  const { code, data } = await bet();
  expect([code, parseReceipt(data.receipt)?.bet.unit]).toEqual([200, "JPY"]);
  for (let i = 0; i < 6; i++) await w.live(60_000);
  const said = await verdict();
  expect(problems(said)).toEqual([]);
  expect(said.kinds.get("odds")).toBe(4);
});

it("and in the log after a loss, though a round was drawn whose payouts the old one had not stated yet", async () => {
  const mia = await w.player("mia", { balance: 100 });
  await play(mia, 3);
  expect(await w.deps.db.read.select().from(logRounds)).not.toHaveLength(0);
  const reason = { en_us: "The disk failed", ms_my: "Cakera rosak" };
  await w.deps.db.transact((tx) => tx.insert(logRestores).values({ id: 1, reason, createdAt: w.now() }));
  await play(mia, 3);
  expect(problems(await verdict(2))).toEqual([]);
  expect(await problemsOf(w)).toEqual([]);
});
