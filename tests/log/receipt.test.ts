import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical, type Plain } from "#shared/log/canonical.ts";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { batchFaults, batchText, parseReceipt, receiptFaults, receiptText, saltedLeaf } from "#shared/log/receipt.ts";
import type { Receipt, Shown } from "#shared/log/receipt.ts";
import { markOf, type Content } from "#shared/log/salted.ts";
import { inclusionOf, proofOf } from "#shared/log/tree.ts";
import { MerkleTree, type Subtree } from "#shared/merkle.ts";
import { CONTENT, hashFor } from "./leaves.ts";
import { bytes, serverHash, sha256, signerOf } from "./world.ts";

const house = signerOf("house.example/log");
const { kind: _, member: __, time: ___, ...terms } = CONTENT.bet;
const shown: Shown = { ...terms, member: "m1" };

/** What the house answers to bets that it commits together. */
function receiptsOf(bets: Content<"bet">[], batch = 41, signer = house): Receipt[] {
  const salts = bets.map(({ order }) => sha256(bytes(`salt of ${order}`)));
  const tree = new MerkleTree();
  const stored = new Map<string, Uint8Array>();
  const nameOf = ({ level, index }: Subtree) => `${level}/${index}`;
  for (const [i, bet] of bets.entries())
    tree.add(saltedLeaf(salts[i]!, bet), (subtree, hash) => stored.set(nameOf(subtree), hash));
  const head = { size: bets.length, root: tree.rootHash() };
  const signature = signer.sign(bytes(batchText(signer.key.name, batch, head)));
  return bets.map((bet, index) => ({
    origin: signer.key.name,
    bet,
    salt: salts[index]!,
    markSalt: markSaltOf(bet.order),
    batch,
    index,
    count: bets.length,
    path: proofOf(inclusionOf(index, bets.length), (subtree) => stored.get(nameOf(subtree))!),
    keyId: signer.key.id,
    signature,
  }));
}

const markSaltOf = (order: string) => sha256(bytes(`mark of ${order}`));
const betOf = (order: string, more: Partial<Content<"bet">> = {}): Content<"bet"> => ({
  ...CONTENT.bet,
  order,
  member: markOf(markSaltOf(order), "m1"),
  ...more,
});

const batch = receiptsOf(Array.from({ length: 37 }, (_, i) => betOf(`o${i + 1}`)));
const receipt = batch[0]!;
const text = receiptText(receipt);
const formOf = (receipt: string) => JSON.parse(Buffer.from(receipt, "base64url").toString()) as Record<string, Plain>;
const textOf = (form: unknown) => Buffer.from(canonical(form as Plain)).toString("base64url");

describe("a receipt", () => {
  it("is one text that proves the bet", () => {
    for (const one of batch) {
      const read = parseReceipt(receiptText(one))!;
      expect(read).toEqual(one);
      expect(receiptFaults(read, { ...shown, order: one.bet.order }, house.key)).toEqual([]);
      expect(receiptFaults(read, { ...shown, order: one.bet.order }, house.key, serverHash)).toEqual([]);
      expect(batchFaults(read, house.key)).toEqual([]);
    }
    expect(text).toMatch(/^[A-Za-z0-9_-]{1000,2000}$/);
  });

  it("is one for a batch of one bet, too", () => {
    const [only] = receiptsOf([betOf("o1")]);
    expect(only!.path).toEqual([]);
    expect(receiptFaults(parseReceipt(receiptText(only!))!, shown, house.key)).toEqual([]);
  });

  it("may name its options in another order than the screen", () => {
    expect(receiptFaults(receipt, { ...shown, options: ["A", "10"] }, house.key)).toEqual([]);
  });

  it.each<[string, Partial<Shown>, string]>([
    ["of another order", { order: "o2" }, "order"],
    ["of another member", { member: "m2" }, "member"],
    ["of another game", { game: "k3-5m" }, "game"],
    ["of another round", { round: "20260302-0002" }, "round"],
    ["with another commit", { commit: hashFor("another") }, "commit"],
    ["with other odds", { odds: "8" }, "odds"],
    ["with other rates under the same odds", { odds_hash: hashFor("another") }, "odds_hash"],
    ["under another rule", { rule: `drand:${hashFor("chain")}:7` }, "rule"],
    ["on another option", { options: ["11", "A"] }, "options"],
    ["on fewer options", { options: ["10"] }, "options"],
    ["on more options", { options: ["10", "A", "B"] }, "options"],
    ["on one option twice", { options: ["10", "10"] }, "options"],
    ["with another stake", { stake: 200 }, "stake"],
    ["in another unit", { unit: "JPY" }, "unit"],
  ])("%s is not for the bet that was shown", (_, other, fault) => {
    expect(receiptFaults(receipt, { ...shown, ...other }, house.key)).toEqual([fault]);
  });

  it.each<[string, Partial<Receipt>, string[]]>([
    ["another time", { bet: { ...receipt.bet, time: 40_001 } }, ["signature"]],
    ["another salt", { salt: sha256(bytes("another")) }, ["signature"]],
    ["another salt of the mark", { markSalt: sha256(bytes("another")) }, ["member"]],
    ["another batch", { batch: 42 }, ["signature"]],
    ["another place", { index: 1 }, ["signature"]],
    ["a place beyond the batch", { index: 37 }, ["path"]],
    ["a smaller batch", { count: 1 }, ["path"]],
    ["a larger batch", { count: 38 }, ["signature"]],
    ["a hash less", { path: receipt.path.slice(1) }, ["path"]],
    ["a hash more", { path: [...receipt.path, receipt.salt] }, ["path"]],
    ["two hashes swapped", { path: receipt.path.with(0, receipt.path[1]!).with(1, receipt.path[0]!) }, ["signature"]],
    ["another key's id", { keyId: 7 }, ["key"]],
    ["another origin", { origin: "horse.example/log" }, ["origin", "signature"]],
    ["no signature", { signature: new Uint8Array() }, ["signature"]],
    ["another signature", { signature: receipt.signature.with(3, receipt.signature[3]! ^ 1) }, ["signature"]],
  ])("with %s is not the house's", (_, other, faults) => {
    const spoiled = { ...receipt, ...other };
    expect(receiptFaults(spoiled, shown, house.key)).toEqual(faults);
    expect(receiptFaults(parseReceipt(receiptText(spoiled))!, shown, house.key)).toEqual(faults);
  });

  it("by another key is not the house's", () => {
    const other = signerOf("house.example/log", undefined, "another");
    const [forged] = receiptsOf([betOf("o1")], 41, other);
    expect(receiptFaults(forged!, shown, house.key)).toEqual(["key", "signature"]);
    expect(receiptFaults({ ...forged!, keyId: house.key.id }, shown, house.key)).toEqual(["signature"]);
    expect(batchFaults(receipt, { ...house.key, type: 4 })).toEqual(["key"]);
  });

  it("is not the one of a member with an equal bet", () => {
    const [mine, theirs] = receiptsOf([betOf("o1"), betOf("o2", { member: markOf(markSaltOf("o2"), "m2") })]);
    expect(receiptFaults(theirs!, { ...shown, member: "m2", order: "o2" }, house.key)).toEqual([]);
    expect(receiptFaults(mine!, { ...shown, member: "m2", order: "o2" }, house.key)).toEqual(["order", "member"]);
  });

  it("is no receipt whichever letter is another, or another bet's", () => {
    fc.assert(
      fc.property(fc.nat(text.length - 1), fc.constantFrom(..."AZaz09-_"), (at, letter) => {
        fc.pre(text[at] !== letter);
        const spoiled = parseReceipt(text.slice(0, at) + letter + text.slice(at + 1));
        expect(spoiled === null || receiptFaults(spoiled, shown, house.key).length > 0).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it.each<[string, string]>([
    ["padding", `${text}${"=".repeat((4 - (text.length % 4)) % 4) || "===="}`],
    ["a space", `${text} `],
    ["a newline", `${text}\n`],
    ["a letter less", text.slice(0, -1)],
    ["a field more", textOf({ ...formOf(text), more: 1 })],
    ["a salt in large digits", textOf({ ...formOf(text), salt: "A".repeat(64) })],
    ["a short salt", textOf({ ...formOf(text), mark_salt: "ab" })],
    ["a short id of a key", textOf({ ...formOf(text), key: "abcdef" })],
    ["the id of its key in large digits", textOf({ ...formOf(text), key: "ABCDEF01" })],
    ["half a hash in its path", textOf({ ...formOf(text), path: Buffer.alloc(48).toString("base64") })],
    ["a path in another base64", textOf({ ...formOf(text), path: "____" })],
    ["a payout for a bet", textOf({ ...formOf(text), bet: CONTENT.payout as unknown as Plain })],
    ["a bet as a text", textOf({ ...formOf(text), bet: canonical(CONTENT.bet) })],
    ["an origin of two lines", textOf({ ...formOf(text), origin: "a\nb" })],
    ["no origin", textOf({ ...formOf(text), origin: "" })],
    ["a negative place", textOf({ ...formOf(text), index: -1 })],
    ["spaces between its fields", Buffer.from(JSON.stringify(formOf(text), null, 1)).toString("base64url")],
    ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")],
    ["far too many letters", textOf({ ...formOf(text), signature: "A".repeat(12_000) })],
    ["nothing", ""],
  ])("with %s is none", (_, spoiled) => {
    expect(spoiled).not.toBe(text);
    expect(parseReceipt(spoiled)).toBe(null);
  });

  it("has at most 16,384 letters", () => {
    const form = formOf(text);
    const spare = 12_288 - Buffer.from(text, "base64url").length;
    const padded = (more: number) => textOf({ ...form, origin: `${form.origin as string}${"x".repeat(spare + more)}` });
    expect(padded(0)).toHaveLength(16_384);
    expect(parseReceipt(padded(0))).not.toBe(null);
    expect(parseReceipt(padded(1))).toBe(null);
  });

  it("can never be taken for a head of the log", () => {
    expect(parseCheckpoint(batchText("house.example/log", 41, { size: 1, root: receipt.salt }))).toBe(null);
  });
});
