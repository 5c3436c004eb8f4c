import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { asc } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { logHeads, rounds } from "#db/schema/index.ts";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { parseNote } from "#shared/log/note.ts";
import { arm, disarm } from "../../support/failpoints.ts";
import { problemsOf } from "../../support/audited.ts";
import { ask } from "../admin/operate.ts";
import { world, type World } from "../../support/world.ts";
import { expectWhole, leavesOf, stateMany } from "./read-log.ts";

let w: World;

beforeEach(async () => {
  w = await world();
  await w.game();
  await w.live(1_000);
  await w.live(60_000);
});
afterEach(async () => {
  disarm();
  await w.close();
});

const roundsOf = () => w.deps.db.read.select().from(rounds).orderBy(asc(rounds.id));
const headsOf = () => w.deps.db.read.select().from(logHeads).orderBy(asc(logHeads.log), asc(logHeads.size));
const errors = () => w.logged.filter((line) => (JSON.parse(line) as { level: number }).level >= 50);

describe.each(["log.number", "log.keep", "log.sign", "log.tell"])("a failure at %s", (point) => {
  it("draws nothing before the head is told, and goes on from there", async () => {
    arm(`${point} throw 1`);
    await w.live(60_000);
    const told = point === "log.tell";
    expect((await roundsOf()).map(({ drawnAt }) => drawnAt !== null)).toEqual(
      told ? [true, true, false] : [true, false],
    );
    for (let i = 0; i < 3; i++) await w.live(60_000);
    expect((await roundsOf()).filter(({ drawnAt }) => drawnAt === null)).toHaveLength(1);
    await expectWhole(w);
  });

  it("loses nothing when the server is killed there", async () => {
    arm(`${point} throw`);
    await w.live(60_000);
    await w.crash();
    disarm();
    for (let i = 0; i < 3; i++) await w.live(60_000);
    expect((await roundsOf()).filter(({ drawnAt }) => drawnAt === null)).toHaveLength(1);
    expect((await headsOf()).filter(({ note }) => note === null)).toEqual([]);
    await expectWhole(w);
  });
});

describe("the head outside the database", () => {
  it("is the newest that was announced", async () => {
    const heads = await headsOf();
    expect(readFileSync(w.config.headFile, "utf8")).toBe(heads.at(-1)!.note);
  });

  it("stops the log where the database has less: it was restored from a backup", async () => {
    const kept = readFileSync(w.config.headFile, "utf8");
    const [text, signatures] = kept.split("\n\n");
    const [origin, size, root] = text!.split("\n");
    writeFileSync(w.config.headFile, `${[origin, Number(size) + 900, root].join("\n")}\n\n${signatures}`);
    const before = await headsOf();
    for (let i = 0; i < 2; i++) await w.live(60_000);
    expect((await headsOf()).filter(({ note }) => note !== null)).toEqual(before);
    expect((await roundsOf()).map(({ drawnAt }) => drawnAt !== null)).toEqual([true, false]);
    expect(errors().join()).toContain(`${Number(size) + 900} leaves, and the database has`);
    // Nothing is lost: with the true head back, the log goes on.
    writeFileSync(w.config.headFile, kept);
    for (let i = 0; i < 2; i++) await w.live(60_000);
    expect((await roundsOf())[1]!.drawnAt).not.toBeNull();
    await expectWhole(w);
  });

  it.each([
    ["begins otherwise", (lines: string[]) => [lines[0]!, lines[1]!, `${"A".repeat(43)}=`]],
    ["of another log", (lines: string[]) => [lines[0]!.replace("127", "128"), lines[1]!, lines[2]!]],
    ["holds no head", () => ["nothing"]],
  ])("stops the log where it says something else: %s", async (sentence, spoil) => {
    const [text, signatures] = readFileSync(w.config.headFile, "utf8").split("\n\n");
    writeFileSync(w.config.headFile, `${spoil(text!.split("\n")).join("\n")}\n\n${signatures}`);
    await w.live(60_000);
    expect((await roundsOf()).map(({ drawnAt }) => drawnAt !== null)).toEqual([true, false]);
    expect(errors().join()).toContain(sentence);
  });

  it("is written anew where it is missing", async () => {
    rmSync(w.config.headFile);
    await w.live(60_000);
    const head = parseCheckpoint(parseNote(readFileSync(w.config.headFile, "utf8"))!.text)!;
    expect(head.size).toBe((await headsOf()).at(-1)!.size);
  });
});

describe("a database that the operator says was restored", () => {
  it("goes on in a log of another name, whose first leaf says which one it continues", async () => {
    const kept = readFileSync(w.config.headFile, "utf8");
    const [text, signatures] = kept.split("\n\n");
    const [origin, size, root] = text!.split("\n");
    const later = `${[origin, Number(size) + 900, root].join("\n")}\n`;
    writeFileSync(w.config.headFile, `${later}\n${signatures}`);
    await w.live(60_000);
    expect((await roundsOf()).map(({ drawnAt }) => drawnAt !== null)).toEqual([true, false]);

    const said = { ok: true, log: true };
    expect(await ask(w, "restored", "--reason", "The disk failed")).toMatchObject(said);
    expect(await ask(w, "restored", "--reason", "Once more")).toMatchObject(said);
    for (let i = 0; i < 3; i++) await w.live(60_000);
    expect((await roundsOf()).filter(({ drawnAt }) => drawnAt === null)).toHaveLength(1);
    const leaves = await leavesOf(w, 2);
    const first = (await headsOf()).find((head) => head.log === 1);
    expect(leaves[0]).toMatchObject({
      kind: "restore",
      number: 1,
      old: later,
      kept: first!.size,
      kept_root: first!.root,
    });
    expect(leaves[0]).toMatchObject({ reason: "The disk failed" });
    expect(leaves.slice(1, 9).map(({ kind }) => kind)).toEqual(Array.from({ length: 8 }, () => "anchor"));
    const kinds = leaves.map(({ kind }) => kind);
    // The round that waited is opened and closed in the new log too, and drawn there.
    expect(kinds.indexOf("open")).toBeLessThan(kinds.indexOf("close"));
    expect(kinds.indexOf("close")).toBeLessThan(kinds.indexOf("draw"));
    await expectWhole(w, 2);
    const name = parseCheckpoint(parseNote(readFileSync(w.config.headFile, "utf8"))!.text)!.origin;
    expect(name).not.toBe(origin);
    expect((await w.call("/fair/head", {}, { method: "GET" })).data.key).toContain(name);
    expect(await problemsOf(w)).toEqual([]);
  });
});

describe("a server that begins the next log as it starts", () => {
  it("has its first head before it answers anybody: notes of a log without a head look like another house's", async () => {
    const before = (await w.call("/fair/head", {}, { method: "GET" })).data as { head: string; key: string };
    await ask(w, "restored", "--reason", "The disk failed");
    await w.crash();
    const { head, key } = (await w.call("/fair/head", {}, { method: "GET" })).data as { head: string; key: string };
    expect(key).not.toBe(before.key);
    expect(key).toContain(parseCheckpoint(parseNote(head)!.text)!.origin);
    await expectWhole(w, 2);
  });
});

describe("a log of many leaves", () => {
  it("packs each 256 into a bundle, and stays whole", async () => {
    for (let i = 0; i < 3; i++) {
      await stateMany(w, 150, 150 * i);
      await w.live(60_000);
    }
    const leaves = await leavesOf(w);
    expect(leaves.length).toBeGreaterThan(450);
    await expectWhole(w);
  });
});
