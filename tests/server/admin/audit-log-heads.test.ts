import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cosign } from "#shared/log/cosignature.ts";
import { COSIGNATURE_KEY, keyText, parseNote, signatureLine } from "#shared/log/note.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "#shared/time.ts";
import { signerOf } from "../../log/world.ts";
import { Copies, type Tampering } from "../../support/copies.ts";
import { START, type World } from "../../support/world.ts";
import { keyLeaf, leavesTo, madeLogs, timeLeaf, treeOf } from "./audit-made-log.ts";
import { partly } from "./audit-one-part.ts";

/** Ten leaves: heads of 1, 3, 5, 7, 9 and 10 leaves. The second key signs from the fourth leaf on. */
const ROTATED = 7;
/** The same leaves under one key. */
const PLAIN = 8;
/** More heads than are read at once. */
const LONG = 9;
/** A head in each half of three hours, forty days ago, and one of today. */
const OLD = 10;

const at = (time: number): Leaf<"time"> => ({ kind: "time", time });
const OLD_LEAVES = [
  ...[0, 0.5, 1, 1.5, 1.75, 2].map((hours) => at(START - 40 * DAY_MS + hours * HOUR_MS)),
  at(START - 31 * DAY_MS - 1),
  at(START),
];

let w: World;
let copies: Copies;
beforeAll(async () => {
  w = await madeLogs({
    [ROTATED]: leavesTo(10, 2).with(3, keyLeaf(ROTATED)),
    [PLAIN]: leavesTo(10, 2),
    [LONG]: Array.from({ length: 501 }, (_, i) => timeLeaf(i)),
    [OLD]: OLD_LEAVES,
  });
  w.pass(10 * MINUTE_MS);
  await w.player("mia_1");
  copies = await Copies.of(w);
});
afterAll(async () => {
  await copies.close();
  await w.close();
});

const headsAfter = (change: string | Tampering, log = ROTATED, life = {}) => partly(copies, change, treeOf(log, life));
const problemsAfter = async (change: string | Tampering, log = ROTATED) => (await headsAfter(change, log)).problems;
const head = (size: number) => `the log's head of ${size} leaves`;

describe("the audit of a log's heads", () => {
  it.each([ROTATED, PLAIN, LONG, OLD])("finds nothing in log %i, and knows its first and its last one", async (log) => {
    const { problems, notes, result } = await headsAfter("select 1", log);
    expect([problems, notes]).toEqual([[], []]);
    const sizes = [result.heads.first?.size, result.heads.last?.size];
    expect(sizes).toEqual([1, { [ROTATED]: 10, [PLAIN]: 10, [LONG]: 501, [OLD]: OLD_LEAVES.length }[log]]);
  });

  it.each<[string, string, string[]]>([
    [
      "an edited root",
      "update log_heads set root = (select root from log_heads where log = 7 and size = 5) where log = 7 and size = 3",
      [`${head(3)} has another root than its leaves`, `${head(3)}: its signed note says something else`],
    ],
    [
      "a root that is none",
      "update log_heads set root = 'ab' where log = 7 and size = 3",
      [`${head(3)} has another root than its leaves`, `${head(3)}: its signed note says something else`],
    ],
    [
      "an edited time",
      "update log_heads set at = at + 1 where log = 7 and size = 3",
      [`${head(3)} does not end in its time`],
    ],
    [
      "a time that is not after the one before",
      "update log_heads set at = (select at from log_heads where log = 7 and size = 1) where log = 7 and size = 3",
      [`${head(3)} does not end in its time`, `${head(3)} is not younger than the one before`],
    ],
    [
      "a head that ends in no time",
      "update log_heads set size = 2 where log = 7 and size = 3",
      [
        `${head(2)} has another root than its leaves`,
        `${head(2)} does not end in its time`,
        `${head(2)}: its signed note says something else`,
        "the log's leaf 2 is a time that ends no head",
      ],
    ],
    [
      "a lost one",
      "delete from log_heads where log = 7 and size = 5",
      ["the log's leaf 4 is a time that ends no head"],
    ],
    [
      "the lost newest one",
      "delete from log_heads where log = 7 and size = 10",
      ["the log's leaf 9 is a time that ends no head", "the log's leaves from 9 on are in no head"],
    ],
    [
      "all of them lost",
      "delete from log_heads where log = 7",
      [
        ...[0, 2, 4, 6, 8, 9].map((leaf) => `the log's leaf ${leaf} is a time that ends no head`),
        "the log's leaves from 0 on are in no head",
      ],
    ],
    [
      "heads beside the leaves",
      `insert into log_heads (log, size, root, at, note, announced_at)
        select log, 1 - size, root, at, note, announced_at from log_heads where log = 7 and size < 5 union all
        select log, 10 + size, root, at, note, announced_at from log_heads where log = 7 and size < 5`,
      [
        `${head(-2)} has no leaf`,
        `${head(0)} has no leaf`,
        `${head(11)} has more than the log`,
        `${head(13)} has more than the log`,
      ],
    ],
    [
      "heads of a log without leaves",
      "delete from log_leaves where log = 7; delete from log_tiles where log = 7",
      [1, 3, 5, 7, 9, 10].map((size) => `${head(size)} has more than the log`),
    ],
    [
      "a note that is none",
      "update log_heads set note = note || 'x' where log = 7 and size = 3",
      [
        `${head(3)}: its signed note says something else`,
        `${head(3)} is not signed by the key that its leaves name last`,
      ],
    ],
    [
      "the note of another head",
      "update log_heads set note = (select note from log_heads where log = 7 and size = 1) where log = 7 and size = 3",
      [`${head(3)}: its signed note says something else`],
    ],
    [
      "a signed one that was not announced",
      "update log_heads set announced_at = null where log = 7 and size = 3",
      [`${head(3)} is signed, and was not announced`],
    ],
    [
      "an announced one that is not signed",
      "update log_heads set note = null where log = 7 and size = 10",
      [`${head(10)} is not signed: a server worked on for 591 s`, `${head(10)} was announced without a signature`],
    ],
  ])("names %s", async (_, sql, problems) => {
    const { problems: found, notes } = await headsAfter(sql);
    expect([found, notes]).toEqual([problems, []]);
  });
});

describe("the audit notes a head that is not signed", () => {
  const UNSIGNED = "update log_heads set note = null, announced_at = null where log = 7 and size = 10";

  it.each([
    ["yet, where no server has worked since", { now: START }, `${head(10)} is not signed yet`],
    [
      "and never will be, because its log ended",
      { hasEnded: true },
      `${head(10)} was never signed: the log ended before`,
    ],
  ])("%s", async (_, life, note) => {
    const { problems, notes } = await headsAfter(UNSIGNED, ROTATED, life);
    expect([problems, notes]).toEqual([[], [note]]);
  });
});

describe("heads that the log may do without", () => {
  const lost = (...sizes: number[]) => `delete from log_heads where log = 10 and size in (${sizes.join()})`;
  const named = (leaf: number) => `the log's leaf ${leaf} is a time that ends no head`;

  it("may be gone", async () => {
    expect(await problemsAfter(lost(2, 4, 5), OLD)).toEqual([]);
  });

  it.each([
    ["the first of all", 1],
    ["the first of an hour", 3],
    ["a younger one", 7],
  ])("are not %s", async (_, size) => {
    expect(await problemsAfter(lost(size), OLD)).toEqual([named(size - 1)]);
  });

  it.each([
    ["of its own log", "log = 10 and size = 8", 1],
    ["that was announced", "log = 10", 7],
  ])("are old beside the newest one %s", async (_, unsigned, count) => {
    const sql = `update log_heads set note = null, announced_at = null where ${unsigned}; ${lost(2)}`;
    const { problems, notes } = await headsAfter(sql, OLD, { now: START });
    expect([problems, notes.length]).toEqual([[named(1)], count]);
  });
});

describe("the audit names a key", () => {
  const unsigned = (...sizes: number[]) =>
    sizes.map((size) => `${head(size)} is not signed by the key that its leaves name last`);
  const FIRST = "the log's key 700 is not the one that its origin names";
  const SECOND = "the log's key 701 is of another origin than the one before";
  const set = (id: number, change: string) => `update log_keys set ${change} where id = ${id}`;

  it.each([
    [
      "that did not begin the log",
      set(700, "public_key = (select public_key from log_keys where id = 701)"),
      [FIRST, ...unsigned(1, 3)],
    ],
    ["that is none", set(700, "public_key = 'ab'"), [FIRST, ...unsigned(1, 3, 5, 7, 9, 10)]],
    ["that follows and is none", set(701, "public_key = 'ab'"), [SECOND, ...unsigned(5, 7, 9, 10)]],
    ["that follows in another log's name", set(701, "origin = 'x'"), [SECOND, ...unsigned(5, 7, 9, 10)]],
  ])("%s", async (_, sql, problems) => {
    expect(await problemsAfter(sql)).toEqual(problems);
  });

  it("that is gone, by the heads that it signed", async () => {
    expect(await problemsAfter("delete from log_keys where id = 701")).toEqual(unsigned(5, 7, 9, 10));
  });
});

const SECONDS = 1_772_409_600;
const witness = signerOf("witness.example/w", COSIGNATURE_KEY);
const WITNESS = keyText(witness.key);

interface Signed {
  log?: number;
  size?: number;
  by?: string;
  line?: string;
  signedAt?: number;
}

/** A witness signs the head of three leaves, and its row says so or something else. */
const cosigned =
  (...rows: Signed[]): Tampering =>
  async (connection) => {
    const [row] = await connection.all<{ note: string }>("select note from log_heads where log = 7 and size = 3");
    const own = signatureLine(cosign(parseNote(row!.note)!.text, SECONDS, witness));
    for (const { log = 7, size = 3, by = WITNESS, line = own, signedAt = SECONDS * SECOND_MS } of rows)
      await connection.all(
        "insert into log_cosignatures (log, size, witness, line, signed_at) values (?, ?, ?, ?, ?) returning 1",
        log,
        size,
        by,
        line,
        signedAt,
      );
  };

describe("the audit of what witnesses signed", () => {
  it("finds nothing in a true signature, nor what stands under another log", async () => {
    expect(await problemsAfter(cosigned({}, { log: 8 }))).toEqual([]);
  });

  const none = (size: number, by: string) => `${head(size)}: what stands as the signature of ${by} is none`;
  it.each<[string, Signed, string]>([
    ["another head's", { size: 5 }, none(5, WITNESS)],
    ["a line that is none", { line: "x" }, none(3, WITNESS)],
    ["no line", { line: "" }, none(3, WITNESS)],
    ["a witness without a key", { by: "w" }, none(3, "w")],
    [
      "another time",
      { signedAt: SECONDS * SECOND_MS + 1 },
      `${head(3)}: the signature of ${WITNESS} names another time than its row`,
    ],
    ["a head that there is not", { size: 4 }, `a witness signed ${head(4)}, which is not announced`],
    ["a head of no leaf", { size: -3 }, `a witness signed ${head(-3)}, which is not announced`],
  ])("names %s", async (_, row, problem) => {
    expect(await problemsAfter(cosigned(row))).toEqual([problem]);
  });

  it("names each of more than it reads at once, though many stand under one head", async () => {
    const names = Array.from({ length: 600 }, (_, i) => `w${1_000 + i}`);
    const [some, others] = [names.slice(0, 20), names.slice(20)];
    const rows = [...others.map((by) => ({ by, size: 5 })), ...some.map((by) => ({ by }))];
    expect(await problemsAfter(cosigned(...rows))).toEqual([
      ...some.map((by) => none(3, by)),
      ...others.map((by) => none(5, by)),
    ]);
  });
});
