import { describe, expect, it } from "vitest";
import { bundleHead, bundleLeaf, BUNDLE_END, readBundle } from "#shared/log/bundle.ts";
import { checkExport } from "#shared/log/check-export.ts";
import { cosign } from "#shared/log/cosignature.ts";
import { keyChangeText, leafText, type Leaf } from "#shared/log/leaf.ts";
import { COSIGNATURE_KEY, keyText, noteText, parseNote, signNote } from "#shared/log/note.ts";
import { MemoryLog } from "../support/log-site.ts";
import { entryOfLeaf, HOUSE, KEY, ORIGIN } from "./honest-log.ts";
import { base64Of, bytes, signerOf } from "./world.ts";

/* What members keep of the log: a copy of it in one file, and an export with its head. */

const time = (at: number): Leaf => ({ kind: "time", time: at });
const logOf = (...leaves: Leaf[]) => new MemoryLog(HOUSE).add(...leaves.map(entryOfLeaf));
const LOG = logOf(time(1_000), time(2_000));

describe("a copy in one file", () => {
  const texts = LOG.entries.map((entry) => new TextDecoder().decode(entry));

  async function missingIn(...lines: string[]): Promise<unknown[]> {
    async function* all() {
      yield bundleHead(LOG.note(), KEY).trimEnd();
      yield* lines.map((line) => line.trimEnd());
    }
    const { findings } = await readBundle(all());
    return findings.map(({ id, facts }) => [id, facts.path]);
  }

  it("has a leaf to a line, and a comma behind each but the last", () => {
    expect(bundleLeaf('a "leaf"', false)).toBe('"a \\"leaf\\"",\n');
    expect(bundleLeaf("the last", true)).toBe('"the last"\n');
  });

  it("has no fault, and misses the first leaf that it lacks, or that is none", async () => {
    const [one, two] = texts as [string, string];
    expect(await missingIn(bundleLeaf(one, false), bundleLeaf(two, true), BUNDLE_END)).toEqual([]);
    expect(await missingIn(bundleLeaf(one, true), BUNDLE_END)).toEqual([["missing", "leaf 1"]]);
    for (const line of ["5,", "null", '"\\ud800"', '"cut'])
      expect(await missingIn(bundleLeaf(one, false), line, BUNDLE_END)).toEqual([["missing", "leaf 1"]]);
  });

  it("has no more leaves than its head", async () => {
    const more = [...texts, texts[0]!].map((text) => bundleLeaf(text, false));
    expect(await missingIn(...more, BUNDLE_END)).toEqual([["missing", "leaf 2"]]);
  });
});

describe("an export", () => {
  const WITNESS = signerOf("witness.example", COSIGNATURE_KEY);
  const head = (text = LOG.note()) => ({ kind: "head", text });
  const key = (text = KEY) => ({ kind: "key", text });
  const fileOf = (...log: unknown[]) => ({ log, proofs: [], bets: [], entries: [] });

  it("with a head that the house's key signed is signed, and its first key is shown", () => {
    expect(checkExport(fileOf(head(), key()), [])).toEqual({
      head: expect.objectContaining({ origin: ORIGIN, size: 2 }),
      note: LOG.note(),
      signers: [],
      isSigned: true,
      isKeyShown: true,
      proven: 0,
      faulty: [],
    });
  });

  it("without a head or a key that has a form says nothing of the log", () => {
    const noHead = noteText(signNote({ text: "no head\n", signatures: [] }, HOUSE));
    for (const log of [[], [key()], [head()], [head("none"), key()], [head(noHead), key()], [head(), key("none")]])
      expect(checkExport(fileOf(...log), [])).toBeNull();
    for (const file of [null, "file", 7, {}]) expect(checkExport(file, [])).toBeNull();
  });

  it("may have rows that are none", () => {
    const rows = [null, "text", 5];
    const file = { log: [...rows, head(), key()], proofs: rows, bets: rows, entries: rows, comments: rows };
    expect(checkExport({ ...file, comment_proofs: rows }, [])).toMatchObject({ isSigned: true, faulty: [] });
    expect(checkExport({ log: [head(), key()], proofs: "none", bets: 5, entries: null }, [])?.faulty).toEqual([]);
  });

  it("names its witnesses, of whom those count whose keys have a form", () => {
    const note = parseNote(LOG.note())!;
    const cosigned = noteText({ ...note, signatures: [...note.signatures, cosign(note.text, 7, WITNESS)] });
    const named = (...texts: string[]) => texts.map((text) => ({ kind: "witness", text }));
    const signers = (...texts: string[]) => checkExport(fileOf(head(cosigned), key(), ...named(...texts)), [])?.signers;
    expect(signers("none")).toEqual([{ name: "witness.example", at: null, isFalse: false }]);
    expect(signers("none", keyText(WITNESS.key))).toEqual([{ name: "witness.example", at: 7_000, isFalse: false }]);
  });
});

describe("an export after a change of keys", () => {
  const next = signerOf(ORIGIN, undefined, "next");
  const said = { old: KEY, next: keyText(next.key), batch: 3, reason: "once a year", at: 9 };
  const text = bytes(keyChangeText(said));
  const change: Leaf<"key"> = {
    kind: "key",
    ...said,
    old_signature: base64Of(HOUSE.sign(text)),
    next_signature: base64Of(next.sign(text)),
  };
  const log = new MemoryLog(next).add(entryOfLeaf(change));
  const row = { kind: "change", id: "0", text: leafText(change), proof: [] as unknown };

  const checked = (...changes: object[]) => {
    const known = [
      { kind: "head", text: log.note() },
      { kind: "key", text: keyText(next.key) },
    ];
    const { isSigned, isKeyShown } = checkExport({ log: [...known, ...changes] }, [])!;
    return { isSigned, isKeyShown };
  };

  it("shows how the key came that signed its head", () => {
    expect(checked(row)).toEqual({ isSigned: true, isKeyShown: true });
    expect(checked()).toEqual({ isSigned: false, isKeyShown: false });
  });

  it("shows it by a leaf of this kind, by its place, and by its proof", () => {
    const other = leafText({ kind: "time", time: 9 });
    for (const spoilt of [{ text: other }, { id: "none" }, { id: "1" }, { proof: "none" }, { proof: ["none"] }, {}]) {
      const isWhole = Object.keys(spoilt).length === 0;
      expect(checked({ ...row, ...spoilt })).toEqual({ isSigned: isWhole, isKeyShown: true });
    }
    expect(checked(row, { ...row, text: "none" })).toEqual({ isSigned: false, isKeyShown: true });
  });
});
