import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#db/db.ts";
import { gaps, rounds, shownPlaces } from "#db/schema/lottery.ts";
import { correctGaps, recordMissed, wasDown, type ReasonsOf } from "#server/domains/lottery/gaps.ts";
import { ordinalOf, spanOf, type RoundPlace } from "#shared/lottery/schedule.ts";
import type { PauseChange } from "#shared/lottery/pauses.ts";
import { DAY, GAME, open } from "../admin/audit-round-rows.ts";
import { emptyRows, type Rows } from "../admin/audit-rows.ts";
import { at, LAST, OTHER, writeGames } from "./two-games-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

type Span = [from: RoundPlace, to: RoundPlace];

interface Known {
  /** Rounds in the order in which they were opened. */
  opened?: RoundPlace[];
  gaps?: { of: Span; game?: number; takenBackAt?: number }[];
  shown?: { up: RoundPlace; game?: number }[];
  /** The other game's rounds. */
  others?: RoundPlace[];
}

async function write(tx: Tx, { opened = [], gaps: known = [], shown = [], others = [] }: Known): Promise<void> {
  await writeGames(tx);
  // The other game's come first, and again last.
  const all = [
    ...others.map((place) => ({ gameId: OTHER.id, ...place })),
    ...opened.map((place) => ({ gameId: GAME.id, ...place })),
  ];
  for (const [i, place] of all.entries())
    await tx.insert(rounds).values({ ...open(place.number), ...place, id: i + 1, oddsId: place.gameId });
  for (const { of, game = GAME.id, takenBackAt = null } of known) {
    const [first, last] = of;
    const from = { fromDay: first.day, fromNumber: first.number };
    const to = { toDay: last.day, toNumber: last.number };
    await tx.insert(gaps).values({ gameId: game, ...from, ...to, reason: "down", createdAt: 1, takenBackAt });
  }
  for (const { up, game = GAME.id } of shown) await tx.insert(shownPlaces).values({ gameId: game, ...up });
}

const NOW = 7;
/** The gaps of the first game that are there then, each with its reason, and those that were taken back. */
async function gapsAfter(known: Known, work: (tx: Tx) => Promise<void>): Promise<string[]> {
  return rows.within(async (tx) => {
    await write(tx, known);
    await work(tx);
    const name = (day: number, number: number) => (day === DAY ? `${number}` : `${day - DAY}/${number}`);
    const found = await tx.select().from(gaps).orderBy(gaps.id);
    return found
      .filter(({ gameId }) => gameId === GAME.id)
      .map((gap) => {
        const span = `${name(gap.fromDay, gap.fromNumber)}-${name(gap.toDay, gap.toNumber)} ${gap.reason}`;
        return gap.takenBackAt === null ? span : `${span} until ${gap.takenBackAt}`;
      });
  });
}

describe("rounds that were missed", () => {
  const missed = (
    known: Known,
    next = at(8),
    { pauses = [], reasonsOf = wasDown }: { pauses?: PauseChange[]; reasonsOf?: ReasonsOf } = {},
  ) => gapsAfter(known, (tx) => recordMissed(tx, GAME, next, NOW, { pauses, reasonsOf }));

  it("are none before the first, and none between neighbours", async () => {
    expect(await missed({})).toEqual([]);
    expect(await missed({ others: [at(2)] })).toEqual([]);
    expect(await missed({ opened: [at(7)] })).toEqual([]);
  });

  it("are those between the last that was opened and the next, also from one day to another", async () => {
    expect(await missed({ opened: [at(3)] })).toEqual(["4-7 down"]);
    expect(await missed({ opened: [at(6)] })).toEqual(["7-7 down"]);
    expect(await missed({ opened: [at(LAST - 1)] }, at(3, 1))).toEqual(["1440-1/2 down"]);
    expect(await missed({ opened: [at(LAST)] }, at(1, 1))).toEqual([]);
  });

  it("are no matter of another game's rounds and gaps", async () => {
    const others = [at(2), at(5), at(6)];
    const gap = { of: [at(4), at(5)] as Span, game: OTHER.id };
    expect(await missed({ opened: [at(3)], others, gaps: [gap] })).toEqual(["4-7 down"]);
  });

  it("do not count from a round that a clock ahead opened, and leave out those that one opened in between", async () => {
    expect(await missed({ opened: [at(3), at(20), at(4, 1)] })).toEqual(["4-7 down"]);
    expect(await missed({ opened: [at(3), at(8)] })).toEqual(["4-7 down"]);
    expect(await missed({ opened: [at(5), at(3)] })).toEqual(["4-4 down", "6-7 down"]);
    expect(await missed({ opened: [at(4), at(3)] })).toEqual(["5-7 down"]);
    expect(await missed({ opened: [at(7), at(3)] })).toEqual(["4-6 down"]);
    expect(await missed({ opened: [at(5), at(4), at(6), at(7), at(3)] })).toEqual([]);
    expect(await missed({ opened: [at(5, -1), at(3)] })).toEqual(["4-7 down"]);
    expect(await missed({ opened: [at(2), at(3)] })).toEqual(["4-7 down"]);
  });

  it("over midnight leave out those that were opened there", async () => {
    const over = (...opened: RoundPlace[]) => missed({ opened: [...opened, at(LAST - 2)] }, at(4, 1));
    expect(await over(at(LAST), at(2, 1))).toEqual(["1439-1439 down", "1/1-1/1 down", "1/3-1/3 down"]);
    expect(await over(at(LAST - 1), at(3, 1))).toEqual(["1440-1/2 down"]);
    expect(await over(at(5), at(5, 1))).toEqual(["1439-1/3 down"]);
  });

  it("are not recorded twice", async () => {
    const known = (...of: Span[]) => missed({ opened: [at(3)], gaps: of.map((span) => ({ of: span })) });
    expect(await known([at(4), at(5)])).toEqual(["4-5 down", "6-7 down"]);
    expect(await known([at(5), at(5)])).toEqual(["5-5 down", "4-4 down", "6-7 down"]);
    expect(await known([at(7), at(9)])).toEqual(["7-9 down", "4-6 down"]);
    expect(await known([at(1), at(3)], [at(8), at(9)])).toEqual(["1-3 down", "8-9 down", "4-7 down"]);
    expect(await known([at(6), at(7)], [at(4), at(5)])).toEqual(["6-7 down", "4-5 down"]);
    expect(await known([at(6), at(6)], [at(4), at(4)])).toEqual(["6-6 down", "4-4 down", "5-5 down", "7-7 down"]);
  });

  it("are a clock's where a gap that begins them was taken back", async () => {
    const back = (first: number, last: number) =>
      missed({ opened: [at(3)], gaps: [{ of: [at(first), at(last)], takenBackAt: 5 }] });
    expect((await back(4, 4)).at(-1)).toBe("4-7 clock");
    expect((await back(2, 9)).at(-1)).toBe("4-7 clock");
    expect((await back(1, 3)).at(-1)).toBe("4-7 down");
    expect((await back(5, 9)).at(-1)).toBe("4-7 down");
    expect(await back(4, 4)).toHaveLength(2);
  });

  it("are parted by pauses, which come first, and by what the process says of the rest", async () => {
    const ordinal = (number: number) => ordinalOf(GAME, at(number));
    const pauses = [
      { from: ordinal(5), paused: true },
      { from: ordinal(7), paused: false },
    ] as PauseChange[];
    const gap = { of: [at(4), at(7)] as Span, takenBackAt: 5 };
    expect(await missed({ opened: [at(3)] }, at(8), { pauses })).toEqual(["4-4 down", "5-6 paused", "7-7 down"]);
    expect((await missed({ opened: [at(3)], gaps: [gap] }, at(8), { pauses })).slice(1)).toEqual([
      "4-4 clock",
      "5-6 paused",
      "7-7 clock",
    ]);
    const reasonsOf: ReasonsOf = ({ from, to }) => [
      { from, to: from, reason: "late" },
      { from: from + 1, to, reason: "clock" },
    ];
    expect(await missed({ opened: [at(3)] }, at(8), { reasonsOf })).toEqual(["4-4 late", "5-7 clock"]);
  });
});

describe("gaps that a clock ahead has written", () => {
  /** In the tenth round of the day. */
  const corrected = (known: Known, early?: RoundPlace & { isSkipped: boolean }) =>
    gapsAfter(known, (tx) => correctGaps(tx, GAME, spanOf(GAME, at(10)).opensAt, early));
  const now = spanOf(GAME, at(10)).opensAt;
  const gap = (first: RoundPlace, last: RoundPlace) => ({ of: [first, last] as Span });

  it("are taken back where they reach the present round or the days to come, and else left as they are", async () => {
    expect(await corrected({ gaps: [gap(at(4), at(9))] })).toEqual(["4-9 down"]);
    expect(await corrected({ gaps: [gap(at(4), at(10))] })).toEqual([`4-10 down until ${now}`]);
    expect(await corrected({ gaps: [gap(at(4), at(3, 1))] })).toEqual([`4-1/3 down until ${now}`]);
    expect(await corrected({ gaps: [gap(at(4, -1), at(20, -1))] })).toEqual(["-1/4--1/20 down"]);
  });

  it("are taken back once, and those of another game are left alone", async () => {
    expect(await corrected({ gaps: [{ ...gap(at(4), at(20)), takenBackAt: 5 }] })).toEqual(["4-20 down until 5"]);
    await rows.within(async (tx) => {
      await write(tx, { gaps: [{ ...gap(at(4), at(20)), game: OTHER.id }] });
      await correctGaps(tx, GAME, now);
      expect((await tx.select().from(gaps)).map(({ takenBackAt }) => takenBackAt)).toEqual([null]);
    });
  });

  it("stay a gap as far as their places were shown", async () => {
    const of = (shown: Known["shown"], ...more: Known["shown"] & {}) =>
      corrected({ gaps: [gap(at(4), at(20))], shown: [...shown!, ...more] });
    const back = `4-20 down until ${now}`;
    expect(await of([{ up: at(6) }])).toEqual([back, "4-6 clock"]);
    expect(await of([{ up: at(4) }])).toEqual([back, "4-4 clock"]);
    expect(await of([{ up: at(3) }])).toEqual([back]);
    expect(await of([{ up: at(19) }])).toEqual([back, "4-19 clock"]);
    expect(await of([{ up: at(20) }])).toEqual(["4-20 down"]);
    expect(await of([{ up: at(25) }])).toEqual(["4-20 down"]);
    expect(await of([{ up: at(6), game: OTHER.id }, { up: at(30, -1) }, { up: at(30, 1) }])).toEqual([back]);
  });

  it("stay a gap day by day, in one piece where they meet", async () => {
    const of = (...shown: RoundPlace[]) =>
      corrected({ gaps: [gap(at(LAST - 1), at(5, 1))], shown: shown.map((up) => ({ up })) });
    const back = `1439-1/5 down until ${now}`;
    expect(await of(at(LAST), at(2, 1))).toEqual([back, "1439-1/2 clock"]);
    expect(await of(at(2, 1), at(LAST))).toEqual([back, "1439-1/2 clock"]);
    expect(await of(at(LAST - 1), at(2, 1))).toEqual([back, "1439-1439 clock", "1/1-1/2 clock"]);
    expect(await of(at(LAST), at(5, 1))).toEqual(["1439-1/5 down"]);
    expect(await of(at(2, 1))).toEqual([back, "1/1-1/2 clock"]);
    const long = {
      gaps: [gap(at(LAST - 1), at(5, 2))],
      shown: [at(LAST - 1), at(LAST, 1), at(3, 2)].map((up) => ({ up })),
    };
    expect((await corrected(long)).slice(1)).toEqual(["1439-1439 clock", "1/1-2/3 clock"]);
  });

  it("grow by a round that was closed early without a bet, and by none with one", async () => {
    const of = (early: RoundPlace & { isSkipped: boolean }, shown: number) =>
      corrected({ gaps: [gap(at(4), at(20))], shown: [{ up: at(shown) }] }, early);
    const back = `4-20 down until ${now}`;
    expect(await of({ ...at(21), isSkipped: true }, 21)).toEqual([back, "4-21 clock"]);
    expect(await of({ ...at(21), isSkipped: false }, 20)).toEqual([back, "4-20 clock"]);
    expect(await of({ ...at(22), isSkipped: true }, 20)).toEqual(["4-20 down", "22-22 clock"]);
    expect(await of({ ...at(22), isSkipped: true }, 6)).toEqual([back, "4-6 clock", "22-22 clock"]);
    expect(await corrected({}, { ...at(22), isSkipped: true })).toEqual(["22-22 clock"]);
    expect(await corrected({}, { ...at(22), isSkipped: false })).toEqual([]);
  });

  it("count a place as shown once, however many gaps hold it", async () => {
    const known = { gaps: [gap(at(4), at(20)), gap(at(8), at(12))], shown: [{ up: at(10) }] };
    expect(await corrected(known)).toEqual([`4-20 down until ${now}`, `8-12 down until ${now}`, "4-10 clock"]);
  });
});
