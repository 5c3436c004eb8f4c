import { describe, expect, it } from "vitest";
import { checkpointText, originOf } from "#shared/log/checkpoint.ts";
import { cosign } from "#shared/log/cosignature.ts";
import type { Leaf } from "#shared/log/leaf.ts";
import { COSIGNATURE_KEY, keyText, noteText, signNote } from "#shared/log/note.ts";
import { restoresIn, type ShownOrigin } from "#shared/log/origins.ts";
import { HeadReading, type KeptHead, type Reading } from "#shared/log/read-head.ts";
import { leafHash } from "#shared/merkle.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS, toIso } from "#shared/time.ts";
import { MemoryLog } from "../support/log-site.ts";
import { entryOfLeaf, HOUSE, ORIGIN, START } from "./honest-log.ts";
import { bytes, headNote, hexOf, serverHash, sha256, signerOf } from "./world.ts";

const KEY_LINE = `${keyText(HOUSE.key)}\n`;
const witness = signerOf("witness.example/w", COSIGNATURE_KEY);
const time = (at: number): Leaf => ({ kind: "time", time: at });

const logOf = (...leaves: Leaf[]) => new MemoryLog(HOUSE).add(...leaves.map(entryOfLeaf));

/** Reads this log under this note, or its own. */
function read(
  log: MemoryLog,
  reading: Reading = {},
  note = log.note(),
  keyLine = KEY_LINE,
  shown: readonly ShownOrigin[] | null = null,
) {
  const made = new HeadReading(note, keyLine, { hash: serverHash, ...reading });
  if (made.isSigned) for (const entry of log.entries) made.add(entry);
  const verdict = made.end(shown && restoresIn(shown));
  return { ...verdict, said: verdict.findings.map(({ id, facts, size }) => [id, facts, size]) };
}

describe("a head", () => {
  const log = logOf(time(START), time(START + 1));

  it("with its key and leaves has no fault", () => {
    const { said, whole, head, key, signers } = read(log);
    expect([said, whole?.size, head?.size, key?.name, signers]).toEqual([[], 2, 2, ORIGIN, []]);
    expect(read(log, {}, log.note(), KEY_LINE.trimEnd()).said).toEqual([]);
  });

  it("without a form, or with a key that has none, is read no further", () => {
    for (const [note, keyLine, ids] of [
      ["x", KEY_LINE, ["head-form"]],
      [log.note(), "x", ["key-form"]],
      [log.note(), `${KEY_LINE}\n`, ["key-form"]],
      [noteText(signNote({ text: "no head\n", signatures: [] }, HOUSE)), KEY_LINE, ["head-form"]],
    ] as const) {
      const reading = new HeadReading(note, keyLine, { hash: serverHash });
      const { findings, whole, signers, hour } = reading.end();
      expect([reading.isSigned, reading.size, findings.map(({ id }) => id), whole, signers, hour]).toEqual([
        false,
        0,
        ids,
        null,
        [],
        null,
      ]);
    }
  });

  it("is signed by its log's key, under the log's name", () => {
    const other = signerOf(ORIGIN, undefined, "another");
    expect(read(log, {}, noteText(headNote(log.head(), other))).said).toEqual([["unsigned", {}, 0]]);
    const stranger = signerOf("stranger.example/log");
    const note = noteText(headNote(log.head(), stranger, ORIGIN));
    expect(read(log, {}, note, `${keyText(stranger.key)}\n`).said).toEqual([["unsigned", {}, 0]]);
  });

  it("has the root of its leaves, once all are read", () => {
    const root = sha256(bytes("another"));
    const note = noteText(headNote({ size: 2, root }, HOUSE));
    expect(read(log, {}, note).said).toEqual([["root", {}, 2]]);
    const short = read(log, {}, noteText(headNote({ size: 3, root }, HOUSE)));
    expect([short.said, short.whole]).toEqual([[], null]);
  });

  it("of each hour is the first whose time lies in it", () => {
    const times = [START + 5, START + HOUR_MS - 1, START + HOUR_MS, START + HOUR_MS + 9];
    const hours = times.map((_, i) => read(logOf(...times.slice(0, i + 1).map(time))).hour);
    const heads = [1, 2, 3, 4].map((size) => logOf(...times.slice(0, size).map(time)).head());
    const hourOf = (i: number, hour: number) => ({ hour, head: { origin: ORIGIN, ...heads[i]!, extensions: [] } });
    expect(hours.map((one) => one && { ...one, head: { ...one.head, root: hexOf(one.head.root) } })).toEqual(
      [hourOf(0, START), hourOf(0, START), hourOf(2, START + HOUR_MS), hourOf(2, START + HOUR_MS)].map((one) => ({
        ...one,
        head: { ...one.head, root: hexOf(one.head.root) },
      })),
    );
    const broken = new MemoryLog(HOUSE).add(bytes('{"kind":"time","time":1,"more":2}'), bytes("{"));
    expect(read(broken).hour).toBe(null);
  });
});

describe("whoever signed beside the house", () => {
  const at = START + 10 * MINUTE_MS;
  const log = logOf(time(at));
  /** The head with the witness' line under it, which is over this text. */
  const signedAt = (ms: number, text?: string) => {
    const note = headNote(log.head(), HOUSE);
    const line = cosign(text ?? note.text, Math.floor(ms / SECOND_MS), witness);
    return noteText({ ...note, signatures: [...note.signatures, line] });
  };
  const said = (ms: number) => read(log, { witnesses: [witness.key] }, signedAt(ms)).said;
  const facts = (ms: number) => ({ name: witness.key.name, time: toIso(at), at: toIso(ms) });

  it("did so at most a minute before the head's time, and ten minutes after it without a note", () => {
    expect([-MINUTE_MS, 0, 10 * MINUTE_MS].map((ms) => said(at + ms))).toEqual([[], [], []]);
    const early = at - MINUTE_MS - SECOND_MS;
    expect(said(early)).toEqual([["time-ahead", facts(early), 1]]);
    const late = at + 10 * MINUTE_MS + SECOND_MS;
    expect(said(late)).toEqual([["signed-late", { ...facts(late), seconds: 601 }, 1]]);
  });

  it("is named where the line is false, and counts for nothing without a known key", () => {
    const { text } = headNote({ size: 2, root: sha256(bytes("x")) }, HOUSE);
    const noted = signedAt(at, text);
    expect(read(log, { witnesses: [witness.key] }, noted).said).toEqual([
      ["cosignature", { name: witness.key.name }, 0],
    ]);
    expect(read(log, {}, noted).said).toEqual([]);
    expect(read(log, {}, signedAt(at - HOUR_MS)).said).toEqual([]);
  });
});

describe("a head that somebody kept", () => {
  const leaves = [time(START), time(START + 1), time(START + 2)];
  const log = logOf(...leaves);
  const kept = (size: number, of = logOf(...leaves.slice(0, size)), origin = ORIGIN): KeptHead => ({
    origin,
    size,
    root: hexOf(of.head().root),
  });
  const said = (one: KeptHead | null, read_ = log) => read(read_, { kept: one }).said;

  it("is the beginning of the log", () => {
    for (const size of [1, 2, 3]) expect(said(kept(size))).toEqual([]);
    expect(said(null)).toEqual([]);
    expect(said(kept(2, logOf(time(START), time(START + 5))))).toEqual([["kept-forked", { kept: 2 }, 2]]);
    expect(said(kept(3, logOf(time(START))))).toEqual([["kept-forked", { kept: 3 }, 3]]);
    expect(said(kept(4, log))).toEqual([["kept-shrunk", { size: 3, kept: 4 }, 3]]);
  });

  it("is not looked for in a head that nobody signed", () => {
    expect(
      read(log, { kept: kept(4, log) }, log.note(), `${keyText(signerOf(ORIGIN, undefined, "x").key)}\n`).said,
    ).toEqual([["unsigned", {}, 0]]);
  });

  describe("of another log", () => {
    const OLD = "house.example/old";
    const old = (size: number) => ({ size, root: sha256(bytes(`old ${size}`)) });
    const restoreOf = (size: number, origin = OLD, number = 1, { root } = old(size)): Leaf => ({
      kind: "restore",
      number,
      reason: "the disk failed",
      old: checkpointText({ origin, size, root, extensions: [] }),
      kept: 1,
      kept_root: hexOf(root),
      at: START,
    });
    const restored = (size: number, origin = OLD) => logOf(restoreOf(size, origin), time(START));
    const keptOld = (size: number, root = hexOf(old(size).root)): KeptHead => ({ origin: OLD, size, root });
    const other = [["kept-other", { origin: OLD }]];
    const found = (one: KeptHead, of: MemoryLog) =>
      said(one, of)
        .map(([id, facts]) => [id, facts])
        .filter(([id]) => id !== "restored");

    it("is continued where the log says so", () => {
      expect(found(keptOld(5), restored(5))).toEqual([["kept-restored", { origin: OLD }]]);
      expect(found(keptOld(4), restored(5))).toEqual([["kept-restored", { origin: OLD }]]);
      expect(found(keptOld(6), restored(5))).toEqual([["kept-lost", { origin: OLD }]]);
      expect(read(restored(5), { kept: keptOld(5) }).findings.map(({ strength }) => strength)).toEqual([
        "note",
        "note",
      ]);
    });

    it("is another one where it does not, or names another head", () => {
      expect(found(keptOld(5), log)).toEqual(other);
      expect(found(keptOld(5), restored(5, "house.example/older"))).toEqual(other);
      expect(found(keptOld(5, hexOf(sha256(bytes("x")))), restored(5))).toEqual(other);
      const late = logOf(time(START)).add(...restored(5).entries);
      expect(found(keptOld(5), late)[0]).toEqual(other[0]);
    });

    describe("with others between", () => {
      const { publicKey } = signerOf("any", undefined, "between").key;
      const BETWEEN = originOf("house.example", publicKey);
      const between = (restore: Leaf) =>
        new MemoryLog(signerOf(BETWEEN, undefined, "between")).add(entryOfLeaf(restore), entryOfLeaf(time(START)));
      /** How the house shows a log after a restore. */
      const shownOf = (log: MemoryLog): ShownOrigin => ({
        key: keyText(log.signer.key),
        head: log.note(),
        leaf: new TextDecoder().decode(log.entries[0]),
        path: [hexOf(leafHash(log.entries[1]!))],
      });
      /** What is found in the log after the one between, whose restores the house shows, or shows none. */
      function after(
        one: KeptHead,
        log: MemoryLog,
        { number = 2, shows = [shownOf(log)] as ShownOrigin[] | null } = {},
      ) {
        const last = logOf(restoreOf(2, BETWEEN, number, log.head()), time(START));
        const all = shows && [...shows, shownOf(last)];
        const { findings } = read(last, { kept: one }, last.note(), KEY_LINE, all);
        return findings.filter(({ id }) => id !== "restored").map(({ id, facts, strength }) => [id, facts, strength]);
      }
      const facts = { origin: OLD };

      it("is continued where each of them says so", () => {
        expect(after(keptOld(5), between(restoreOf(5)))).toEqual([["kept-restored", facts, "note"]]);
        expect(after(keptOld(4), between(restoreOf(5)))).toEqual([["kept-restored", facts, "note"]]);
        expect(after(keptOld(6), between(restoreOf(5)))).toEqual([["kept-lost", facts, "problem"]]);
      });

      it("cannot be told where the house shows none of them", () => {
        expect(after(keptOld(5), between(restoreOf(5)), { shows: null })).toEqual([["kept-untold", facts, "note"]]);
      });

      it("is another one where they do not lead there, or their numbers leave one out", () => {
        const isOther = [["kept-other", facts, "problem"]];
        expect(after(keptOld(5), between(restoreOf(5)), { shows: [] })).toEqual(isOther);
        expect(after(keptOld(5), between(restoreOf(5)), { number: 3 })).toEqual(isOther);
        expect(after(keptOld(5), between(restoreOf(5, OLD, 2)), { number: 3 })).toEqual(isOther);
        expect(after(keptOld(5), between(restoreOf(5, "house.example/older")))).toEqual(isOther);
        expect(after(keptOld(5, hexOf(sha256(bytes("x")))), between(restoreOf(5)))).toEqual(isOther);
      });
    });
  });
});
