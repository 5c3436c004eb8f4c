import { describe, expect, it } from "vitest";
import { Findings } from "#server/admin/audit/findings.ts";
import { compareLeaf, differences, nameOf, sortedReason, statedOdds } from "#server/admin/audit/log-names.ts";
import { oddsLeaf } from "#server/domains/log/odds-leaf.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { hashFor, LEAF } from "../../log/leaves.ts";
import { GAMES } from "./audit-round-rows.ts";

describe("the audit names a leaf of the log", () => {
  it.each<[string, Leaf]>([
    ["anchor of k3-1m 20260302", LEAF.anchor],
    ["app since 9", LEAF.app],
    ["table 3", LEAF.table],
    ["odds 7 of k3-1m", LEAF.odds],
    ["open of round k3-1m 20260302-0001", LEAF.open],
    ["close of round k3-1m 20260302-0001", LEAF.close],
    ["draw of round k3-1m 20260302-0001", LEAF.draw],
    ["settle of round k3-1m 20260302-0001", LEAF.settle],
    ["refund of round k3-1m 20260302-0001", LEAF.refund],
    ["gap of k3-1m from 20260302-0001", LEAF.gap],
    ["skipped of k3-1m from 20260302-0001", LEAF.skipped],
    ["pause of k3-1m from 20260302-0009", LEAF.pause],
    ["resume of k3-1m from 20260302-0019", LEAF.resume],
    ["beacon of k3-1m from 20260302-0003", LEAF.beacon],
    [`change to the key ${LEAF.key.next}`, LEAF.key],
    ["seal 4", LEAF.seal],
    ["time 1772409600000", LEAF.time],
    ["restore", LEAF.restore],
    ["spin", LEAF.spin],
    ["plays", LEAF.plays],
  ])("as the %s", (name, leaf) => {
    expect(nameOf(leaf)).toBe(name);
  });
});

describe("the audit compares what the log says with the rows", () => {
  it("field by field, each as it is written", () => {
    const found = new Findings();
    compareLeaf(LEAF.draw, { ...LEAF.draw, seed: hashFor("other"), dice: [1, 2], due: 60_001 }, found);
    expect(found.problems).toEqual([
      `the log's draw of round k3-1m 20260302-0001: seed is ${hashFor("seed")}, the rows give ${hashFor("other")}`,
      "the log's draw of round k3-1m 20260302-0001: dice is [1,2,3], the rows give [1,2]",
      "the log's draw of round k3-1m 20260302-0001: due is 60000, the rows give 60001",
    ]);
  });

  it("and says nothing where they are the same", () => {
    const found = new Findings();
    compareLeaf(LEAF.draw, { ...LEAF.draw, dice: [1, 2, 3] }, found);
    expect([found.problems, differences(LEAF.draw, structuredClone(LEAF.draw))]).toEqual([[], []]);
  });

  it("with a reason's languages in one order, whatever their order in the row", () => {
    const written = JSON.stringify(sortedReason({ zh_cn: "c", en_us: "a", ms_my: "b" }));
    expect(written).toBe('{"en_us":"a","ms_my":"b","zh_cn":"c"}');
    expect([sortedReason("repairs"), sortedReason(null)]).toEqual(["repairs", ""]);
  });
});

describe("odds as the log states them", () => {
  const row = { id: 7, gameId: 1, milli: [207_000], unit: "point", createdAt: 1_000 };

  it("come from their row", () => {
    expect(statedOdds(GAMES[0]!, row)).toEqual(oddsLeaf(GAMES[0]!, row));
  });

  it("are none for rates that no leaf can state", () => {
    expect(statedOdds(GAMES[0]!, { ...row, milli: [2 ** 60] })).toBeNull();
  });
});
