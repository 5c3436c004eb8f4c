import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#db/db.ts";
import { anchors, gaps, rounds } from "#db/schema/lottery.ts";
import { memberLeaves, playHours } from "#db/schema/log.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { LogFacts } from "#server/admin/audit/log-facts.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { contentText } from "#shared/log/salted.ts";
import { parseDay } from "#shared/time.ts";
import { rowsOf, tableHash, type Winnable } from "#shared/wheel.ts";
import { CONTENT, hashFor, LEAF } from "../../log/leaves.ts";
import { sha256 } from "../../log/world.ts";
import { GAMES, gapFrom } from "./audit-round-rows.ts";
import { emptyRows, type Put, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

const DAY = parseDay("20260302")!;

/** What the audit makes of pages of leaves where these rows are. `at`: of the last page. */
const ask = (put: Put, ...pages: { number: number | null; leaf: Leaf }[][]) =>
  rows.within(async (tx, run) => {
    await put(tx, run);
    const found = new Findings();
    const facts = LogFacts.read(tx, GAMES, found);
    let at: number | null = null;
    for (const page of pages) at = await facts.check(page);
    return { at, problems: found.problems, facts };
  });
const numbered = (...leaves: Leaf[]) => leaves.map((leaf, i) => ({ number: i + 10, leaf }));

const round = {
  id: 5,
  gameId: 1,
  day: DAY,
  number: 1,
  commit: "",
  oddsId: 7,
  openedAt: 11,
  closesAt: 50,
  drawsAt: 60,
  fromBet: 1,
  closedAt: 12,
  drawnAt: 13,
  settledAt: 14,
  refundedAt: 15,
};
const putRounds =
  (...some: Partial<typeof rounds.$inferInsert>[]): Put =>
  (tx) =>
    tx.insert(rounds).values(some.map((one, i) => ({ ...round, id: round.id + i, ...one })));
const STAGES = ["open", "close", "draw", "settle", "refund"] as const;

describe("the audit asks what the log says of a round for the round, and", () => {
  it.each([
    ["open", 11],
    ["close", 12],
    ["draw", 13],
    ["settle", 14],
    ["refund", 15],
  ] as const)("learns from its %s when it was stated", async (kind, at) => {
    expect(await ask(putRounds({}), numbered(LEAF[kind]))).toMatchObject({ problems: [], at });
  });

  it.each([
    ["close", { closedAt: null }, "closed"],
    ["draw", { drawnAt: null }, "drawn"],
    ["settle", { settledAt: null }, "paid"],
    ["refund", { refundedAt: null }, "returned"],
  ] as const)("names a %s that the round does not have", async (kind, without, was) => {
    const { problems, at } = await ask(putRounds(without), numbered(LEAF[kind]));
    const says = `the log has the ${kind} of round k3-1m 20260302-0001, which was not ${was} in the tables`;
    expect([problems, at]).toEqual([[says], null]);
  });

  it.each(STAGES)("names the %s of a round that is of another game, day or number", async (kind) => {
    const others = putRounds({ gameId: 2 }, { day: DAY - 1 }, { number: 2 });
    const { problems, at } = await ask(others, numbered(LEAF[kind]));
    const says = `the log has the ${kind} of round k3-1m 20260302-0001, and the tables have no such round`;
    expect([problems, at]).toEqual([[says], null]);
  });

  it("names a round of a game that there is not", async () => {
    const { problems } = await ask(putRounds({}), numbered({ ...LEAF.close, game: "unknown" }));
    expect(problems).toEqual([
      "the log has the close of round unknown 20260302-0001, and the tables have no such round",
    ]);
  });

  it("finds all rounds of a page, of whatever game and day, and when the last of them was stated", async () => {
    const places = [
      { id: 9, gameId: 1, day: DAY, number: 1, openedAt: 21 },
      { id: 6, gameId: 1, day: DAY, number: 2, openedAt: 22 },
      { id: 7, gameId: 2, day: DAY, number: 1, openedAt: 23 },
      { id: 8, gameId: 1, day: DAY + 1, number: 2, openedAt: 24 },
    ];
    const opens = numbered(
      { ...LEAF.open, odds: "1" },
      { ...LEAF.open, odds: "2", round: "20260302-0002" },
      { ...LEAF.open, odds: "3", game: "k3-5m" },
      { ...LEAF.open, odds: "1", round: "20260303-0002" },
    );
    const { problems, at, facts } = await ask(putRounds(...places), opens);
    expect([problems, at, facts.firstRound, [...facts.oddsUsed]]).toEqual([[], 24, 6, ["1", "2", "3"]]);
  });

  it("takes none for the first that was not opened in the log", async () => {
    const { facts } = await ask(putRounds({}), numbered(LEAF.close));
    expect([facts.firstRound, facts.oddsUsed.size]).toEqual([Number.MAX_SAFE_INTEGER, 0]);
  });
});

describe("the audit asks the seed that ends a gap for its anchor and its gap, and", () => {
  const NAME = "the log's skipped of k3-1m from 20260302-0001";
  const ASTRAY = `${NAME}: its seed does not lead to the day's anchor`;
  const NOWHERE = `${NAME} is in no gap of the tables`;
  const right = bytesToHex(sha256(sha256(sha256(sha256(hexToBytes(LEAF.skipped.seed))))));
  const gap = gapFrom(DAY);
  const given =
    (anchor: Partial<typeof anchors.$inferInsert>, ...some: Partial<typeof gap>[]): Put =>
    async (tx) => {
      const others = [
        { gameId: 1, day: DAY - 1 },
        { gameId: 2, day: DAY },
      ];
      const wrong = others.map((one) => ({ ...one, anchor: "ab", createdAt: 1 }));
      await tx.insert(anchors).values([...wrong, { gameId: 1, day: DAY, anchor: right, createdAt: 1, ...anchor }]);
      if (some.length > 0) await tx.insert(gaps).values(some.map((one) => ({ ...gap, ...one })));
    };
  const skipped = numbered(LEAF.skipped);

  it("finds both, and notes the day", async () => {
    const { problems, at, facts } = await ask(given({}, {}), skipped);
    expect([problems, at, [...facts.skippedDays]]).toEqual([[], 9, [`1:${DAY}`]]);
  });

  it("takes a gap that is longer than what the seed gives, even by days", async () => {
    const long = { fromDay: DAY - 1, fromNumber: 1_440, toDay: DAY + 1, toNumber: 1 };
    expect((await ask(given({}, { gameId: 2 }, long), skipped)).problems).toEqual([]);
  });

  it.each<[string, Partial<typeof gap>[]]>([
    ["begins later", [{ fromNumber: 2 }]],
    ["ends before", [{ toNumber: 3 }]],
    ["is another game's", [{ gameId: 2 }]],
    ["is not there", []],
  ])("names a seed whose gap %s", async (_, some) => {
    expect((await ask(given({}, ...some), skipped)).problems).toEqual([NOWHERE]);
  });

  it("names a seed that leads elsewhere, be it to another game's anchor or another day's", async () => {
    expect((await ask(given({ anchor: hashFor("other") }, {}), skipped)).problems).toEqual([ASTRAY]);
    expect((await ask(given({ gameId: 3 }, {}), skipped)).problems).toEqual([ASTRAY]);
    expect((await ask(given({ day: DAY + 1 }, {}), skipped)).problems).toEqual([ASTRAY]);
  });

  it("finds neither for a game that there is not", async () => {
    const { problems } = await ask(given({}, {}), numbered({ ...LEAF.skipped, game: "unknown" }));
    const name = "the log's skipped of unknown from 20260302-0001";
    expect(problems).toEqual([
      `${name}: its seed does not lead to the day's anchor`,
      `${name} is in no gap of the tables`,
    ]);
  });
});

describe("the audit asks what the log says of members and plays for its row", () => {
  const own =
    (kind: "credit" | "bank", content: string): Put =>
    (tx) =>
      tx.insert(memberLeaves).values({ memberId: 1, number: 2, key: `${kind}:1`, content, hash: LEAF.credit.hash });

  it("in the member's chain, which tells when unless that was erased", async () => {
    const credit = numbered(LEAF.credit);
    expect(await ask(own("credit", contentText(CONTENT.credit)), credit)).toMatchObject({ problems: [], at: 9 });
    expect(await ask(own("credit", ""), credit)).toMatchObject({ problems: [], at: null });
  });

  it("and names what no chain has, or as another kind", async () => {
    const says = "the log's leaf 10 states a credit that no member's chain has";
    const nowhere: Put = async () => {};
    expect(await ask(nowhere, numbered(LEAF.credit))).toMatchObject({ problems: [says], at: null });
    expect(await ask(own("bank", ""), numbered(LEAF.credit))).toMatchObject({ problems: [says], at: null });
    const { problems } = await ask(nowhere, [{ number: null, leaf: LEAF.credit }]);
    expect(problems).toEqual(["the log's leaf without a number states a credit that no member's chain has"]);
  });

  it("among the hours of plays", async () => {
    const hour = (hash: string) => (tx: Tx) =>
      tx.insert(playHours).values({ hour: 8, counts: [], previous: "", hash, salt: "", createdAt: 19 });
    const plays = numbered(LEAF.plays);
    expect(await ask(hour(LEAF.plays.hash), plays)).toMatchObject({ problems: [], at: 19 });
    const says = "the log's leaf 10 states plays that no hour has";
    expect(await ask(hour(hashFor("other")), plays)).toMatchObject({ problems: [says], at: null });
    const { problems } = await ask(hour(hashFor("other")), [{ number: null, leaf: LEAF.plays }]);
    expect(problems).toEqual(["the log's leaf without a number states plays that no hour has"]);
  });

  it("and a time for its number: it ends a head", async () => {
    const nowhere: Put = async () => {};
    expect(await ask(nowhere, numbered(LEAF.time))).toMatchObject({ problems: [], at: LEAF.time.time });
    const waiting = await ask(nowhere, [{ number: null, leaf: LEAF.time }]);
    expect(waiting).toMatchObject({ problems: ["the log's time 1772409600000 has no number"], at: LEAF.time.time });
  });
});

describe("the audit asks a first spin for the head that held its table, which", () => {
  const table_hash = tableHash(rowsOf(LEAF.table.prizes as Winnable[]));
  const content = contentText({ ...CONTENT.spin, nonce: 0, table_hash });
  const put: Put = (tx) =>
    tx.insert(memberLeaves).values({ memberId: 1, number: 2, key: "spin:1", content, hash: LEAF.spin.hash });
  const UNTOLD = "the log's spin, leaf 2 of member m1: no head before held the table of its words";
  const aboutSpins = ({ problems }: { problems: string[] }) => problems.filter((one) => one.includes("spin"));

  it("came before, in an earlier page too", async () => {
    const { time, table, spin } = LEAF;
    expect(aboutSpins(await ask(put, numbered(time, table, time, spin)))).toEqual([]);
    expect(aboutSpins(await ask(put, numbered(time, table), numbered(time), numbered(spin)))).toEqual([]);
  });

  it("came after, or never", async () => {
    const { time, table, spin } = LEAF;
    expect(aboutSpins(await ask(put, numbered(time, table, spin, time)))).toEqual([UNTOLD]);
    expect(aboutSpins(await ask(put, numbered(time, time, spin)))).toEqual([UNTOLD]);
  });
});
