import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logLeaves } from "#db/schema/index.ts";
import { keyOfRound } from "#server/domains/log/round-keys.ts";
import { findGame } from "#server/domains/lottery/read-games.ts";
import { refundRound } from "#server/domains/lottery/refund-round.ts";
import { mayBeSettled, ROUND_FAILED } from "#server/domains/lottery/settle-round.ts";
import { drandRule } from "#shared/lottery/beacon.ts";
import { beaconsOf } from "#shared/lottery/beacon-signature.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/time.ts";
import { ownChain } from "../../support/drand-relay.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { drawWithoutSettling } from "../../support/ledger.ts";
import { START, type World } from "../../support/world.ts";
import { KEY, readsOf } from "./rounds-world.ts";
import { roundOf } from "./failing-world.ts";
import { closeOf, setRound, twoGames } from "./two-games.ts";

const chain = ownChain();
const FAR = drandRule(chain, START + 3 * HOUR_MS);
let w: World;
const { announced } = readsOf(() => w);

/** Two games, whose first rounds 1 and 2 are open. */
beforeEach(async () => {
  w = await twoGames({ beacons: beaconsOf(chain) });
  await w.settle();
});
afterEach(async () => {
  disarm();
  await w.close();
});

const row = (id = 1) => roundOf(w, id);
const set = (text: string, id = 1) => setRound(w, id, text);
const topics = async (topic: string) => (await announced(topic)).map(({ payload }) => payload);

describe("stakes go back", () => {
  const refund = async () => {
    const game = await findGame(w.deps.db.read, KEY);
    const round = await row();
    return w.deps.db.transact((tx) => refundRound(tx, w.deps, game, round));
  };
  const leaf = async () =>
    (await w.deps.db.read.select().from(logLeaves)).some(
      ({ key }) => key === keyOfRound("refund", { game: KEY, round: "20260302-0001" }),
    );
  const close = () => closeOf(w, 1);

  it("of a closed round whose bets were told, once, and of no other", async () => {
    await set(`beacon_rule = '${FAR}'`);
    await set(`beacon_rule = '${FAR}'`, 2);
    expect(await refund()).toBe(false);
    w.pass(57_000);
    await close();
    expect(await refund()).toBe(false);
    await w.deps.publicLog.advance();
    const before = (await topics("log.waiting")).length;
    expect([await refund(), await leaf()]).toEqual([true, true]);
    expect([(await row()).refundedAt, (await row(2)).refundedAt]).toEqual([w.now(), null]);
    expect((await topics("log.waiting")).length).toBe(before + 1);
    w.pass(1);
    expect(await refund()).toBe(false);
    expect((await row()).refundedAt).toBe(w.now() - 1);
  });

  it("of none that was drawn, failed or skipped, or whose beacon is near", async () => {
    w.pass(57_000);
    await close();
    await w.deps.publicLog.advance();
    expect(await refund()).toBe(false);
    await set(`beacon_rule = '${FAR}'`);
    for (const over of ["drawn_at", "failed_at", "skipped_at"]) {
      await set(`${over} = 1`);
      expect([over, await refund()]).toEqual([over, false]);
      await set(`${over} = null`);
    }
    arm("round.refund:1 throw");
    await expect(refund()).rejects.toThrow("round.refund");
    expect([(await row()).refundedAt, await leaf()]).toEqual([null, false]);
    disarm();
    expect(await refund()).toBe(true);
  });
});

describe("a drawn round", () => {
  const isAllowed = (id = 1) => mayBeSettled(w.deps, id);
  const failed = () => w.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === ROUND_FAILED);
  beforeEach(async () => {
    w.pass(MINUTE_MS);
    await drawWithoutSettling(w);
  });

  it("with the beacon of its rule may be settled", async () => {
    expect([await isAllowed(), await isAllowed(999)]).toEqual([true, true]);
    expect([(await row()).failedAt, failed()]).toEqual([null, []]);
  });

  it("with a false one fails, and is not settled; the other one may be", async () => {
    await set("beacon = 'chosen'");
    expect([await isAllowed(), await isAllowed(2)]).toEqual([false, true]);
    expect(await row()).toMatchObject({ failedAt: w.now(), failure: "it has a beacon that its rule does not allow" });
    expect((await row(2)).failedAt).toBeNull();
    expect(failed()).toMatchObject([{ roundId: 1, failure: "it has a beacon that its rule does not allow" }]);
    w.pass(1);
    expect(await isAllowed()).toBe(false);
    expect((await row()).failedAt).toBe(w.now() - 1);
    expect(await topics("round.failed")).toEqual([{ gameId: 1, roundId: 1 }]);
  });

  it("that is paid already is not marked, and one whose stakes go back needs none", async () => {
    for (const over of ["settled_at", "refunded_at"]) {
      await set(`beacon = 'chosen', ${over} = 1`);
      expect([await isAllowed(), (await row()).failedAt, await topics("round.failed")]).toEqual([true, null, []]);
      await set(`${over} = null`);
    }
  });
});
