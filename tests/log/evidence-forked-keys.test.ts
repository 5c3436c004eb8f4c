import { describe, expect, it } from "vitest";
import { merkleLeaf } from "#shared/merkle.ts";
import { originOf } from "#shared/log/checkpoint.ts";
import type { EvidenceLog, ReplacedKey } from "#shared/log/evidence/file.ts";
import { keyChangeText, leafText } from "#shared/log/leaf.ts";
import { keyText, NOTE_KEY, noteText, type Signer } from "#shared/log/note.ts";
import { provingTree } from "../client/watch/proving-tree.ts";
import { idsOf, sentencesOf, unsigned, type Written } from "./evidence-file.ts";
import { base64Of, bytes, headNote, signerOf } from "./world.ts";

const origin = originOf("house.example", signerOf("any", NOTE_KEY, "first").key.publicKey);
const signer = (word: string): Signer => signerOf(origin, NOTE_KEY, word);

/** A leaf that puts another key in the place of this one, as both sign it. */
function changeOf(old: Signer, next: Signer): string {
  const change = { old: keyText(old.key), next: keyText(next.key), batch: 1, reason: "once a year", at: 7 };
  const message = bytes(keyChangeText(change));
  const signatures = { old_signature: base64Of(old.sign(message)), next_signature: base64Of(next.sign(message)) };
  return leafText({ kind: "key", ...change, ...signatures });
}

/** A history of the log: what each leaf says. A word after `key ` is that of another key. */
function history(...leaves: string[]) {
  const tree = provingTree();
  const retired: { signer: Signer; leaf: number; text: string }[] = [];
  let now = signer("first");
  for (const [leaf, says] of leaves.entries()) {
    const word = /^key (.*)$/.exec(says)?.[1];
    const text = word === undefined ? leafText({ kind: "time", time: Number(says) }) : changeOf(now, signer(word));
    tree.add(merkleLeaf(text));
    if (word === undefined) continue;
    retired.push({ signer: now, leaf, text });
    now = signer(word);
  }
  const size = leaves.length;
  const noteBy = (one: Signer, at = size) => noteText(headNote(tree.heads[at]!, one));
  const note = (at = size) => noteBy(retired.find(({ leaf }) => at <= leaf)?.signer ?? now, at);
  const log: EvidenceLog = {
    origin,
    key: keyText(now.key),
    retired: retired.map(({ signer: { key }, leaf, text }): ReplacedKey => {
      const change = { text, head: note(), path: tree.inclusion(leaf, size) };
      return { key: keyText(key), leaf, batch: 1, change };
    }),
    first: note(1),
    newest: note(),
    since: 0,
  };
  const beginning = (older: number, newer = size) => tree.beginning(older, newer);
  return { log, note, noteBy, size, beginning };
}
type History = ReturnType<typeof history>;

const fork = (
  { note: ours }: Pick<History, "note">,
  shown: string,
  { path = null, shownLog }: { path?: string[] | null; shownLog?: EvidenceLog | undefined } = {},
): Written => ({
  kind: "fork",
  subject: shown,
  evidence: { ours: ours(), shown, path, ...(shownLog && { shownLog }) },
});
const HEADS = ["signed head", "signed head"];

/** The history that a device knows: the first key signs up to two leaves, the second one from three on. */
const ours = history("0", "1", "key second", "3", "4", "5");

describe("two heads of a log whose key was replaced convict", () => {
  it("where both are from before the change, and the old key signed both", () => {
    const before = { ...ours, note: () => ours.note(2) };
    const liar = history("0", "9");
    expect(idsOf(fork(before, liar.note()), ours.log)).toEqual(["proven two-heads", ...HEADS]);
    const longer = history("8", "9", "key second");
    const path = longer.beginning(1, 2);
    const first = { ...ours, note: () => ours.note(1) };
    expect(idsOf(fork(first, longer.note(2), { path }), ours.log)).toEqual(["proven other-beginning", ...HEADS]);
  });

  it("where the old key signed the smaller one, and the new key the larger one", () => {
    const liar = history("0", "9", "key second", "3");
    const path = liar.beginning(2);
    const before = { ...ours, note: () => ours.note(2) };
    for (const shownLog of [undefined, liar.log])
      expect(idsOf(fork(before, liar.note(), { path, shownLog }), ours.log)).toEqual([
        "proven other-beginning",
        ...HEADS,
      ]);
    // The other way round, the device knows the larger one.
    const older = history("0", "9");
    expect(idsOf(fork(ours, older.note(), { path: ours.beginning(2) }), ours.log)).toEqual([
      "proven other-beginning",
      ...HEADS,
    ]);
  });

  it("where the new key signed both", () => {
    const liar = history("0", "1", "key second", "3", "4", "9");
    for (const shownLog of [undefined, liar.log])
      expect(idsOf(fork(ours, liar.note(), { shownLog }), ours.log)).toEqual(["proven two-heads", ...HEADS]);
  });

  it("where the device had never met the change that the other history made before its head", () => {
    const old = history("0", "1", "2", "3");
    const says = sentencesOf(fork(old, ours.note(), { shownLog: ours.log }), old.log);
    expect(says).toEqual([
      "A head of 4 leaves is signed by a key that leaf 2 of the log had replaced.",
      "A head of 4 leaves is signed by the log's key.",
      "A head of 6 leaves is signed by the log's key.",
    ]);
    const same = { ...ours, note: () => ours.note(4) };
    expect(idsOf(fork(old, same.note(), { shownLog: ours.log }), old.log)).toEqual([
      "proven late-head",
      "proven two-heads",
      ...HEADS,
    ]);
  });

  it("where the history that is shown never made the change that the device knows", () => {
    const liar = history("0", "1", "2", "3", "4", "5");
    expect(idsOf(fork(ours, liar.note(), { shownLog: liar.log }), ours.log)).toEqual([
      "proven late-head",
      "proven two-heads",
      ...HEADS,
    ]);
    const longer = history("0", "1", "2", "3", "4", "5", "6");
    expect(sentencesOf(fork(ours, longer.note(), { shownLog: longer.log }), ours.log)[0]).toBe(
      "A head of 7 leaves is signed by a key that leaf 2 of the log had replaced.",
    );
  });

  it("where each history puts another key in the place of the old one", () => {
    const liar = history("0", "1", "2", "key third", "4", "5", "6");
    expect(sentencesOf(fork(ours, liar.note(), { shownLog: liar.log }), ours.log)).toEqual([
      "One key of the log signed two leaves that differ, and each puts another key in its place: leaf 2 of one history, and leaf 3 of the other.",
      "A head of 6 leaves is signed by the log's key.",
      "A head of 7 leaves is signed by the log's key.",
    ]);
    const deeper = history("0", "1", "key second", "3", "key third");
    const other = history("0", "1", "key second", "3", "4", "key fourth", "6");
    expect(idsOf(fork(deeper, other.note(), { shownLog: other.log }), deeper.log)).toEqual([
      "proven two-changes",
      ...HEADS,
    ]);
  });

  it("where one leaf replaces the key at two places", () => {
    const liar = history("0", "1", "2", "key second", "4", "5", "6");
    expect(sentencesOf(fork(ours, liar.note(), { shownLog: liar.log }), ours.log)[0]).toBe(
      "The leaf that replaces a key of the log stands at two places, as number 2 and as number 3: two histories.",
    );
  });

  it("as another phone shows them, too", () => {
    const liar = history("0", "1", "2", "key third", "4", "5", "6");
    const evidence = { ours: ours.note(), theirs: liar.note(), path: null, shownLog: liar.log };
    expect(idsOf({ kind: "fork", subject: liar.note(), evidence }, ours.log)[0]).toBe("proven two-changes");
  });
});

describe("two heads of a log whose key was replaced convict nobody", () => {
  it("where one history goes on from the other", () => {
    const before = history("0", "1");
    const shownLog = ours.log;
    expect(idsOf(fork(before, ours.note(), { shownLog }), before.log)).toEqual([...HEADS, "claimed asked"]);
    expect(idsOf(fork(ours, before.note(), { shownLog: before.log }), ours.log)).toEqual([...HEADS, "claimed asked"]);
    const joined = { path: ours.beginning(2), shownLog };
    expect(idsOf(fork(before, ours.note(), joined), before.log)).toEqual([...HEADS, "claimed asked"]);
    expect(idsOf(fork(ours, ours.note(), { shownLog }), ours.log)).toEqual(["broken same"]);
  });

  it("where the keys of the second one do not hold, or are those of another log", () => {
    const liar = history("0", "1", "2", "key third", "4", "5", "6");
    const spoilt: Partial<EvidenceLog>[] = [
      { origin: originOf("other.example", signer("first").key.publicKey) },
      { key: ours.log.key },
      { newest: unsigned(liar.log.newest) },
      { retired: liar.log.retired!.map((one) => ({ ...one, change: undefined! })) },
      { retired: ours.log.retired! },
      { retired: [] },
    ];
    for (const one of spoilt)
      expect(idsOf(fork(ours, liar.note(), { shownLog: { ...liar.log, ...one } }), ours.log)).toEqual(["broken log"]);
  });

  it("where a head is not signed by the key of its own history", () => {
    const liar = history("0", "1", "2", "key third", "4", "5", "6");
    const [shownLog, log] = [liar.log, ours.log];
    expect(idsOf(fork(ours, liar.note()), log)).toEqual(["broken head"]);
    expect(idsOf(fork(ours, ours.note(), { shownLog }), log)).toEqual(["broken head"]);
    expect(idsOf(fork(ours, liar.noteBy(signer("first")), { shownLog }), log)).toEqual(["broken head"]);
    expect(idsOf(fork({ note: liar.note }, liar.note(), { shownLog }), log)).toEqual(["broken head"]);
  });
});
