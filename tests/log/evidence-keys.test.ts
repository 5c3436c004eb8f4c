import { describe, expect, it } from "vitest";
import { merkleLeaf } from "#shared/merkle.ts";
import { originOf } from "#shared/log/checkpoint.ts";
import type { EvidenceLog, ReplacedKey } from "#shared/log/evidence/file.ts";
import { keyChangeText, leafText } from "#shared/log/leaf.ts";
import { COSIGNATURE_KEY, keyOf, keyText, NOTE_KEY, noteText, type Signer } from "#shared/log/note.ts";
import { House, MEMBER } from "../client/watch/house.ts";
import { provingTree } from "../client/watch/proving-tree.ts";
import { betOf, idsOf, receiptBy, sentencesOf, unsigned } from "./evidence-file.ts";
import { base64Of, bytes, headNote, signerOf } from "./world.ts";

const origin = originOf("house.example", signerOf("any", NOTE_KEY, "first").key.publicKey);
const [first, second, third] = ["first", "second", "third"].map((word) => signerOf(origin, NOTE_KEY, word)) as [
  Signer,
  Signer,
  Signer,
];

/** A leaf that replaces a key, as both keys sign it. */
function changeOf(old: Signer, next: Signer, batch: number): string {
  const change = { old: keyText(old.key), next: keyText(next.key), batch, reason: "once a year", at: 7 };
  const message = bytes(keyChangeText(change));
  const signatures = { old_signature: base64Of(old.sign(message)), next_signature: base64Of(next.sign(message)) };
  return leafText({ kind: "key", ...change, ...signatures });
}

/** A log of six leaves, of which numbers 2 and 4 replace its first and its second key. */
function rotated(batches: readonly [number, number] = [40, 60], isTurned = false) {
  const changes = [changeOf(first, second, batches[0]), changeOf(second, third, batches[1])];
  const [at2, at4] = isTurned ? changes.toReversed() : changes;
  const times = [0, 1, 3, 5].map((time) => leafText({ kind: "time", time }));
  const texts = [times[0]!, times[1]!, at2!, times[2]!, at4!, times[3]!];
  const tree = provingTree();
  for (const text of texts) tree.add(merkleLeaf(text));
  const head = (signer: Signer, size: number) => noteText(headNote(tree.heads[size]!, signer));
  const retired = [first, second].map(({ key }, i): ReplacedKey => {
    const leaf = texts.indexOf(changes[i]!);
    const change = { text: changes[i]!, head: head(third, 6), path: tree.inclusion(leaf, 6) };
    return { key: keyText(key), leaf, batch: batches[i]!, change };
  });
  const log: EvidenceLog = {
    origin,
    key: keyText(third.key),
    retired,
    first: head(first, 1),
    newest: head(third, 6),
    since: 0,
  };
  return { tree, texts, head, retired, log };
}

/** Two heads that the house did not join. Both are said to be signed only where the log's keys are known. */
const askedFor = (head: ReturnType<typeof rotated>["head"]) => {
  const [ours, shown] = [head(first, 1), head(third, 6)];
  return { kind: "noProof", subject: shown, origin, evidence: { ours, shown } } as const;
};
const ASKED = ["signed head", "signed head", "claimed asked"];

describe("the keys of a log in a file", () => {
  it("are known where each change stands in the log, also with no bets between two of them", () => {
    for (const batches of [
      [40, 60],
      [40, 40],
      [0, 0],
    ] as const) {
      const { log, head } = rotated(batches);
      expect(idsOf(askedFor(head), log)).toEqual(ASKED);
    }
  });

  it("are not known for another log", () => {
    const { log, head } = rotated();
    const other = new House("other").signer.key.name;
    expect(idsOf({ ...askedFor(head), origin: other }, log)).toEqual(["claimed keys"]);
  });

  const stranger = signerOf(origin, NOTE_KEY, "stranger");
  it.each<[string, (one: ReturnType<typeof rotated>) => Partial<EvidenceLog>]>([
    ["the first one is not the one that the origin names", ({ retired }) => ({ retired: retired.slice(1) })],
    ["the newest one is another", () => ({ key: keyText(stranger.key) })],
    ["one is of another name", ({ log }) => ({ key: log.key.replace(origin, "house") })],
    ["one signs no heads", () => ({ key: keyText(keyOf(origin, third.key.publicKey, COSIGNATURE_KEY)) })],
    ["one is no key", () => ({ key: "key" })],
    ["a change is not shown", ({ retired: [one, other] }) => ({ retired: [{ ...one!, change: undefined! }, other!] })],
    ["the first head is not signed", ({ log }) => ({ first: unsigned(log.first) })],
    ["the newest head is not signed", ({ log }) => ({ newest: unsigned(log.newest) })],
    ["the newest head is signed by a key before", ({ head }) => ({ newest: head(second, 6) })],
  ])("are not known where %s", (_, spoil) => {
    const one = rotated();
    expect(idsOf(askedFor(one.head), { ...one.log, ...spoil(one) })).toEqual(["claimed keys"]);
  });

  it.each<[string, (one: ReturnType<typeof rotated>) => Partial<ReplacedKey>]>([
    ["at another place", () => ({ leaf: 3 })],
    ["after another batch", () => ({ batch: 41 })],
    ["by another leaf", ({ texts, tree, head }) => changeAt(1, texts, tree, head)],
    ["by the change of another key", ({ texts, tree, head }) => changeAt(4, texts, tree, head)],
    [
      "in an unsigned head",
      ({ retired }) => ({ change: { ...retired[0]!.change!, head: unsigned(retired[0]!.change!.head) } }),
    ],
    ["without its path", ({ retired }) => ({ change: { ...retired[0]!.change!, path: [] } })],
    ["with a path that is none", ({ retired }) => ({ change: { ...retired[0]!.change!, path: ["path"] } })],
  ])("are not known where one is said to be replaced %s", (_, spoil) => {
    const one = rotated();
    const [changed, other] = one.retired;
    const log = { ...one.log, retired: [{ ...changed!, ...spoil(one) }, other!] };
    expect(idsOf(askedFor(one.head), log)).toEqual(["claimed keys"]);
  });

  const changeAt = (
    leaf: number,
    ...[texts, tree, head]: [string[], ReturnType<typeof provingTree>, (signer: Signer, size: number) => string]
  ) => ({ leaf, change: { text: texts[leaf]!, head: head(third, 6), path: tree.inclusion(leaf, 6) } });

  it("are not known where the log replaces them in another order, or batches go back", () => {
    const turned = rotated([40, 60], true);
    expect(idsOf(askedFor(turned.head), turned.log)).toEqual(["claimed keys"]);
    const back = rotated([40, 39]);
    expect(idsOf(askedFor(back.head), back.log)).toEqual(["claimed keys"]);
  });
});

describe("a key that was replaced", () => {
  const signature = (head: string, log?: EvidenceLog) =>
    ({ kind: "signature", subject: head, origin, evidence: { head, log } }) as const;

  it("convicts with each head that it signs afterwards", () => {
    const { log, head } = rotated();
    expect(sentencesOf(signature(head(first, 3)), log)).toEqual([
      "A head of 3 leaves is signed by a key that leaf 2 of the log had replaced.",
    ]);
    expect(sentencesOf(signature(head(second, 6)), log)).toEqual([
      "A head of 6 leaves is signed by a key that leaf 4 of the log had replaced.",
    ]);
  });

  it("signs heads up to the leaf that replaces it, and the next one those after it", () => {
    const { log, head } = rotated();
    for (const own of [head(first, 2), head(second, 3), head(second, 4), head(third, 5)])
      expect(idsOf(signature(own), log)).toEqual(["claimed unsigned"]);
    const joined = (ours: string, shown: string) =>
      idsOf({ kind: "noProof", subject: shown, evidence: { ours, shown } }, log);
    expect(joined(head(first, 2), head(second, 3))).toEqual(ASKED);
    expect(joined(head(second, 4), head(third, 5))).toEqual(ASKED);
    expect(joined(head(second, 2), head(second, 3))).toEqual(["broken head"]);
    expect(joined(head(second, 4), head(second, 5))).toEqual(["broken head"]);
  });

  it("has signed nothing that is no head, or of another log", () => {
    const { log } = rotated();
    expect(idsOf(signature("no head"), log)).toEqual(["claimed unsigned"]);
    expect(idsOf(signature(new House("other").note()), log)).toEqual(["claimed unsigned"]);
  });

  it("is looked for only where the finding is about this head and this log", () => {
    const { log, head } = rotated();
    const late = signature(head(first, 3), log);
    expect(idsOf(late, log)).toEqual(["proven late-head"]);
    expect(idsOf({ ...late, subject: head(second, 3) }, log)).toEqual(["broken subject"]);
    expect(idsOf({ ...late, member: MEMBER }, log)).toEqual(["broken subject"]);
    expect(idsOf(signature(head(first, 3), { ...log, newest: "none" }), log)).toEqual(["broken log"]);
    const other = new House("other");
    const another = { ...log, origin: other.signer.key.name, key: other.key, retired: [] };
    const whole = { ...another, first: other.note(), newest: other.note() };
    expect(idsOf(signature(head(first, 3), whole), log)).toEqual(["broken log"]);
  });

  it("convicts with each receipt of a later batch, and not with one of its last", () => {
    const { log } = rotated();
    const house = new House();
    const shown = (signer: Signer, batch: number) => {
      const receipt = receiptBy(signer, betOf(house), batch);
      return { kind: "receipt", subject: "bet_1", member: MEMBER, evidence: { shown: {}, receipt, log } } as const;
    };
    const TAKEN = ["signed receipt", "claimed shown"];
    for (const own of [shown(first, 40), shown(second, 41), shown(second, 60), shown(third, 61)])
      expect(idsOf(own, log)).toEqual(TAKEN);
    expect(idsOf(shown(second, 40), log)).toEqual(["claimed not-signed"]);
    expect(idsOf(shown(third, 60), log)).toEqual(["claimed not-signed"]);
    const [late] = sentencesOf(shown(first, 41), log);
    expect(late).toBe("The receipt of batch 41 is signed by a key that had signed to be replaced after batch 40.");
    expect(idsOf(shown(second, 61), log)).toEqual(["proven late-receipt", "signed receipt"]);
  });
});
