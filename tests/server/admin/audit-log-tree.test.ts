import { deflateRawSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { leafText } from "#shared/log/leaf.ts";
import { bundleOf } from "#shared/log/tiles.ts";
import { bytes } from "../../log/world.ts";
import { Copies, type Tampering } from "../../support/copies.ts";
import type { World } from "../../support/world.ts";
import { leavesTo, madeLogs, timeLeaf, treeOf } from "./audit-made-log.ts";
import { partly } from "./audit-one-part.ts";

/** Five bundles and twenty leaves behind them. */
const LONG = 7;
/** One leaf behind a bundle, with the same leaves as the others. */
const LONGER_BY_ONE = 8;
/** Just one bundle. */
const FULL = 9;
/** Few heads, because their signatures take long. */
const leavesOf = (size: number) => leavesTo(size, 64);
const SIZES: Record<number, number> = { [LONG]: 1_300, [LONGER_BY_ONE]: 257, [FULL]: 256 };

let w: World;
let copies: Copies;
beforeAll(async () => {
  w = await madeLogs(Object.fromEntries(Object.entries(SIZES).map(([log, size]) => [log, leavesOf(size)])));
  copies = await Copies.of(w);
});
afterAll(async () => {
  await copies.close();
  await w.close();
});

const numbersTo = (size: number) => Array.from({ length: size }, (_, i) => i);
const treeAfter = (change: string | Tampering, log = LONG) => partly(copies, change, treeOf(log));
const problemsAfter = async (change: string | Tampering, log = LONG) => (await treeAfter(change, log)).problems;

describe("the audit of a log's tree", () => {
  it.each([LONG, LONGER_BY_ONE, FULL])(
    "finds nothing in log %i, and hands each leaf on once, in order",
    async (log) => {
      const { problems, notes, result } = await treeAfter("select 1", log);
      expect([problems, notes]).toEqual([[], []]);
      expect(result).toMatchObject({ isWhole: true, taken: numbersTo(SIZES[log]!) });
    },
  );

  it("takes a log without leaves for whole", async () => {
    const { problems, result } = await treeAfter(
      `delete from log_leaves where log = 9; delete from log_bundles where log = 9;
      delete from log_tiles where log = 9; delete from log_heads where log = 9`,
      FULL,
    );
    expect([problems, result.isWhole, result.taken]).toEqual([[], true, []]);
  });

  it("reads leaves that no bundle holds, more than it reads at once", async () => {
    const { problems, result } = await treeAfter(async (connection) => {
      await connection.run("delete from log_bundles where log = 7");
      for (const [i, leaf] of leavesOf(SIZES[LONG]!).entries())
        await connection.all(
          "update log_leaves set text = ? where log = 7 and number = ? returning 1",
          leafText(leaf),
          i,
        );
    });
    expect([problems, result.isWhole, result.taken]).toEqual([[], true, numbersTo(SIZES[LONG]!)]);
  });
});

/** Replaces a bundle by one of these entries. */
const packed =
  (index: number, entries: readonly Uint8Array[]): Tampering =>
  async (connection) => {
    const data = deflateRawSync(bundleOf(entries));
    await connection.all('update log_bundles set data = ? where log = 7 and "index" = ? returning 1', data, index);
  };
const entries = leavesOf(256).map((leaf) => bytes(leafText(leaf)));

describe("the audit names what is missing, and reads no further:", () => {
  it.each<[string, string | Tampering, string, number]>([
    [
      "a bundle at the beginning",
      'delete from log_bundles where log = 7 and "index" = 0',
      "the log lacks its leaf 0",
      0,
    ],
    ["a bundle among others", 'delete from log_bundles where log = 7 and "index" = 2', "the log lacks its leaf 512", 0],
    [
      "a bundle of those that are read later",
      'delete from log_bundles where log = 7 and "index" = 4',
      "the log lacks its leaf 1024",
      1_024,
    ],
    [
      "a bundle that is none",
      "update log_bundles set data = 'x' where log = 7 and \"index\" = 1",
      "the log's bundle 1 cannot be read",
      0,
    ],
    ["a bundle of fewer leaves", packed(4, entries.slice(1)), "the log's bundle 4 cannot be read", 1_024],
    [
      "the first leaf behind bundles",
      "delete from log_leaves where log = 7 and number = 1280",
      "the log lacks its leaf 1280",
      1_280,
    ],
    [
      "a leaf further behind",
      "delete from log_leaves where log = 7 and number = 1283",
      "the log lacks its leaf 1283",
      1_280,
    ],
    [
      "the text of a leaf",
      "update log_leaves set text = null where log = 7 and number = 1290",
      "the log lacks its leaf 1290",
      1_280,
    ],
  ])("%s", async (_, change, problem, read) => {
    const { problems, result } = await treeAfter(change);
    expect([problems, result.isWhole, result.taken]).toEqual([[problem], false, numbersTo(read)]);
  });

  it("and what is wrong before it", async () => {
    const sql = `delete from log_leaves where log = 7 and number = 1280;
      update log_tiles set hashes = (select hashes from log_tiles where log = 7 and level = 0 and "index" = 1)
      where log = 7 and level = 0 and "index" = 2`;
    expect(await problemsAfter(sql)).toEqual([
      "the log's tile 0/2 does not hold the hashes of its leaves",
      "the log lacks its leaf 1280",
    ]);
  });
});

const time = (i: number) => `time ${timeLeaf(i).time}`;
const RESUME = "resume of k3-1m from 20260302-0001";

describe("the audit names each row that does not fit its leaf:", () => {
  it.each<[string, string, string[]]>([
    [
      "one under another key",
      "update log_leaves set key = 'x' where log = 7 and number = 64",
      [`the log's ${time(64)}, leaf 64, has no row under its own key`],
    ],
    [
      "one of a hash under another key",
      "update log_leaves set key = 'x' where log = 7 and number = 3",
      ["the log's plays, leaf 3, has no row under its own key"],
    ],
    [
      "one under another number",
      "update log_leaves set number = 2000 where log = 7 and number = 5",
      [
        `the log's ${RESUME}, leaf 5, has no row under its own key`,
        `the log states the ${RESUME} twice, as leaf 5 and as leaf 2000`,
      ],
    ],
    [
      "one that lost its number",
      "update log_leaves set number = null where log = 7 and number = 5",
      [
        `the log's ${RESUME}, leaf 5, has no row under its own key`,
        `the log states the ${RESUME} twice, as leaf 5 and as one without a number`,
        "the log has 1300 leaves, and 1299 rows with a number",
      ],
    ],
    [
      "a second one with a number",
      "drop index log_leaves_key; insert into log_leaves (log, key, number) select log, key, 2000 from log_leaves where log = 7 and number = 5",
      [
        `the log states the ${RESUME} twice, as leaf 5 and as leaf 2000`,
        "the log has 1300 leaves, and 1301 rows with a number",
      ],
    ],
    [
      "a second one without a number",
      "drop index log_leaves_key; insert into log_leaves (log, key, text) select log, key, 'x' from log_leaves where log = 7 and number = 1282",
      [`the log states the ${RESUME} twice, as leaf 1282 and as one without a number`],
    ],
    [
      "a text beside a bundle",
      "update log_leaves set text = 'x' where log = 7 and number = 1279",
      ["the log's plays, leaf 1279, has a text beside its bundle"],
    ],
    [
      "a number too many",
      "insert into log_leaves (log, key, number) values (7, 'zz', 5)",
      ["the log has 1300 leaves, and 1301 rows with a number"],
    ],
  ])("%s", async (_, sql, problems) => {
    const { problems: found, result } = await treeAfter(sql);
    expect([found, result.isWhole]).toEqual([problems, true]);
  });

  it("and none that waits for its number, nor what another log has", async () => {
    const sql = `insert into log_leaves (log, key, text) values (7, 'zz', '{"kind":"time","time":1}');
      delete from log_leaves where log = 8 and number < 100; delete from log_tiles where log = 8;
      insert into log_tiles (log, level, "index", hashes) select 8, level, "index" + 9, hashes from log_tiles where log = 7`;
    expect(await problemsAfter(sql)).toEqual([]);
  });
});

describe("the audit names", () => {
  it.each<[string, Tampering, number]>([
    ["a leaf that is no text", packed(0, [Uint8Array.of(255), ...entries.slice(1)]), 0],
    ["a leaf of no kind", packed(0, entries.with(2, bytes('{"kind":"x"}'))), 2],
  ])("%s, and hands on the others", async (_, change, number) => {
    const { problems, result } = await treeAfter(change);
    expect([problems[0], result.isWhole, result.taken]).toEqual([
      `the log's leaf ${number} has no form that the log knows`,
      true,
      numbersTo(1_300).filter((one) => one !== number),
    ]);
  });

  it.each<[string, string, string[], number]>([
    [
      "a tile of other hashes",
      `update log_tiles set hashes = (select hashes from log_tiles where log = 7 and level = 0 and "index" = 1)
        where log = 7 and level = 0 and "index" = 0`,
      ["the log's tile 0/0 does not hold the hashes of its leaves"],
      LONG,
    ],
    [
      "a tile of the second level",
      "update log_tiles set hashes = (select hashes from log_tiles where log = 7 and level = 1) where log = 8 and level = 1",
      ["the log's tile 1/0 does not hold the hashes of its leaves"],
      LONGER_BY_ONE,
    ],
    [
      "a lost tile, and how many there are",
      'delete from log_tiles where log = 7 and level = 0 and "index" = 5',
      ["the log's tile 0/5 does not hold the hashes of its leaves", "the log has 6 tiles, and its leaves make 7"],
      LONG,
    ],
    [
      "a tile too many",
      `insert into log_tiles (log, level, "index", hashes) select log, 3, 0, hashes from log_tiles where log = 9 and level = 1`,
      ["the log has 3 tiles, and its leaves make 2"],
      FULL,
    ],
    [
      "leaves that no head has",
      "delete from log_heads where log = 9 and size > 193",
      [`the log's leaf 255 is a time that ends no head`, "the log's leaves from 193 on are in no head"],
      FULL,
    ],
  ])("%s", async (_, sql, problems, log) => {
    expect(await problemsAfter(sql, log)).toEqual(problems);
  });
});
