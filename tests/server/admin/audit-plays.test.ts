import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Tx } from "#db/db.ts";
import { logKeys, logLeaves, playHours, videoPlays, videos } from "#db/schema/index.ts";
import { auditPlays } from "#server/admin/audit/plays.ts";
import { saltedKey } from "#server/domains/log/member-leaves.ts";
import { sha256 } from "#server/domains/log/sha256.ts";
import { playsContent } from "#server/domains/video/state-plays.ts";
import { hashOfContent, NO_LEAF_BEFORE } from "#shared/log/salted.ts";
import { ENGINE } from "../../support/databases.ts";
import { add, addMany, AT_BORDER, BORDERS, emptyRows, type Rows } from "./audit-rows.ts";

let rows: Rows;
beforeAll(async () => {
  rows = await emptyRows();
});
afterAll(() => rows.close());

type Hour = typeof playHours.$inferInsert;
type Counts = Hour["counts"];

const SALT = "5a".repeat(32);
const OTHER = "ab".repeat(32);

/** Hours as the log states them, each after the one before. */
function stated(...hours: [hour: number, counts: Counts][]): Hour[] {
  let previous = NO_LEAF_BEFORE;
  return hours.map(([hour, counts]) => {
    const row = { hour, counts, previous, createdAt: 1 };
    const hash = hashOfContent(Buffer.from(SALT, "hex"), playsContent(row), sha256);
    previous = hash;
    return { ...row, hash, salt: SALT };
  });
}

const film = (id: number, plays: number) => ({
  id,
  source: `${id}`,
  categoryId: 1,
  title: {},
  durationMs: 1,
  publishedAt: 1,
  plays,
  folder: "",
  renditions: [],
  captions: [],
});
const watched = (hour: number, videoId: number, viewer = "x") => ({ hour, videoId, viewer });
const log = (id: number) => ({ id, log: id, origin: `${id}`, publicKey: "", sealedKey: "", createdAt: 1 });
const leaves = (hours: Hour[], inLog: number) =>
  hours.map(({ hash }) => ({ log: inLog, key: saltedKey("plays", hash), text: "" }));

interface Given {
  hours?: Hour[];
  plays?: ReturnType<typeof watched>[];
  counters?: [video: number, plays: number][];
  /** Of the hours; without it all are in log 2, that of today. */
  logged?: ReturnType<typeof leaves>;
}

async function write(tx: Tx, { hours = [], plays = [], counters = [], logged = leaves(hours, 2) }: Given) {
  await add(tx, logKeys, log(1), log(2));
  await add(tx, logLeaves, ...logged);
  await add(tx, playHours, ...hours);
  await add(tx, videoPlays, ...plays);
  await add(tx, videos, ...counters.map(([id, count]) => film(id, count)));
}
const problemsOf = (given: Given) => rows.problemsOf(auditPlays, (tx) => write(tx, given));
const counter = (video: number, is: number, says: number, since: number) =>
  `video ${video}: its play counter is ${is}, the log states ${says}, and ${since} came since`;

describe("the audit of play counters", () => {
  it("counts what no leaf states yet as part of a greater number", async () => {
    const plays = [watched(1, 1), watched(2, 1), watched(2, 2)];
    expect(
      await problemsOf({
        plays,
        counters: [
          [1, 2],
          [2, 1],
          [3, 0],
        ],
      }),
    ).toEqual([]);
    expect(
      await problemsOf({
        plays,
        counters: [
          [1, 9],
          [2, 2],
          [3, 1],
        ],
      }),
    ).toEqual([]);
    expect(
      await problemsOf({
        plays,
        counters: [
          [1, 1],
          [2, 0],
          [3, -1],
        ],
      }),
    ).toEqual([counter(1, 1, 0, 2), counter(2, 0, 0, 1), counter(3, -1, 0, 0)]);
  });

  it("adds up what the log states, and what came since", async () => {
    const hours = stated(
      [
        5,
        [
          [1, 10],
          [2, 1],
        ],
      ],
      [7, [[1, 3]]],
    );
    const plays = [watched(7, 1, "old"), watched(8, 1), watched(8, 3)];
    const of = (...counters: [number, number][]) => problemsOf({ hours, plays, counters });
    expect(await of([1, 14], [2, 1], [3, 1], [4, 0])).toEqual([]);
    expect(await of([1, 13], [2, 2], [3, 0], [4, 1])).toEqual([
      counter(1, 13, 13, 1),
      counter(2, 2, 1, 0),
      counter(3, 0, 0, 1),
      counter(4, 1, 0, 0),
    ]);
  });

  it("asks many videos, each once", async () => {
    const list = { sqlite: "'[]'", postgres: "'[]'::json" }[ENGINE];
    const problems = await rows.problemsOf(auditPlays, async () => {
      const plays = `case when ${AT_BORDER} then -1 else 0 end`;
      const texts = { folder: "''", title: list, renditions: list, captions: list };
      const times = { duration_ms: "1", published_at: "1" };
      const source = { sqlite: "i", postgres: "i::text" }[ENGINE];
      await addMany(rows, "videos", { id: "i", category_id: "1", plays, ...texts, ...times, source });
    });
    expect(problems).toEqual(BORDERS.map((id) => counter(id, -1, 0, 0)));
  });
});

describe("the audit of the hours that the log states", () => {
  const hours = stated([0, [[1, 1]]], [1, [[1, 2]]], [2, [[1, 4]]]);
  const counters: [number, number][] = [[1, 7]];

  it("takes them from any log, the newest from that of today", async () => {
    expect(await problemsOf({ hours, counters, logged: leaves(hours, 2) })).toEqual([]);
    const logged = [...leaves(hours.slice(0, 2), 1), ...leaves(hours.slice(2), 2)];
    expect(await problemsOf({ hours, counters, logged })).toEqual([]);
  });

  it("names the newest one that only an older log states", async () => {
    const says = "the log of today does not state the plays of hour 2";
    expect(await problemsOf({ hours, counters, logged: leaves(hours, 1) })).toEqual([says]);
    const logged = [...leaves(hours, 1), { log: 2, key: "other", text: "" }];
    expect(await problemsOf({ hours, counters, logged })).toEqual([says]);
  });

  it("names those that no log states", async () => {
    const logged = leaves([hours[0]!, hours[2]!], 2);
    expect(await problemsOf({ hours, counters, logged })).toEqual(["the plays of hour 1 stand in no log"]);
    const one = stated([3, []]);
    expect(await problemsOf({ hours: one, logged: [] })).toEqual([
      "the plays of hour 3 stand in no log",
      "the log of today does not state the plays of hour 3",
    ]);
  });

  it("names one that does not follow the one before", async () => {
    const [first, , last] = hours as [Hour, Hour, Hour];
    expect(await problemsOf({ hours: [first, last], counters: [[1, 5]] })).toEqual([
      "the plays of hour 2 do not follow those of the hour before",
    ]);
    expect(await problemsOf({ hours: [last], counters: [[1, 4]] })).toEqual([
      "the plays of hour 2 do not follow those of the hour before",
    ]);
  });

  it.each<[string, Partial<Hour>]>([
    ["counts", { counts: [[1, 5]] }],
    ["counts that nobody can state", { counts: [[1, -1]] }],
    ["time", { createdAt: 2 }],
    ["salt", { salt: OTHER }],
  ])("names one whose %s were changed", async (_, change) => {
    const [one] = stated([5, [[1, 4]]]);
    const changed = { ...one!, ...change };
    const plays = changed.counts[0]![1];
    expect(await problemsOf({ hours: [changed], counters: [[1, plays]] })).toEqual([
      "the plays of hour 5: their hash is not that of their counts",
    ]);
  });

  it.each([200, 201, 401])("reads all of %d", async (count) => {
    const many = stated(...Array.from({ length: count }, (_, hour): [number, Counts] => [hour, [[1, 1]]]));
    const of = (plays: number) => problemsOf({ hours: many, counters: [[1, plays]] });
    expect(await of(count)).toEqual([]);
    expect(await of(count + 1)).toEqual([counter(1, count + 1, count, 0)]);
  });
});
