import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { anchors, beaconChanges, games, gaps, pauses, rounds, shownPlaces } from "#db/schema/lottery.ts";
import { auditDraws } from "#server/admin/audit/draws.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { SignsOfLife } from "#server/admin/audit/signs-of-life.ts";
import { drandMode, drandRule, QUICKNET, randomnessOf } from "#shared/lottery/beacon.ts";
import { beaconsOf } from "#shared/lottery/beacon-signature.ts";
import { ownChain } from "../../support/drand-relay.ts";
import { START } from "../../support/world.ts";
import { ANCHOR, DAY, drawn, GAME, open, seedAt, type Game, type Round } from "./audit-round-rows.ts";
import { emptyRows, type Rows } from "./audit-rows.ts";

const MINUTE = 60_000;
const OTHER: Game = { ...GAME, id: 2, key: "other-1m" };
const NAME = "round k3-1m 20260302-000";
const FALSE = "ab".repeat(32);
const astray = (number: number) => `${NAME}${number}: its seed does not lead to the day's anchor`;

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
beforeEach(async () => {
  await rows.begin();
  await rows.read.insert(games).values([GAME, OTHER]);
  await rows.read.insert(anchors).values([
    { gameId: 1, day: DAY, anchor: ANCHOR, createdAt: 1 },
    { gameId: 2, day: DAY, anchor: FALSE, createdAt: 1 },
  ]);
});
afterEach(() => rows.forget());
afterAll(() => rows.close());

const lay = (...some: Round[]) => rows.read.insert(rounds).values(some);
const show = (number: number, more: Partial<typeof shownPlaces.$inferInsert> = {}) =>
  rows.read.insert(shownPlaces).values({ gameId: 1, day: DAY, number, ...more });
const gap = (fromNumber: number, toNumber: number, more: Partial<typeof gaps.$inferInsert> = {}) => {
  const span = { fromDay: DAY, fromNumber, toDay: DAY, toNumber };
  return rows.read.insert(gaps).values({ gameId: 1, ...span, reason: "down", createdAt: 1, ...more });
};

/** What the audit finds when no server has left a sign of life. */
async function audited(now = START + 60 * MINUTE, ...chains: Parameters<typeof beaconsOf>) {
  const found = new Findings();
  const signs = await SignsOfLife.read(rows.read, 0);
  const total = await auditDraws(rows.read, now, signs, found, ...(chains.length > 0 ? [beaconsOf(...chains)] : []));
  return { ...total, problems: found.problems, notes: found.notes };
}

const problems = async (now?: number) => (await audited(now)).problems;

describe("the audit of a game's rounds", () => {
  it("counts rounds and gaps of all games, and finds nothing wrong with rounds in order", async () => {
    await show(5);
    await show(2, { gameId: 2 });
    await lay(drawn(1), drawn(2), open(5), open(1, { id: 9, gameId: 2 }));
    await gap(3, 4);
    await gap(2, 2, { gameId: 2 });
    await gap(1, 5, { takenBackAt: 1 });
    expect(await audited()).toEqual({ rounds: 4, gaps: 2, problems: [], notes: [] });
  });

  it("reads every round of a game that has more of them than are read at once", async () => {
    const many = 5_001;
    await show(many);
    const { openedAt, closesAt, drawsAt } = open(1);
    await rows.run(`insert into rounds (id, game_id, day, number, "commit", odds_id, opened_at, closes_at, draws_at, from_bet)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < ${many})
      select i, 1, ${DAY}, i, '', 1, ${openedAt}, ${closesAt}, ${drawsAt}, 1 from n`);
    expect(await audited()).toEqual({ rounds: many, gaps: 0, problems: [], notes: [] });
  });

  it("takes rounds in the order in which they were opened", async () => {
    await show(2);
    await lay({ ...drawn(2), id: 1 }, { ...drawn(1), id: 2 });
    expect(await problems()).toEqual([astray(1), `${NAME}1 was opened at a place that had been shown`]);
  });

  it("names a place that was shown, however many days a clock led to meanwhile", async () => {
    await show(2);
    const days = [1, 2, 3].map((more) => open(1, { id: 2 + more, day: DAY + more }));
    for (const { day } of days) await show(1, { day });
    await lay(open(2), ...days, open(1, { id: 9 }));
    expect(await problems(START)).toContain(`${NAME}1 was opened at a place that had been shown`);
    for (const [id, number] of [
      [9, 3],
      [2, 1],
      [9, 2],
    ])
      await rows.run(`update rounds set number = ${number} where id = ${id}`);
    expect((await problems(START)).filter((one) => one.includes("had been shown"))).toEqual([]);
  });

  it("names a round opened twice at one place", async () => {
    await rows.run("drop index rounds_place");
    await show(1);
    await lay(open(1), open(1, { id: 2 }));
    expect(await problems()).toEqual([
      `${NAME}1 was opened at a place that had been shown`,
      "k3-1m: round 20260302-0001 is recorded twice, as played or as missing",
    ]);
  });

  it("names rounds above the highest place that was kept as shown", async () => {
    await show(9, { gameId: 2 });
    await lay(open(1), open(2));
    const above = (number: number) => `${NAME}${number} is above the highest place that is kept as shown of its day`;
    expect(await problems()).toEqual([above(1), above(2)]);
    await show(1);
    expect(await problems()).toEqual([above(2)]);
  });

  it("compares each round's times, and tells of a late draw whether the next round had opened", async () => {
    await show(2);
    const late = (number: number, ms: number) => drawn(number, { drawnAt: open(number).drawsAt + ms });
    await lay(late(1, 10 * MINUTE), late(2, 20 * MINUTE));
    expect(await audited()).toMatchObject({
      problems: [],
      notes: [
        `${NAME}1 was drawn 600 s after it was due, though the next round had opened`,
        `${NAME}2 was drawn 1200 s after it was due`,
      ],
    });
  });
});

describe("the audit of one draw", () => {
  const says = async (...some: Round[]) => {
    await show(9);
    await lay(...some);
    return problems();
  };

  it("names a failed check, and a draw before the close", async () => {
    expect(await says(drawn(1, { failure: "no beacon", failedAt: 1, closedAt: null }))).toEqual([
      `${NAME}1 failed a check and is not paid (round:retry): no beacon`,
      `${NAME}1 was drawn before it was closed`,
    ]);
  });

  const undrawn = { drawnAt: null };
  it.each<[string, Partial<Round>]>([
    ["a draw without seed and dice", { seed: null, dice: null }],
    ["a seed without a draw and dice", { ...undrawn, dice: null }],
    ["dice without a draw and a seed", { ...undrawn, seed: null }],
    ["a draw without its seed", { seed: null }],
    ["a draw without its dice", { dice: null }],
    ["a seed and dice without a draw", undrawn],
  ])("names %s", async (_, change) => {
    expect(await says(drawn(1, change))).toEqual([`${NAME}1: of its draw, its seed and its dice one is missing`]);
  });

  it("traces a seed to the round before, and to the anchor where that is not drawn or there is none", async () => {
    expect(await says(drawn(1), drawn(2), open(3), drawn(4))).toEqual([]);
  });

  it("names a seed that leads to another anchor, to none, or to another round before", async () => {
    await rows.run(`update anchors set anchor = '${FALSE}'`);
    expect(await says(drawn(1), drawn(2))).toEqual([astray(1)]);
    await rows.run("delete from anchors");
    expect(await problems()).toEqual([astray(1)]);
    await rows.run(`update rounds set seed = '${seedAt(3)}' where id = 2`);
    expect(await problems()).toEqual([
      astray(1),
      astray(2),
      `${NAME}2: its seed is not the committed one`,
      expect.stringMatching(/^round k3-1m 20260302-0002: the seed gives \d,\d,\d, the round has \d,\d,\d$/),
    ]);
  });

  it("names a seed that was not committed, and dice that it does not give", async () => {
    const { dice } = drawn(1);
    const other = dice!.map((face) => (face % 6) + 1);
    expect(await says(drawn(1, { commit: FALSE, dice: other }))).toEqual([
      `${NAME}1: its seed is not the committed one`,
      `${NAME}1: the seed gives ${dice!.join()}, the round has ${other.join()}`,
    ]);
  });

  it("draws with the beacon of its rule, of the chains that it is told", async () => {
    const chain = ownChain();
    await rows.read
      .insert(beaconChanges)
      .values({ id: 1, gameId: 1, fromDay: DAY, fromNumber: 1, mode: drandMode(chain), announcedAt: GAME.createdAt });
    const closesAt = open(1).drawsAt - 8_000;
    const beaconRule = drandRule(chain, closesAt);
    const beaconSignature = chain.sign(Number(beaconRule.split(":")[2]));
    const beacon = { beaconRule, beaconSignature, beacon: randomnessOf(beaconSignature) };
    expect(await says(drawn(1, { closesAt, ...beacon }))).toEqual([
      `${NAME}1 does not name the first beacon at least 3 s after its close, 8 s before its draw`,
      `${NAME}1 has a beacon that its chain did not sign for the round that its rule names`,
    ]);
    expect((await audited(undefined, QUICKNET, chain)).problems).toEqual([]);
  });
});

describe("the audit of what was shown in gaps", () => {
  it("names a seed that does not lead to the anchor, by its place", async () => {
    await show(3, { seed: seedAt(3) });
    await show(4, { day: DAY + 1, seed: seedAt(4) });
    await rows.read.insert(anchors).values({ gameId: 1, day: DAY + 1, anchor: ANCHOR, createdAt: 1 });
    expect(await problems()).toEqual([]);
    await rows.run(`update shown_places set seed = '${seedAt(2)}' where day = ${DAY}`);
    const says = "k3-1m: the seed shown for 20260302-0003, in a gap, does not lead to the day's anchor";
    expect(await problems()).toEqual([says]);
    await rows.run(`update shown_places set seed = '${seedAt(4)}' where day = ${DAY}`);
    expect(await problems()).toEqual([says]);
  });
});

describe("the audit of the calendar", () => {
  beforeEach(() => show(99));

  const lacks = (from: string, to: string) => [`k3-1m: rounds ${from} to ${to} are missing without a gap record`];

  it("names rounds that are missing between those that were played, up to the present one", async () => {
    await lay(open(1), open(4));
    expect(await problems()).toEqual(lacks("20260302-0002", "20260302-0003"));
    expect(await problems(START + 3 * MINUTE)).toEqual(lacks("20260302-0002", "20260302-0003"));
  });

  it("asks no gap before rounds that a clock ahead has opened", async () => {
    await lay(open(1), open(4), open(7));
    expect(await problems(START + 4 * MINUTE)).toEqual(lacks("20260302-0002", "20260302-0003"));
    expect(await problems(START + 3 * MINUTE - 1)).toEqual([]);
  });

  it("takes gaps and rounds by their places, in whatever order they were written", async () => {
    await gap(8, 9);
    await gap(4, 5);
    await gap(2, 2);
    await lay(open(1), open(3), open(6), open(7), open(10));
    expect(await problems()).toEqual([]);
  });

  it("names a round that is played and in a gap, or in two gaps", async () => {
    const twice = (number: number) => `k3-1m: round 20260302-000${number} is recorded twice, as played or as missing`;
    await gap(2, 3);
    await gap(3, 5);
    await lay(open(1), open(5), open(6));
    expect(await problems()).toEqual([twice(3), twice(5)]);
  });

  it("does not count a round that was skipped as played", async () => {
    await lay(open(1), open(2, { skippedAt: 1 }), open(3));
    expect(await problems()).toEqual(lacks("20260302-0002", "20260302-0002"));
    await gap(2, 2);
    expect(await problems()).toEqual([]);
  });

  it("takes a gap that ends before it begins for no gap", async () => {
    await lay(open(4));
    await gap(5, 3);
    await gap(7, 8);
    expect(await problems()).toEqual(lacks("20260302-0004", "20260302-0006"));
  });
});

describe("the audit of pauses", () => {
  const pause = (id: number, fromNumber: number, paused: boolean, announcedAt: number | null, gameId = 1) =>
    rows.read.insert(pauses).values({ id, gameId, fromDay: DAY, fromNumber, paused, announcedAt });

  it("names one that was announced less than two rounds ahead", async () => {
    await pause(1, 3, true, START + MINUTE - 1);
    await pause(2, 6, false, START + 4 * MINUTE - 1);
    await pause(3, 3, true, START + MINUTE);
    await pause(4, 6, false, START + 4 * MINUTE);
    await pause(5, 1, false, START + 4 * MINUTE, 2);
    expect(await problems()).toEqual([
      "k3-1m: the pause from 20260302-0003 was announced less than two rounds ahead",
      "k3-1m: the end of a pause from 20260302-0006 was announced less than two rounds ahead",
      "other-1m: the end of a pause from 20260302-0001 was announced less than two rounds ahead",
    ]);
  });

  it("asks no announcement of the oldest ones, and names one that came after an announced one", async () => {
    await pause(4, 9, true, null);
    await pause(5, 9, false, null);
    await pause(3, 7, true, START);
    await pause(2, 6, false, null);
    await pause(1, 5, true, null);
    expect(await problems()).toEqual([
      "k3-1m: the pause from 20260302-0009 was not announced",
      "k3-1m: the end of a pause from 20260302-0009 was not announced",
    ]);
  });

  it("names a gap that says paused where none was, or only part of it", async () => {
    await pause(1, 3, true, START);
    await pause(2, 6, false, START);
    await pause(3, 1, true, null, 2);
    const paused = { reason: "paused" } as const;
    await gap(3, 5, paused);
    await gap(6, 7);
    expect(await problems()).toEqual([]);
    await gap(8, 9, paused);
    await gap(1, 2, paused);
    await rows.run(
      "update gaps set to_number = 6 where from_number = 3; update gaps set from_number = 7 where from_number = 6",
    );
    const says = ["0001 to 20260302-0002", "0003 to 20260302-0006", "0008 to 20260302-0009"].map(
      (span) => `k3-1m: the gap 20260302-${span} says paused, but no pause covers it`,
    );
    expect((await problems()).toSorted()).toEqual(says);
  });
});
