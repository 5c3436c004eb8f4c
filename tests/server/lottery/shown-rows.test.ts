import { bytesToHex } from "@noble/hashes/utils.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#db/db.ts";
import { gaps, logLeaves, shownPlaces } from "#db/schema/index.ts";
import type { Keys } from "#server/config/keys.ts";
import { Seeds } from "#server/domains/lottery/seeds.ts";
import { markOpened, showGaps, shownUpTo } from "#server/domains/lottery/shown-places.ts";
import { parseLeaf } from "#shared/log/leaf.ts";
import { roundText, spanOf, type RoundPlace } from "#shared/lottery/schedule.ts";
import { DAY_MS } from "#shared/time.ts";
import { DAY, GAME } from "../admin/audit-round-rows.ts";
import { emptyRows, type Rows } from "../admin/audit-rows.ts";
import { at, LAST, OTHER, writeGames } from "./two-games-rows.ts";

const seeds = new Seeds({ ofDay: () => ({ master: new Uint8Array(32).fill(3) }) as ReturnType<Keys["ofDay"]> });
const seedAt = (place: RoundPlace) => bytesToHex(seeds.reveal(GAME, place));

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

type Mark = RoundPlace & { gameId?: number; seed?: string | null };
type Gap = { of: [RoundPlace, RoundPlace]; gameId?: number; createdAt?: number; takenBackAt?: number };

/** The beginning of the tenth round, two days later. */
const NOW = spanOf(GAME, at(10, 2)).opensAt;
const LONG_AGO = NOW - DAY_MS;

/** Works on some gaps and marks. Returns the marks of the first game, and what the log was told. */
const after = (some: { gaps?: Gap[]; marks?: Mark[] }, work: (tx: Tx) => Promise<unknown>) =>
  rows.within(async (tx) => {
    await writeGames(tx);
    for (const { of, gameId = GAME.id, createdAt = LONG_AGO, takenBackAt } of some.gaps ?? []) {
      const [from, to] = of;
      const span = { fromDay: from.day, fromNumber: from.number, toDay: to.day, toNumber: to.number };
      await tx.insert(gaps).values({ gameId, ...span, reason: "down", createdAt, takenBackAt });
    }
    for (const { gameId = GAME.id, ...mark } of some.marks ?? [])
      await tx.insert(shownPlaces).values({ gameId, ...mark });
    await work(tx);
    const marks = await tx.select().from(shownPlaces).orderBy(shownPlaces.day);
    const told = (await tx.select().from(logLeaves)).map(({ text }) => parseLeaf(text!));
    return { marks: marks.filter(({ gameId }) => gameId === GAME.id), told };
  });

describe("gaps that are old enough show what they would have drawn", () => {
  const shown = async (some: Gap[], marks: Mark[] = [], times = 1) => {
    const { marks: left, told } = await after({ gaps: some, marks }, async (tx) => {
      for (let i = 0; i < times; i++) await showGaps(tx, seeds, GAME, NOW);
    });
    const isRight = left.filter((mark) => mark.seed !== null && mark.seed !== seedAt(mark)).length === 0;
    expect(isRight).toBe(true);
    return [
      left.map(({ day, number, seed }) => `${day - DAY}/${number}${seed === null ? "" : " shown"}`),
      told.map((leaf) => (leaf?.kind === "skipped" ? `${leaf.from} ${leaf.to} ${leaf.at - NOW}` : leaf)),
    ];
  };
  const leaf = (from: RoundPlace, to: RoundPlace) => `${roundText(from)} ${roundText(to)} 0`;
  const NOTHING = [[], []];

  it("a day after they were recorded, with the seed of their last place, and once", async () => {
    const gap: Gap = { of: [at(4), at(6)] };
    const done = [["0/6 shown"], [leaf(at(4), at(6))]];
    expect(await shown([gap])).toEqual(done);
    expect(await shown([gap], [], 3)).toEqual(done);
    expect(await shown([{ ...gap, createdAt: LONG_AGO + 1 }])).toEqual(NOTHING);
    expect(await shown([{ ...gap, takenBackAt: 1 }])).toEqual(NOTHING);
    expect(await shown([{ ...gap, gameId: OTHER.id }])).toEqual(NOTHING);
  });

  it("once they are over", async () => {
    expect(await shown([{ of: [at(4, 2), at(9, 2)] }])).toEqual([["2/9 shown"], [leaf(at(4, 2), at(9, 2))]]);
    expect(await shown([{ of: [at(4, 2), at(10, 2)] }])).toEqual(NOTHING);
    expect(await shown([{ of: [at(4, 1), at(20, 1)] }])).toEqual([["1/20 shown"], [leaf(at(4, 1), at(20, 1))]]);
    expect(await shown([{ of: [at(4), at(1, 3)] }])).toEqual(NOTHING);
  });

  it("a day at a time, the oldest first", async () => {
    const gap: Gap = { of: [at(4), at(6, 2)] };
    expect(await shown([gap])).toEqual([[`0/${LAST} shown`], [leaf(at(4), at(LAST))]]);
    expect(await shown([gap], [], 2)).toEqual([
      [`0/${LAST} shown`, `1/${LAST} shown`],
      [leaf(at(4), at(LAST)), leaf(at(1, 1), at(LAST, 1))],
    ]);
    expect(await shown([gap, { of: [at(8, 2), at(9, 2)] }], [], 5)).toEqual([
      [`0/${LAST} shown`, `1/${LAST} shown`, "2/9 shown"],
      [leaf(at(4), at(LAST)), leaf(at(1, 1), at(LAST, 1)), leaf(at(1, 2), at(6, 2)), leaf(at(8, 2), at(9, 2))],
    ]);
  });

  it("unless a later place of the day shows it already", async () => {
    const gap: Gap = { of: [at(4), at(6)] };
    const own = (number: number) => seedAt(at(number));
    expect(await shown([gap], [at(7)])).toEqual([["0/7"], []]);
    expect(await shown([gap], [at(6)])).toEqual([["0/6 shown"], [leaf(at(4), at(6))]]);
    expect(await shown([gap], [{ ...at(6), seed: own(6) }])).toEqual([["0/6 shown"], []]);
    expect(await shown([gap], [at(5)])).toEqual([["0/6 shown"], [leaf(at(4), at(6))]]);
    expect(await shown([gap], [{ ...at(5), seed: own(5) }])).toEqual([["0/6 shown"], [leaf(at(4), at(6))]]);
    // Neither another game's place nor another day's shows it.
    const others = [{ ...at(9), gameId: OTHER.id }, at(9, 1), at(9, -1)];
    expect(await shown([gap], others)).toEqual([["-1/9", "0/6 shown", "1/9"], [leaf(at(4), at(6))]]);
  });

  it("of several days those that are not shown yet, and of several gaps the next", async () => {
    const gap: Gap = { of: [at(4), at(6, 1)] };
    expect(await shown([gap], [{ ...at(LAST), seed: seedAt(at(LAST)) }])).toEqual([
      [`0/${LAST} shown`, "1/6 shown"],
      [leaf(at(1, 1), at(6, 1))],
    ]);
    expect(
      await shown([gap, { of: [at(8, 2), at(9, 2)] }], [{ ...at(LAST), seed: seedAt(at(LAST)) }, at(7, 1)]),
    ).toEqual([[`0/${LAST} shown`, "1/7", "2/9 shown"], [leaf(at(8, 2), at(9, 2))]]);
    expect(await shown([gap], [at(LAST), at(7, 1)])).toEqual([[`0/${LAST} shown`, "1/7"], [leaf(at(4), at(LAST))]]);
  });
});

describe("a place that is opened", () => {
  it("is marked above all that were shown of its day", async () => {
    const marked = async (number: number, ...marks: Mark[]) =>
      (await after({ marks }, (tx) => markOpened(tx, GAME, at(number)))).marks;
    expect(await marked(3)).toMatchObject([{ number: 3, seed: null }]);
    expect(await marked(3, { ...at(2), seed: "x" })).toMatchObject([{ number: 3, seed: null }]);
    for (const number of [3, 4])
      await expect(marked(3, at(number))).rejects.toThrow(`place 3 of day ${DAY} was shown before`);
    expect(await marked(3, at(9, 1), { ...at(9), gameId: OTHER.id })).toMatchObject([{ number: 3 }, { number: 9 }]);
  });

  it("is above the highest of its game and day", async () => {
    const up: number[] = [];
    await after({ marks: [at(4), at(7, 1), { ...at(9), gameId: OTHER.id }] }, async (tx) => {
      for (const days of [0, 1, 2]) up.push(await shownUpTo(tx, GAME, DAY + days));
    });
    expect(up).toEqual([4, 7, 0]);
  });
});
