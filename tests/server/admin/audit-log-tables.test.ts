import { describe, expect, it } from "vitest";
import { Findings } from "#server/admin/audit/findings.ts";
import { LogTables } from "#server/admin/audit/log-tables.ts";
import type { Content } from "#shared/log/salted.ts";
import { rowsOf, tableHash, type Winnable } from "#shared/wheel.ts";
import { CONTENT, LEAF } from "../../log/leaves.ts";

const table_hash = tableHash(rowsOf(LEAF.table.prizes as Winnable[]));
/** The first spin under words that its member chose. */
const SPIN: Content<"spin"> = { ...CONTENT.spin, member: "2", number: 5, nonce: 0, table_hash };
const UNTOLD = "the log's spin, leaf 5 of member 2: no head before held the table of its words";

/** What is found as leaves of a log pass by. */
function foundIn(pass: (tables: LogTables) => void): string[] {
  const found = new Findings();
  pass(new LogTables(found));
  return found.problems;
}

describe("words are bound to a table that a head held before", () => {
  it("such as the one that the log begins with: it was in force before", () => {
    const says = foundIn((tables) => {
      tables.table(LEAF.table);
      tables.spin(SPIN);
      tables.time();
      tables.spin(SPIN);
    });
    expect(says).toEqual([]);
  });

  it("and not to one that came after the first head, and before the next", () => {
    const says = foundIn((tables) => {
      tables.time();
      tables.table(LEAF.table);
      tables.spin(SPIN);
      tables.time();
      tables.spin(SPIN);
    });
    expect(says).toEqual([UNTOLD]);
  });

  it("and not to one that the log does not have", () => {
    const says = foundIn((tables) => {
      tables.table(LEAF.table);
      tables.spin({ ...SPIN, table_hash: "ab" });
      tables.time();
      tables.spin({ ...SPIN, table_hash: "ab" });
    });
    expect(says).toEqual([UNTOLD, UNTOLD]);
  });

  it("which stays told when it is stated once more", () => {
    const says = foundIn((tables) => {
      tables.table(LEAF.table);
      tables.time();
      tables.table({ ...LEAF.table, id: "4" });
      tables.spin(SPIN);
    });
    expect(says).toEqual([]);
  });
});

describe("no table is asked for", () => {
  it.each<[string, Content<"spin" | "pair"> | null | undefined]>([
    ["by a second spin", { ...SPIN, nonce: 1 }],
    ["by words that the house chose", { ...SPIN, words_by: "house" }],
    ["by another leaf", CONTENT.pair],
    ["by a leaf whose content is gone", null],
    ["by a leaf that no chain has", undefined],
  ])("%s", (_, said) => {
    expect(foundIn((tables) => tables.spin(said))).toEqual([]);
  });
});
