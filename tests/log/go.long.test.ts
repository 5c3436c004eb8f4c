import { describe, expect, it } from "vitest";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { keyText, noteText, noteVerifier, parseKey, parseNote, signersOf, signNote } from "#shared/log/note.ts";
import { parseUtf8 } from "#shared/log/strict.ts";
import { newTilesOf, WIDTH } from "#shared/log/tiles.ts";
import { consistencyOf, inclusionOf, isExtension, isIncluded, proofOf, type Head } from "#shared/log/tree.ts";
import { leafHash } from "#shared/merkle.ts";
import { askGo, type Question } from "./go/ask.ts";
import { bytes, entryOf, grownTree, headNote, hexOf, sha256, signerOf } from "./world.ts";

const { heads, read } = grownTree(600);
const house = signerOf("house.example/log");
const leafOf = (i: number) => leafHash(entryOf(i));

/** A statement, with our verdict on it and the question for Go. */
interface Case {
  what: string;
  ours: boolean;
  question: Question;
}

function headCase(what: string, raw: Uint8Array, head: Head, key = keyText(house.key), origin = house.key.name): Case {
  const known = parseKey(key);
  const note = parseNote(parseUtf8(raw) ?? "");
  const read = note && known && signersOf(note, [noteVerifier(known)]) && parseCheckpoint(note.text);
  const ours = Boolean(
    read && read.origin === origin && read.size === head.size && hexOf(read.root) === hexOf(head.root),
  );
  return { what, ours, question: { kind: "head", note: raw, key, origin, size: head.size, root: head.root } };
}

function inclusionCase(what: string, leaf: Uint8Array, index: number, head: Head, path: Uint8Array[]): Case {
  const ours = isIncluded(leaf, index, head, path);
  return { what, ours, question: { kind: "inclusion", leaf, index, size: head.size, root: head.root, path } };
}

function extensionCase(what: string, older: Head, head: Head, path: Uint8Array[]): Case {
  const { size, root } = head;
  const question = { kind: "extension" as const, older: older.size, before: older.root, size, root, path };
  return { what, ours: isExtension(older, head, path), question };
}

/** How both judge: `[what, ours, Go's]`. */
function judge(cases: Case[]): [string, boolean, boolean][] {
  const answers = askGo(cases.map(({ question }) => question));
  return cases.map(({ what, ours }, i) => [what, ours, answers[i] === ""]);
}
const all = (cases: Case[], verdict: boolean) => cases.map(({ what }) => [what, verdict, verdict]);

const inclusion = (index: number, size: number) => proofOf(inclusionOf(index, size), read);
const consistency = (older: number, size: number) => proofOf(consistencyOf(older, size), read);
const flip = (some: Uint8Array, at = 0, bit = 0) => some.with(at, some[at]! ^ (1 << bit));
const swap = <T>(list: readonly T[], i: number, k: number) => list.with(i, list[k]!).with(k, list[i]!);

describe("Go's sumdb/note and sumdb/tlog", () => {
  it("compute our roots", () => {
    const entries = Array.from({ length: 130 }, (_, i) => entryOf(i));
    const asked = heads
      .slice(0, 131)
      .map(({ size, root }): Question => ({ kind: "root", entries: entries.slice(0, size), root }));
    expect(askGo(asked.slice(1)).filter((why) => why !== "")).toEqual([]);
  });

  it("have our tiles", () => {
    const entries = Array.from({ length: 600 }, (_, i) => entryOf(i));
    const asked = newTilesOf(0, 600).map(({ level, index, width }): Question => {
      const hashes = Array.from({ length: width }, (_, i) => read({ level: 8 * level, index: index * WIDTH + i }));
      return { kind: "tile", entries, level, index, width, content: new Uint8Array(Buffer.concat(hashes)) };
    });
    expect(asked).toHaveLength(4);
    expect(askGo(asked)).toEqual(["", "", "", ""]);
  });

  it("accept our heads", () => {
    const cases = [1, 2, 3, 100, 600].flatMap((size) => {
      const note = headNote(heads[size]!, house);
      const witnessed = signNote(note, signerOf("witness.example/w"));
      return [note, witnessed].map((one) => headCase(`head ${size}`, bytes(noteText(one)), heads[size]!));
    });
    expect(judge(cases)).toEqual(all(cases, true));
  });

  it("accept our proofs of inclusion", () => {
    const cases = [1, 2, 3, 5, 8, 63, 64, 65, 255, 256, 257, 600].flatMap((size) =>
      Array.from({ length: size }, (_, i) => i)
        .filter((i) => i % 7 === 0 || i === size - 1)
        .map((i) => inclusionCase(`${i} of ${size}`, leafOf(i), i, heads[size]!, inclusion(i, size))),
    );
    expect(judge(cases)).toEqual(all(cases, true));
  });

  it("accept our proofs of consistency", () => {
    const pairs = heads
      .slice(1, 70)
      .flatMap((head) => heads.slice(1, head.size + 1).map((older) => [older, head] as const));
    const cases = [...pairs, ...heads.slice(1).map((older) => [older, heads[600]!] as const)].map(([older, head]) =>
      extensionCase(`${older.size} to ${head.size}`, older, head, consistency(older.size, head.size)),
    );
    expect(judge(cases)).toEqual(all(cases, true));
  });

  it("refuse whatever head is spoiled, as we do", () => {
    const head = heads[100]!;
    const text = noteText(headNote(head, house));
    const raw = bytes(text);
    const lastLetter = raw.length - 4;
    const edit = (what: string, spoiled: string) => headCase(what, bytes(spoiled), head);
    const other = signerOf("other.example/log");
    const twin = signerOf(house.key.name, undefined, "twin");
    const cases = [
      headCase("a byte of the origin flipped", flip(raw, 2), head),
      headCase("a byte of the size flipped", flip(raw, house.key.name.length + 1), head),
      headCase("a byte of the root flipped", flip(raw, house.key.name.length + 6), head),
      headCase("a byte of the dash flipped", flip(raw, text.indexOf("\u2014") + 1), head),
      headCase("a byte of the key's id flipped", flip(raw, text.lastIndexOf(" ") + 5), head),
      headCase("a byte of the signature flipped", flip(raw, lastLetter - 20, 1), head),
      headCase("a byte that is no UTF-8", new Uint8Array([...raw.slice(0, 3), 255, ...raw.slice(3)]), head),
      headCase("the head of another size", raw, { ...head, size: 101 }),
      headCase("the head of another root", raw, { ...head, root: heads[101]!.root }),
      headCase("another origin expected", raw, head, keyText(house.key), "house.example/other"),
      headCase("another origin signed", bytes(noteText(headNote(head, house, "house.example/other"))), head),
      headCase("another key", raw, head, keyText(other.key)),
      headCase("another key of the same name", raw, head, keyText(twin.key)),
      headCase("another key under our key's id", raw, head, keyText({ ...twin.key, id: house.key.id })),
      headCase("signed by another key", bytes(noteText(headNote(head, other, house.key.name))), head),
      headCase("signed by a key of the same name", bytes(noteText(headNote(head, twin))), head),
      edit("a leading zero", text.replace("\n100\n", "\n0100\n")),
      edit("no newline at the end", text.slice(0, -1)),
      edit("an empty line at the end", `${text}\n`),
      edit("carriage returns", text.replaceAll("\n", "\r\n")),
      edit("a tab", text.replace("house", "ho\tuse")),
      edit("no empty line", text.replace("\n\n", "\n")),
      edit("no signature", text.slice(0, text.indexOf("\u2014"))),
      edit("a hyphen for the dash", text.replace("\u2014", "-")),
      edit("a plus in the name", text.replace("\u2014 house.example/", "\u2014 house+example/")),
      edit("another name", text.replace("\u2014 house.example/", "\u2014 horse.example/")),
      edit("no padding", text.replace(/=+\n$/, "\n")),
      edit("more padding", text.replace(/=+\n$/, "===\n")),
      edit(
        "the signature of another head",
        text.replace(/\n\u2014[^\n]+\n/, noteText(headNote(heads[99]!, house)).match(/\n\u2014[^\n]+\n/)![0]),
      ),
      edit("a line more in the text", text.replace("\n\n", "\nmore\n\n")),
    ];
    expect(judge(cases)).toEqual(all(cases, false));
    expect(cases).toHaveLength(30);
  });

  it("refuse whatever proof is spoiled, as we do", () => {
    const [older, head] = [heads[37]!, heads[90]!];
    const [leaf, path, proof] = [leafOf(41), inclusion(41, 90), consistency(37, 90)];
    const included = (
      what: string,
      one: Partial<{ leaf: Uint8Array; index: number; head: Head; path: Uint8Array[] }>,
    ) => inclusionCase(what, one.leaf ?? leaf, one.index ?? 41, one.head ?? head, one.path ?? path);
    const extends_ = (what: string, one: Partial<{ older: Head; head: Head; path: Uint8Array[] }>) =>
      extensionCase(what, one.older ?? older, one.head ?? head, one.path ?? proof);
    const cases = [
      ...path.map((hash, i) => included(`hash ${i} flipped`, { path: path.with(i, flip(hash, i)) })),
      ...proof.map((hash, i) => extends_(`hash ${i} of the proof flipped`, { path: proof.with(i, flip(hash, i)) })),
      included("two hashes swapped", { path: swap(path, 0, 1) }),
      included("a hash less", { path: path.slice(1) }),
      included("a hash more", { path: [...path, path[0]!] }),
      included("half a hash", { path: path.with(2, path[2]!.slice(16)) }),
      included("no path", { path: [] }),
      included("another leaf", { leaf: leafOf(42) }),
      included("the next place", { index: 42 }),
      included("a place beyond the tree", { index: 90 }),
      included("a negative place", { index: -1 }),
      included("a smaller tree", { head: { ...head, size: 41 } }),
      included("a tree twice as large", { head: { ...head, size: 180 } }),
      included("the root of another size", { head: { ...head, root: heads[91]!.root } }),
      included("a tree of no leaves", { head: { ...head, size: 0 } }),
      extends_("two hashes of the proof swapped", { path: swap(proof, 0, 1) }),
      extends_("a hash of the proof less", { path: proof.slice(1) }),
      extends_("a hash of the proof more", { path: [...proof, proof[0]!] }),
      extends_("no proof", { path: [] }),
      extends_("another older size", { older: { ...older, size: 38 } }),
      extends_("another newer size", { head: { ...head, size: 60 } }),
      extends_("an older root of another tree", { older: { ...older, root: sha256(bytes("another")) } }),
      extends_("a newer root of another tree", { head: { ...head, root: sha256(bytes("another")) } }),
      extends_("the two heads exchanged", { older: head, head: older }),
      extends_("two trees of one size that differ", { older: { size: 90, root: older.root }, path: [] }),
      extends_("a proof between equal trees", { older: head, path: proof }),
    ];
    expect(judge(cases)).toEqual(all(cases, false));
    expect(cases.length).toBeGreaterThanOrEqual(30);
  });

  it("do not tell sizes apart that no proof tells apart, and nor do we", () => {
    const cases = [
      inclusionCase("another size", leafOf(5), 5, { ...heads[90]!, size: 91 }, inclusion(5, 90)),
      extensionCase("another size", heads[37]!, { ...heads[90]!, size: 91 }, consistency(37, 90)),
    ];
    expect(judge(cases)).toEqual(all(cases, true));
  });

  it("are less strict than we are: base64 with bits that no byte holds, and a second, false signature", () => {
    const text = noteText(headNote(heads[100]!, house));
    const raw = text.replace(/(.)=\n$/, (_, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}=\n`);
    const note = headNote(heads[100]!, house);
    const [own] = note.signatures;
    const doubled = noteText({ ...note, signatures: [own!, { ...own!, bytes: flip(own!.bytes, 9) }] });
    const cases = [headCase("loose bits", bytes(raw), heads[100]!), headCase("doubled", bytes(doubled), heads[100]!)];
    expect(judge(cases)).toEqual([
      ["loose bits", false, true],
      ["doubled", false, true],
    ]);
  });
});
