import { describe, expect, it } from "vitest";
import { LogCheck, MOST_OF_A_KIND } from "#shared/log/check-log.ts";
import { sentenceOf } from "#shared/log/check/finding.ts";
import { HeadReading } from "#shared/log/read-head.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { keyText, noteText, signNote } from "#shared/log/note.ts";
import { MemoryLog } from "../support/log-site.ts";
import { entryOfLeaf, honestLog, HOUSE, KEY, MINUTES, ORIGIN, START } from "./honest-log.ts";
import { LEAF } from "./leaves.ts";
import { bytes, serverHash } from "./world.ts";

/* What a verdict holds beside its problems: how often, of which leaves, and what the log itself says. */

const none = bytes("no leaf");
const hour = [...honestLog({ hours: 1, games: [MINUTES] })];
const time = (at: number): Leaf => ({ kind: "time", time: at });

function checked(entries: readonly (Leaf | Uint8Array)[]) {
  const check = new LogCheck({ key: KEY, hash: serverHash });
  for (const entry of entries) check.add("kind" in entry ? entryOfLeaf(entry) : entry);
  return check.end({ origin: ORIGIN, key: KEY });
}

describe("findings of one kind", () => {
  it("are kept up to twenty, and all are counted", () => {
    const { findings, counts } = checked([...Array.from({ length: 23 }, () => none), time(START)]);
    expect(MOST_OF_A_KIND).toBe(20);
    expect(findings.map(({ id, facts, size }) => [id, facts, size])).toEqual(
      Array.from({ length: 20 }, (_, i) => ["unreadable", { leaf: i }, i + 1]),
    );
    expect([...counts]).toEqual([["unreadable", 23]]);
  });

  it("are kept so of what a reader finds, too", () => {
    const reading = new HeadReading("", "", {});
    for (let i = 0; i < 23; i++) reading.problem("missing", { path: `tile/${i}` });
    const { findings, counts } = reading.end();
    expect(findings.map(sentenceOf)).toEqual([
      "What stands as the head is none.",
      "What stands as the log's key is none.",
      ...Array.from(
        { length: 20 },
        (_, i) => `tile/${i} is missing or has another length, so nothing after it is proven.`,
      ),
    ]);
    expect([...counts]).toEqual([
      ["head-form", 1],
      ["key-form", 1],
      ["missing", 23],
    ]);
  });

  it("are counted together with those of the leaves", () => {
    const log = new MemoryLog(HOUSE).add(none, none, entryOfLeaf(time(START)));
    const note = signNote({ text: log.note().replace(/\n\n[^]*/, "\n"), signatures: [] }, HOUSE);
    const reading = new HeadReading(noteText(note), `${keyText(HOUSE.key)}\n`, { hash: serverHash });
    for (const entry of log.entries) reading.add(entry);
    reading.problem("tile", { path: "tile/0/000.p/3" });
    const { counts, findings, hour: ofHour } = reading.end();
    expect([...counts]).toEqual([
      ["unreadable", 2],
      ["tile", 1],
    ]);
    expect(findings.map(({ id }) => id)).toEqual(["tile", "unreadable", "unreadable"]);
    expect(ofHour).toMatchObject({ hour: START, head: { origin: ORIGIN, size: 3 } });
  });
});

describe("a verdict", () => {
  it("counts the leaves of each kind, and names the games, their odds and the app", () => {
    const app = LEAF.app;
    const verdict = checked([...hour.slice(0, -1), app, hour.at(-1)!]);
    expect(verdict.size).toBe(hour.length + 1);
    const counted = Map.groupBy([...hour, app], ({ kind }) => kind);
    expect(verdict.kinds).toEqual(new Map([...counted].map(([kind, leaves]) => [kind, leaves.length])));
    expect(verdict.games).toEqual([MINUTES.key]);
    expect(verdict.odds).toEqual(hour.filter(({ kind }) => kind === "odds"));
    expect(verdict.app).toEqual(app);
    const times = hour.filter((leaf) => leaf.kind === "time").map((leaf) => leaf.time);
    expect([verdict.first, verdict.last]).toEqual([times[0], times.at(-1)]);
    expect([verdict.keys, verdict.changes]).toEqual([[KEY], []]);
    expect(checked(hour).app).toBe(null);
  });

  it("names what is announced and has not begun, and what is due", () => {
    const at = START + 3_590_000;
    const pause: Leaf = { kind: "pause", game: MINUTES.key, from: "20260302-0062", reason: "new dice", at };
    const end = hour.at(-1)!;
    const waits = hour.filter((leaf) => !("round" in leaf && leaf.round === "20260302-0040" && leaf.kind === "draw"));
    const said = checked([...waits.slice(0, -1), pause, end]).findings.map(({ id, facts }) => [id, facts.round]);
    expect(said).toContainEqual(["announced", "20260302-0062"]);
    expect(said).toContainEqual(["waiting", "20260302-0040"]);
  });

  it("of a log without leaves knows no time", () => {
    expect(checked([])).toMatchObject({ size: 0, first: null, last: null, findings: [], games: [] });
  });
});

describe("the end of a log", () => {
  const ends = (...last: (Leaf | Uint8Array)[]) => checked([time(START), ...last]).findings.map(({ id }) => id);

  it("is its time, and nothing else", () => {
    expect(ends()).toEqual([]);
    expect(ends(LEAF.app)).toEqual(["no-time"]);
    expect(ends(none)).toEqual(["unreadable", "no-time"]);
    expect(ends(none, time(START + 1))).toEqual(["unreadable"]);
    expect(ends(bytes("\u{fffd}").slice(1))).toEqual(["unreadable", "no-time"]);
  });
});
