import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#db/db.ts";
import { anchors, beaconChanges, gaps, odds, pauses, seals } from "#db/schema/index.ts";
import { logRestores, servedApps } from "#db/schema/log.ts";
import { wheelTables } from "#db/schema/wheel.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { LogFacts } from "#server/admin/audit/log-facts.ts";
import { oddsLeaf } from "#server/domains/log/odds-leaf.ts";
import { tableLeaf } from "#server/domains/log/table-leaf.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { parseDay } from "#shared/time.ts";
import { hashFor, LEAF } from "../../log/leaves.ts";
import { GAMES, gapFrom } from "./audit-round-rows.ts";
import { all, emptyRows, nothing, type Put, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

/** What the audit makes of a page of leaves, numbered from 0, where these rows are. */
const ask = (put: Put, ...leaves: (Leaf | { number: number | null; leaf: Leaf })[]) =>
  rows.within(async (tx, run) => {
    await put(tx, run);
    const found = new Findings();
    const facts = LogFacts.read(tx, GAMES, found);
    const at = await facts.check(leaves.map((one, number) => ("leaf" in one ? one : { number, leaf: one })));
    return { at, problems: found.problems, notes: found.notes, facts };
  });

const DAY = parseDay("20260302")!;
const minutes = GAMES[0]!;
const OTHER = hashFor("other");

/** A leaf, rows that do not bear it out, and the one that does. */
interface Case {
  leaf: Leaf;
  beside: Put;
  /** What cannot be there beside the right one. */
  instead?: Put;
  row: Put;
  /** When it was stated, as its row tells, and where there is none. */
  at: number | null;
  otherwise: number | null;
}

const anchor =
  (gameId: number, day: number, hash = LEAF.anchor.anchor) =>
  (tx: Tx) =>
    tx.insert(anchors).values({ gameId, day, anchor: hash, createdAt: 77 });
const oddsRow = { id: 7, gameId: 1, milli: [207_000, 69_000], unit: "point", createdAt: 1_000 };
const putOdds = (row: Partial<typeof oddsRow>) => (tx: Tx) => tx.insert(odds).values({ ...oddsRow, ...row });
const tableRow = {
  id: 3,
  prizes: LEAF.table.prizes.map((one) => ({ ...one, title: "", image: "" })),
  createdAt: 1_000,
};
const putTable = (id: number) => (tx: Tx) =>
  tx.insert(wheelTables).values({ ...tableRow, id, prizes: tableRow.prizes as never });
const putApp = (createdAt: number) => (tx: Tx) => tx.insert(servedApps).values({ ...LEAF.app, createdAt });
const gapRow = gapFrom(DAY);
const putGap = (row: Partial<typeof gaps.$inferInsert>) => (tx: Tx) => tx.insert(gaps).values({ ...gapRow, ...row });
const pauseRow = { gameId: 1, fromDay: DAY, fromNumber: 9, paused: true, reason: "new dice", announcedAt: 9 };
const resumeRow = { ...pauseRow, fromNumber: 19, paused: false, reason: null, announcedAt: 10 };
const putPause = (row: typeof pauses.$inferInsert) => (tx: Tx) => tx.insert(pauses).values(row);
const sealRow = { id: 4, houseTo: 0, transfersTo: 0, root: LEAF.seal.root, seal: LEAF.seal.seal, createdAt: 9 };
const putSeal = (row: Partial<typeof sealRow>) => (tx: Tx) => tx.insert(seals).values({ ...sealRow, ...row });
const beaconRow = { gameId: 1, fromDay: DAY, fromNumber: 3, mode: "none", announcedAt: 5 };
const putBeacon = (row: Partial<typeof beaconRow>) => (tx: Tx) =>
  tx.insert(beaconChanges).values({ ...beaconRow, ...row });
const putRestore = (id: number) => (tx: Tx) =>
  tx.insert(logRestores).values({ id, reason: "the disk failed", createdAt: 9 });
/** Several of these. */

const CASES: Record<string, Case> = {
  anchor: {
    leaf: LEAF.anchor,
    beside: all(anchor(2, DAY), anchor(1, DAY - 1)),
    row: anchor(1, DAY),
    at: 77,
    otherwise: null,
  },
  odds: {
    leaf: oddsLeaf(minutes, oddsRow),
    beside: all(putOdds({ id: 6 }), putOdds({ gameId: 2, id: 8 })),
    instead: putOdds({ gameId: 2 }),
    row: putOdds({}),
    at: null,
    otherwise: null,
  },
  table: {
    leaf: tableLeaf({ ...tableRow, prizes: tableRow.prizes as never }, "EUR"),
    beside: all(putTable(2), putTable(4)),
    row: putTable(3),
    at: 1_000,
    otherwise: 1_000,
  },
  app: { leaf: LEAF.app, beside: all(putApp(8), putApp(10)), row: putApp(9), at: 9, otherwise: 9 },
  gap: {
    leaf: LEAF.gap,
    beside: all(putGap({ gameId: 2 }), putGap({ fromDay: DAY - 1 }), putGap({ fromNumber: 2 })),
    row: putGap({}),
    at: 9,
    otherwise: 9,
  },
  pause: {
    leaf: LEAF.pause,
    beside: all(
      putPause({ ...pauseRow, gameId: 2 }),
      putPause({ ...pauseRow, announcedAt: 8 }),
      putPause({ ...pauseRow, announcedAt: null }),
      putPause({ ...pauseRow, paused: false }),
    ),
    row: putPause(pauseRow),
    at: 9,
    otherwise: 9,
  },
  resume: {
    leaf: LEAF.resume,
    beside: all(putPause({ ...resumeRow, gameId: 2 }), putPause({ ...resumeRow, paused: true })),
    row: putPause(resumeRow),
    at: 10,
    otherwise: 10,
  },
  seal: {
    leaf: LEAF.seal,
    beside: all(putSeal({ id: 3 }), putSeal({ id: 5 })),
    row: putSeal({}),
    at: 9,
    otherwise: null,
  },
  beacon: {
    leaf: LEAF.beacon,
    beside: all(putBeacon({ gameId: 2 }), putBeacon({ announcedAt: 6 })),
    row: putBeacon({}),
    at: 5,
    otherwise: 5,
  },
  restore: {
    leaf: LEAF.restore,
    beside: all(putRestore(2)),
    row: putRestore(1),
    at: 9,
    otherwise: 9,
  },
};
const KINDS = Object.keys(CASES);
const NAMES: Record<string, string> = {
  anchor: "anchor of k3-1m 20260302",
  odds: "odds 7 of k3-1m",
  table: "table 3",
  app: "app since 9",
  gap: "gap of k3-1m from 20260302-0001",
  pause: "pause of k3-1m from 20260302-0009",
  resume: "resume of k3-1m from 20260302-0019",
  seal: "seal 4",
  beacon: "beacon of k3-1m from 20260302-0003",
  restore: "restore",
};

describe("the audit asks a leaf of the log for its row, and of kind", () => {
  it.each(KINDS)("%s finds the one among others", async (kind) => {
    const { leaf, beside, row, at } = CASES[kind]!;
    const answer = await ask(all(beside, row), leaf);
    expect([answer.problems, answer.notes, answer.at]).toEqual([[], [], at]);
  });

  it.each(KINDS)("%s takes none of the others for it", async (kind) => {
    const { leaf, beside, instead = nothing, otherwise } = CASES[kind]!;
    const answer = await ask(all(beside, instead), leaf);
    expect([answer.problems, answer.notes, answer.at]).toEqual([
      [`the log's ${NAMES[kind]} has no row`],
      [],
      otherwise,
    ]);
  });

  it.each<[string, Leaf, string]>([
    ["anchor", LEAF.anchor, "anchor of unknown 20260302"],
    ["odds", LEAF.odds, "odds 7 of unknown"],
    ["gap", LEAF.gap, "gap of unknown from 20260302-0001"],
    ["pause", LEAF.pause, "pause of unknown from 20260302-0009"],
    ["beacon", LEAF.beacon, "beacon of unknown from 20260302-0003"],
  ])("%s finds none for a game that there is not", async (kind, leaf, name) => {
    const { problems } = await ask(CASES[kind]!.row, { ...leaf, game: "unknown" } as Leaf);
    expect(problems).toEqual([`the log's ${name} has no row`]);
  });
});

describe("the audit names what a leaf of the log says otherwise than its row:", () => {
  const from = (kind: string, says: string) => `the log's ${NAMES[kind]}: ${says}`;
  it.each<[string, Leaf, Put, string[]]>([
    [
      "an anchor",
      LEAF.anchor,
      anchor(1, DAY, OTHER),
      [from("anchor", `anchor is ${LEAF.anchor.anchor}, the rows give ${OTHER}`)],
    ],
    [
      "a gap",
      LEAF.gap,
      putGap({ toNumber: 5, reason: "late", createdAt: 8 }),
      [
        from("gap", "to is 20260302-0004, the rows give 20260302-0005"),
        from("gap", "reason is down, the rows give late"),
        from("gap", "at is 9, the rows give 8"),
      ],
    ],
    [
      "the nearest of several gaps",
      LEAF.gap,
      all(
        putGap({ reason: "late", createdAt: 8 }),
        putGap({ createdAt: 7 }),
        putGap({ reason: "clock", createdAt: 8 }),
      ),
      [from("gap", "at is 9, the rows give 7")],
    ],
    [
      "a pause",
      LEAF.pause,
      putPause({ ...pauseRow, fromNumber: 10, reason: null }),
      [
        from("pause", "from is 20260302-0009, the rows give 20260302-0010"),
        from("pause", "reason is new dice, the rows give "),
      ],
    ],
    [
      "the end of a pause",
      LEAF.resume,
      putPause({ ...resumeRow, fromDay: DAY + 1 }),
      [from("resume", "from is 20260302-0019, the rows give 20260303-0019")],
    ],
    [
      "another beacon",
      LEAF.beacon,
      putBeacon({ fromNumber: 4, mode: "drand" }),
      [
        from("beacon", "mode is none, the rows give drand"),
        from("beacon", "from is 20260302-0003, the rows give 20260302-0004"),
      ],
    ],
    [
      "a seal",
      LEAF.seal,
      putSeal({ root: OTHER, seal: OTHER, createdAt: 8 }),
      [
        from("seal", `root is ${LEAF.seal.root}, the rows give ${OTHER}`),
        from("seal", `seal is ${LEAF.seal.seal}, the rows give ${OTHER}`),
        from("seal", "at is 9, the rows give 8"),
      ],
    ],
    [
      "a restore",
      { ...LEAF.restore, reason: "none", at: 8 },
      putRestore(1),
      [from("restore", "reason is none, the rows give the disk failed"), from("restore", "at is 8, the rows give 9")],
    ],
    ["an app", { ...LEAF.app, version: "2" }, putApp(9), [from("app", "version is 2, the rows give 0.1.0")]],
    ["odds", { ...oddsLeaf(minutes, oddsRow), close: 9 }, putOdds({}), [from("odds", "close is 9, the rows give 10")]],
    [
      "a table of prizes",
      { ...tableLeaf({ ...tableRow, prizes: tableRow.prizes as never }, "EUR"), from: 999 },
      putTable(3),
      [from("table", "from is 999, the rows give 1000")],
    ],
  ])("%s", async (_, leaf, put, problems) => {
    expect((await ask(put, leaf)).problems).toEqual(problems);
  });

  it("odds whose row no leaf could state", async () => {
    const { problems } = await ask(putOdds({ milli: [2 ** 60] }), LEAF.odds);
    expect(problems).toEqual(["the log's odds 7 of k3-1m has no row"]);
  });

  it("and notes a gap that was taken back, unless the same one was written again", async () => {
    const back = putGap({ takenBackAt: 11 });
    const note = "the log's gap of k3-1m from 20260302-0001 was taken back: the clock had been ahead";
    expect(await ask(back, LEAF.gap)).toMatchObject({ problems: [], notes: [note] });
    expect(await ask(all(back, putGap({})), LEAF.gap)).toMatchObject({ problems: [], notes: [] });
  });

  it("a change of the key that no key bears out", async () => {
    const { problems, at } = await ask(nothing, LEAF.key);
    expect([problems, at]).toEqual([[`the log's change to the key ${LEAF.key.next} has no row`], 9]);
  });
});

describe("of what the log states the audit keeps", () => {
  it("the first table of prizes and the odds, for the rows that it asks later", async () => {
    const put = all(putTable(2), putTable(3), putOdds({}));
    const odds = oddsLeaf(minutes, oddsRow);
    const { facts } = await ask(put, LEAF.table, { ...LEAF.table, id: "2" }, LEAF.table, odds);
    expect([facts.firstTable, [...facts.oddsStated]]).toEqual([2, ["7"]]);
  });

  it("a table whose number is none as the first of all", async () => {
    const { facts, problems } = await ask(putTable(1), { ...LEAF.table, id: "x" });
    expect([facts.firstTable, problems]).toEqual([0, ["the log's table x has no row"]]);
  });
});
