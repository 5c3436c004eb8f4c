import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#db/db.ts";
import { rounds } from "#db/schema/lottery.ts";
import { countdownView, findGameNow, listGamesNow } from "#server/domains/lottery/read-round.ts";
import { drandMode, drandRule, NO_BEACON, QUICKNET } from "#shared/lottery/beacon.ts";
import { roundText, spanOf } from "#shared/lottery/schedule.ts";
import { DAY, drawn, GAME, open, type Round } from "../admin/audit-round-rows.ts";
import { emptyRows, type Rows } from "../admin/audit-rows.ts";
import { OTHER, writeGames } from "./two-games-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

const within = <T>(some: Round[], work: (tx: Tx) => Promise<T>) =>
  rows.within(async (tx) => {
    await writeGames(tx);
    if (some.length) await tx.insert(rounds).values(some);
    return work(tx);
  });
const found = (...some: Round[]) => within(some, (tx) => findGameNow(tx, GAME.key));
/** A round that is closed and waits for its beacon. */
const waiting = (number: number, more: Partial<Round> = {}) => {
  const { closesAt } = open(number);
  return open(number, { closedAt: closesAt, beaconRule: drandRule(QUICKNET, closesAt), ...more });
};
const others = (round: Round): Round => ({ ...round, id: round.id + 100, gameId: OTHER.id, oddsId: OTHER.id });

it("a game is found by its key, and no other", async () => {
  await within([open(3), others(open(4))], async (tx) => {
    expect(await findGameNow(tx, OTHER.key)).toMatchObject({ id: OTHER.id, round: { number: 4 } });
    expect((await listGamesNow(tx)).map(({ key, round }) => [key, round?.number])).toEqual([
      [GAME.key, 3],
      [OTHER.key, 4],
    ]);
    await expect(findGameNow(tx, "k3-x")).rejects.toThrow("object.unknown");
  });
});

describe("the round of a game", () => {
  it("is the newest that is neither drawn, nor failed, nor over in another way", async () => {
    expect((await found()).round).toBeNull();
    expect((await found(open(3), open(4))).round).toMatchObject({ number: 4 });
    const over: Partial<Round>[] = [{ drawnAt: 1 }, { failedAt: 1 }, { refundedAt: 1 }, { skippedAt: 1, indexedAt: 1 }];
    for (const how of over) {
      expect((await found(open(3), open(4, how))).round).toMatchObject({ number: 3 });
      expect((await found(open(4, how))).round).toBeNull();
    }
  });

  it("is awaited where its beacon is: the oldest that is closed and names one", async () => {
    expect((await found(waiting(5), waiting(3), open(7))).awaited).toMatchObject({ number: 3 });
    expect((await found(waiting(3, { beaconRule: NO_BEACON }), waiting(5))).awaited).toMatchObject({ number: 5 });
    expect((await found(waiting(3, { closedAt: null }))).awaited).toBeNull();
    for (const how of [{ drawnAt: 1 }, { failedAt: 1 }, { refundedAt: 1 }, { indexedAt: 1 }])
      expect((await found(waiting(3, how), waiting(5))).awaited).toMatchObject({ number: 5 });
    expect((await found(others(waiting(3)))).awaited).toBeNull();
  });
});

it("the last draws of a game are those of the last rounds, by day and number", async () => {
  const some = [
    drawn(1, { number: 2, day: DAY + 1 }),
    drawn(2, { number: 1_440 }),
    drawn(3),
    open(9),
    others(drawn(8)),
  ];
  const { drawn: last } = await found(...some);
  expect(last.map(({ day, number }) => [day - DAY, number])).toEqual([
    [1, 2],
    [0, 1_440],
    [0, 3],
  ]);
});

describe("the countdown of a round", () => {
  const { opensAt, closesAt, drawsAt } = spanOf(GAME, { day: DAY, number: 3 });
  const at = async (now: number, ...some: Round[]) => countdownView(await found(...some), now);

  it("goes to its close, then to its draw, in whole seconds", async () => {
    const name = roundText({ day: DAY, number: 3 });
    const times = { expect: name, close_ms: closesAt, draw_ms: drawsAt, commit: open(3).commit };
    expect(await at(opensAt, open(3))).toMatchObject({ state: "open", second: 57, ...times, server_now_ms: opensAt });
    expect(await at(closesAt - 1, open(3))).toMatchObject({ state: "open", second: 1, ...times });
    expect(await at(closesAt - 1_001, open(3))).toMatchObject({ state: "open", second: 2 });
    expect(await at(closesAt, open(3))).toMatchObject({ state: "drawing", second: 0, ...times });
    expect(await at(closesAt - 1, open(3, { closedAt: closesAt }))).toMatchObject({ state: "drawing", second: 0 });
  });

  it("is none before a round that a clock ahead opened, unless it is closed already", async () => {
    const paused = { state: "paused", expect: null, second: 0, close_ms: null, draw_ms: null, commit: null };
    expect(await at(opensAt - 1, open(3))).toMatchObject(paused);
    expect(await at(opensAt, open(3))).toMatchObject({ state: "open" });
    expect(await at(opensAt - 1, open(3, { closedAt: 1 }))).toMatchObject({ state: "drawing" });
    expect(await at(opensAt)).toMatchObject(paused);
  });

  it("says which round's beacon is late, from three seconds after its draw was due", async () => {
    const late = async (ms: number) => (await at(drawsAt + ms, waiting(3))).awaits_beacon;
    expect([await late(2_999), await late(3_000)]).toEqual([null, roundText({ day: DAY, number: 3 })]);
    expect((await at(drawsAt + 3_000, open(3))).awaits_beacon).toBeNull();
  });

  it("says whether the round follows a beacon, and without one whether the next will", async () => {
    expect((await at(opensAt, open(3))).beacon).toBe("none");
    expect((await at(opensAt, waiting(3))).beacon).toBe("drand");
    const game = { ...(await found()), beaconChanges: [{ from: 0, mode: drandMode(QUICKNET) }] };
    expect(countdownView(game as never, opensAt).beacon).toBe("drand");
    expect((await at(opensAt)).beacon).toBe("none");
  });
});
