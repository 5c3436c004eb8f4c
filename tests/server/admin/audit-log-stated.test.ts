import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bets } from "#db/schema/bets.ts";
import { houseEntries } from "#db/schema/ledger.ts";
import { logLeaves, servedApps, type logKeys } from "#db/schema/log.ts";
import { anchors, gaps, odds, pauses, rounds, shownPlaces } from "#db/schema/lottery.ts";
import { wheelTables } from "#db/schema/wheel.ts";
import { Findings } from "#server/admin/audit/findings.ts";
import { LogFacts } from "#server/admin/audit/log-facts.ts";
import { auditStated } from "#server/admin/audit/log-stated.ts";
import { SignsOfLife } from "#server/admin/audit/signs-of-life.ts";
import { shortKey } from "#server/domains/log/add-leaf.ts";
import { leafKey, type Leaf, type OpenKind } from "#shared/log/leaf.ts";
import { keyText } from "#shared/log/note.ts";
import { DAY_MS, parseDay } from "#shared/time.ts";
import { LEAF } from "../../log/leaves.ts";
import { hexOf, signerOf } from "../../log/world.ts";
import { GAMES } from "./audit-round-rows.ts";
import { all, emptyRows, nothing, type Put, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

const DAY = parseDay("20260302")!;
/** A second after midnight. */
const BEGAN = DAY * DAY_MS + 1_000;
const WORKED = BEGAN + 1_000_000;

interface Asked {
  keys?: (typeof logKeys.$inferSelect)[];
  /** What the leaves said before. */
  said?: (facts: LogFacts) => void;
}

/** What the log lacks, of a house that worked until `WORKED`, where these rows are. */
const problemsOf = (put: Put, { keys = [], said = () => {} }: Asked = {}) =>
  rows.within(async (tx, run) => {
    await put(tx, run);
    await tx.insert(houseEntries).values({ kind: "payouts", amount: 0, fromId: 1, toId: 1, createdAt: WORKED });
    const found = new Findings();
    const facts = LogFacts.read(tx, GAMES, found);
    said(facts);
    const signs = await SignsOfLife.read(tx, WORKED);
    await auditStated(tx, { log: 2, began: BEGAN, signs, games: GAMES, keys }, facts, found);
    return found.problems;
  });

/** Leaves in a log. Of what is asked here, their keys alone count. */
const stated =
  (leaves: Leaf<OpenKind>[], log = 2): Put =>
  (tx) =>
    tx.insert(logLeaves).values(leaves.map((leaf) => ({ log, key: shortKey(leafKey(leaf)), text: "" })));

describe("the audit asks the log for", () => {
  it("each of its keys but the first", async () => {
    const origin = "house.example/log";
    const signers = ["a", "b", "c"].map((word) => signerOf(origin, undefined, word));
    const row = { log: 2, origin, sealedKey: "", firstBatch: 0, createdAt: 1 };
    const keys = signers.map(({ key }, i) => ({ ...row, id: i + 1, publicKey: hexOf(key.publicKey) }));
    const texts = signers.slice(1).map(({ key }) => keyText(key));
    const lacks = texts.map((text) => `the log lacks the change to the key ${text}`);
    expect(await problemsOf(nothing, { keys })).toEqual(lacks);
    const put = stated([{ ...LEAF.key, next: texts[0]! }]);
    expect(await problemsOf(put, { keys })).toEqual(lacks.slice(1));
  });

  it("anchors of days from its first on, and what was published since", async () => {
    const anchor = (gameId: number, day: number, createdAt: number) => ({ gameId, day, anchor: "ab", createdAt });
    const put: Put = (tx) =>
      tx
        .insert(anchors)
        .values([
          anchor(2, DAY - 1, BEGAN + 1),
          anchor(1, DAY - 3, BEGAN - 1),
          anchor(1, DAY + 1, BEGAN + 1),
          anchor(1, DAY, 0),
          anchor(1, DAY - 1, BEGAN - 1),
          anchor(1, DAY - 2, BEGAN),
        ]);
    const lacks = ["k3-1m 20260228", "k3-1m 20260302", "k3-1m 20260303", "k3-5m 20260301"];
    const said = lacks.map((one) => `the log lacks the anchor of ${one}`);
    expect(await problemsOf(put)).toEqual(said);
    expect(await problemsOf(all(put, stated([LEAF.anchor])))).toEqual(said.toSpliced(1, 1));
    expect(await problemsOf(all(put, stated([LEAF.anchor], 1)))).toEqual(said);
  });

  it("gaps since it began", async () => {
    const gap = (id: number, gameId: number, number: number, createdAt: number) => {
      const to = { toDay: DAY, toNumber: number + 3 };
      return { id, gameId, fromDay: DAY, fromNumber: number, ...to, reason: "down" as const, createdAt };
    };
    const put: Put = (tx) =>
      tx
        .insert(gaps)
        .values([gap(1, 1, 1, BEGAN - 1), gap(2, 1, 5, BEGAN), gap(3, 2, 7, BEGAN + 1), gap(4, 1, 9, BEGAN + 2)]);
    const said = ["k3-1m from 20260302-0005", "k3-1m from 20260302-0009", "k3-5m from 20260302-0007"].map(
      (one) => `the log lacks the gap of ${one}`,
    );
    expect(await problemsOf(put)).toEqual(said);
    const leaf: Leaf<"gap"> = { ...LEAF.gap, from: "20260302-0005", to: "20260302-0008", at: BEGAN };
    expect(await problemsOf(all(put, stated([leaf])))).toEqual(said.slice(1));
  });

  it("pauses and their ends that were announced since", async () => {
    const pause = (id: number, gameId: number, paused: boolean, announcedAt: number | null) => {
      return { id, gameId, fromDay: DAY, fromNumber: id, paused, announcedAt };
    };
    const put: Put = (tx) =>
      tx
        .insert(pauses)
        .values([
          pause(1, 1, true, BEGAN - 1),
          pause(2, 1, true, BEGAN),
          pause(3, 2, false, BEGAN + 1),
          pause(4, 1, false, BEGAN + 2),
          pause(5, 1, true, null),
        ]);
    const said = [
      "the log lacks the pause of k3-1m from 20260302-0002",
      "the log lacks the resume of k3-1m from 20260302-0004",
      "the log lacks the resume of k3-5m from 20260302-0003",
    ];
    expect(await problemsOf(put)).toEqual(said);
    const leaf: Leaf<"pause"> = { ...LEAF.pause, at: BEGAN };
    expect(await problemsOf(all(put, stated([leaf])))).toEqual(said.slice(1));
    const end: Leaf<"resume"> = { ...LEAF.resume, at: BEGAN + 2 };
    expect(await problemsOf(all(put, stated([end])))).toEqual(said.toSpliced(1, 1));
  });

  it("odds that it says its rounds have", async () => {
    const said = (facts: LogFacts) => {
      for (const id of ["1", "2", "3"]) facts.oddsUsed.add(id);
      for (const id of ["2", "4"]) facts.oddsStated.add(id);
    };
    expect(await problemsOf(nothing, { said })).toEqual(
      ["1", "3"].map((id) => `the log lacks the odds ${id}, with which it says that rounds were opened`),
    );
  });

  it("what was served since it began", async () => {
    const put: Put = (tx) =>
      tx
        .insert(servedApps)
        .values([-1, 0, 1].map((ms) => ({ version: "1", files: "", page: "", createdAt: BEGAN + ms })));
    expect(await problemsOf(put)).toEqual([0, 1].map((ms) => `the log lacks the app since ${BEGAN + ms}`));
    expect(await problemsOf(all(put, stated([{ ...LEAF.app, from: BEGAN }])))).toEqual([
      `the log lacks the app since ${BEGAN + 1}`,
    ]);
  });

  it("tables of prizes from the first that it states on", async () => {
    const whole = { id: "ten", kind: "points", amount: 1, weight: 1, title: "", image: "" };
    const { kind: _kind, ...without } = whole;
    const table = (id: number, prize: object) => ({ id, prizes: [prize] as never, createdAt: 1 });
    const put: Put = (tx) =>
      tx.insert(wheelTables).values([table(2, whole), table(3, whole), table(4, without), table(5, whole)]);
    const said = (facts: LogFacts) => void (facts.firstTable = 3);
    expect(await problemsOf(put, { said })).toEqual([3, 5].map((id) => `the log lacks the table ${id}`));
    expect(await problemsOf(all(put, stated([LEAF.table])), { said })).toEqual(["the log lacks the table 5"]);
    expect(await problemsOf(put)).toEqual([]);
  });

  it("seals since it began, once a server has worked on, however many", async () => {
    const seals: Put = (_tx, run) =>
      run(`insert into seals (id, house_to, transfers_to, root, seal, created_at)
        with recursive n (i) as (select 1 union all select i + 1 from n where i < 5006)
        select i, 0, 0, '', '', case when i < 4998 then ${BEGAN - 1} when i < 5004 then ${BEGAN}
          when i = 5004 then ${WORKED - 120_001} when i = 5005 then ${WORKED - 120_000} else ${WORKED} end from n`);
    const said = [4998, 4999, 5000, 5001, 5002, 5003, 5004].map((id) => `the log lacks the seal ${id}`);
    expect(await problemsOf(seals)).toEqual(said);
    const put = all(seals, stated([{ ...LEAF.seal, number: 4998 }]));
    expect(await problemsOf(put)).toEqual(said.slice(1));
  });
});

describe("the audit asks whether the unit of odds is the ledger's:", () => {
  const row = (id: number, gameId: number, unit: string) => ({ id, gameId, milli: [], unit, createdAt: 1 });
  const round = (id: number, oddsId: number) => {
    const times = { openedAt: 1, closesAt: 2, drawsAt: 3 };
    return { id, gameId: 1, day: DAY, number: id, commit: "", oddsId, ...times, fromBet: 1 };
  };
  const bet = (id: number, roundId: number) => {
    const money = { stake: 1, total: 1, version: 1, balanceAfter: 0 };
    return { id, memberId: 1, roundId, oddsId: 9, mask: 1n, ...money, createdAt: 1 };
  };
  const put =
    (units: [string, string, string], played: number[]): Put =>
    async (tx) => {
      await tx.insert(odds).values([row(1, 1, units[0]), row(2, 2, "point"), row(3, 1, units[1]), row(4, 2, units[2])]);
      await tx.insert(rounds).values([round(5, 1), round(6, 3), round(7, 2)]);
      if (played.length > 0) await tx.insert(bets).values(played.map((roundId, i) => bet(i + 1, roundId)));
    };
  const is = (id: number, game = "k3-1m") => `the odds ${id} of ${game} are in USD, and the ledger is in point`;

  it("those of the rounds to come are in it", async () => {
    expect(await problemsOf(put(["point", "USD", "USD"], []))).toEqual([is(3), is(4, "k3-5m")]);
    expect(await problemsOf(put(["point", "point", "point"], [5, 6, 7]))).toEqual([]);
  });

  it("those of bets are, and earlier ones need not be", async () => {
    expect(await problemsOf(put(["USD", "point", "point"], []))).toEqual([]);
    expect(await problemsOf(put(["USD", "point", "point"], [6, 7]))).toEqual([]);
    expect(await problemsOf(put(["USD", "point", "point"], [6, 5]))).toEqual([is(1)]);
  });
});

describe("the audit asks for the seed that was shown at the end of a gap:", () => {
  const gap = { fromDay: DAY, fromNumber: 3, toDay: DAY + 1, toNumber: 4, reason: "down" as const };
  const shown =
    (gameId: number, day: number, number: number, seed: string | null = "ab"): Put =>
    (tx) =>
      tx.insert(shownPlaces).values({ gameId, day, number, seed });
  /** A gap of the first game, whose leaf is there. */
  const inGap = (place: Put, createdAt = BEGAN): Put => {
    const leaf: Leaf<"gap"> = { ...LEAF.gap, from: "20260302-0003", to: "20260303-0004", at: createdAt };
    const row: Put = (tx) => tx.insert(gaps).values({ ...gap, gameId: 1, createdAt });
    return all(row, stated([leaf]), place);
  };
  const lacks = (place: string) => `the log lacks the seed that was shown of k3-1m ${place}, in a gap`;

  it("which stands in the log, from the first place of the gap to the last", async () => {
    expect(await problemsOf(inGap(shown(1, DAY, 3)))).toEqual([lacks("20260302-0003")]);
    expect(await problemsOf(inGap(shown(1, DAY + 1, 4)))).toEqual([lacks("20260303-0004")]);
    const said = (facts: LogFacts) => void facts.skippedDays.add(`1:${DAY}`);
    expect(await problemsOf(inGap(shown(1, DAY, 3)), { said })).toEqual([]);
  });

  it.each<[string, Put]>([
    ["before the gap", shown(1, DAY, 2)],
    ["after the gap", shown(1, DAY + 1, 5)],
    ["that was not shown", shown(1, DAY, 3, null)],
    ["of another game", shown(2, DAY, 3)],
  ])("none is asked of a place %s", async (_, place) => {
    expect(await problemsOf(inGap(place))).toEqual([]);
  });

  it("none is asked of a gap from before the log", async () => {
    expect(await problemsOf(inGap(shown(1, DAY, 3), BEGAN - 1))).toEqual([]);
  });
});
