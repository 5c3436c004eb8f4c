import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonical, parseCanonical, type Plain } from "#shared/log/canonical.ts";
import { hashOfLeaf, leafKey, leafText, ownHash, parseLeaf, type Leaf } from "#shared/log/leaf.ts";
import { contentKey, contentText, follows, hashOfContent, markOf, NO_LEAF_BEFORE } from "#shared/log/salted.ts";
import { parseContent, SALTED_KINDS, saltedHash } from "#shared/log/salted.ts";
import { CONTENT, hashFor, LEAF } from "./leaves.ts";
import { bytes, hexOf, serverHash, sha256, signerOf } from "./world.ts";

const LEAVES = Object.values(LEAF);
const CONTENTS = Object.values(CONTENT);

/** A millisecond after the last one that four digits of a year can name. */
const AFTER_ALL = Date.UTC(10_000, 0, 1);
const TIMES = ["at", "closed", "closes", "draws", "drawn", "due", "from", "opens", "settled", "time"];
const timesOf = (record: Record<string, Plain>) => TIMES.filter((name) => typeof record[name] === "number");

describe("a canonical text", () => {
  const names = fc.stringMatching(/^[a-z][a-z0-9_]{0,6}$/);
  const { plain } = fc.letrec<{ plain: Plain }>((tie) => ({
    plain: fc.oneof(
      { depthSize: "small" },
      fc.string({ unit: "grapheme" }),
      fc.maxSafeInteger().map((number) => number + 0),
      fc.array(tie("plain"), { maxLength: 4 }),
      fc.dictionary(names, tie("plain"), { maxKeys: 4, noNullPrototype: true }),
    ),
  }));

  it("is read back as the same value", () => {
    fc.assert(
      fc.property(plain, (value) => {
        expect(parseCanonical(canonical(value))).toEqual(value);
      }),
    );
  });

  it("is the same for the same facts, in whatever order they were written", () => {
    expect(canonical({ b: 1, a: [2, "x"], a_b: {} })).toBe('{"a":[2,"x"],"a_b":{},"b":1}');
    expect(canonical({ a_b: {}, a: [2, "x"], b: 1 })).toBe(canonical({ b: 1, a_b: {}, a: [2, "x"] }));
  });

  it("escapes only what it has to, as RFC 8785 says", () => {
    expect(canonical('\u20ac$\u000f\nA\'B"\\\\"/\u2028')).toBe('"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u2028"');
  });

  it.each([
    ' {"a":1}',
    '{"a":1} ',
    '{"a": 1}',
    '{"a":1}\n',
    '{"b":1,"a":2}',
    '{"a":1,"a":1}',
    '{"a":01}',
    '{"a":1.0}',
    '{"a":1e2}',
    '{"a":-0}',
    '{"a":0.5}',
    '{"a":9007199254740992}',
    '{"a":null}',
    '{"a":true}',
    '{"A":1}',
    '{"":1}',
    '{"a b":1}',
    '{"__proto__":1}',
    '{"a":"\\u0041"}',
    '{"a":"\\/"}',
    '{"a":"\\u000F"}',
    '{"a":"\\ud800"}',
    "{'a':1}",
    '{"a":1,}',
    "[1,]",
    "",
    "null",
    "true",
    "1.5",
    "undefined",
    '{"a"}',
  ])("%s is none", (text) => {
    expect(parseCanonical(text)).toBe(null);
  });

  it("does not exist for what no leaf holds", () => {
    for (const value of [
      null,
      undefined,
      true,
      0.5,
      -0,
      Number.NaN,
      2 ** 53,
      1n,
      { A: 1 },
      ["\ud800"],
      { a: undefined },
    ])
      expect(() => canonical(value as unknown as Plain)).toThrow(RangeError);
  });
});

describe.each(LEAVES.map((leaf) => [leaf.kind, leaf] as const))("a leaf of the kind %s", (_, leaf) => {
  const text = leafText(leaf);
  const record = leaf as unknown as Record<string, Plain>;

  it("is read back from its text", () => {
    expect(parseLeaf(text)).toEqual(leaf);
    expect(hexOf(hashOfLeaf(leaf))).toBe(hexOf(sha256(Uint8Array.of(0), bytes(text))));
    expect(hashOfLeaf(leaf, serverHash)).toEqual(Buffer.from(hashOfLeaf(leaf)));
  });

  it("has all its fields and no others", () => {
    for (const name of Object.keys(record)) {
      const { [name]: _, ...rest } = record;
      expect(parseLeaf(canonical(rest))).toBe(null);
    }
    expect(parseLeaf(canonical({ ...record, more: 1 }))).toBe(null);
    expect(parseLeaf(canonical([record]))).toBe(null);
  });

  it("has no field of another type, and no text for one", () => {
    for (const name of Object.keys(record).filter((name) => name !== "kind")) {
      const wrong = typeof record[name] === "string" ? 7 : "seven";
      expect(parseLeaf(canonical({ ...record, [name]: wrong }))).toBe(null);
      expect(() => leafText({ ...record, [name]: wrong } as unknown as Leaf)).toThrow(RangeError);
      expect(parseLeaf(canonical({ ...record, [name]: -1 }))).toBe(null);
    }
  });

  it("has no time after the year 9999", () => {
    for (const name of timesOf(record))
      expect(() => leafText({ ...record, [name]: AFTER_ALL } as unknown as Leaf)).toThrow(
        `not of the form ${leaf.kind}`,
      );
  });

  it("is of no kind that this code does not know", () => {
    for (const kind of ["", "Open", "open ", "toString", "bet"])
      expect(parseLeaf(canonical({ ...record, kind }))).toBe(null);
  });
});

describe("a leaf", () => {
  it("is named by its kind and what it is about, and no two kinds share a name", () => {
    const keys = LEAVES.flatMap((leaf) => ("hash" in leaf && !("id" in leaf) ? [] : [leafKey(leaf as Leaf<"open">)]));
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.slice(0, 4)).toEqual(["anchor:k3-1m:20260302", "odds:k3-1m:7", "table:3", "beacon:k3-1m:5"]);
    expect(leafKey(LEAF.open)).toBe("open:k3-1m:20260302-0001");
    expect(leafKey(LEAF.restore)).toBe("restore:1");
  });

  it.each<[string, unknown]>([
    ["odds with another rate than their hash", { ...LEAF.odds, rates: [207_000, 69_001] }],
    ["odds with another unit than their hash", { ...LEAF.odds, unit: "JPY" }],
    ["odds with another period than their hash", { ...LEAF.odds, period: 30 }],
    ["a table with another weight than its hash", { ...LEAF.table, prizes: [{ ...LEAF.table.prizes[0]!, weight: 1 }] }],
    ["a table with a prize of another form", { ...LEAF.table, prizes: [{ ...LEAF.table.prizes[0]!, stock: 1 }] }],
    ["an opening that closes after its draw", { ...LEAF.open, closes: 60_000 }],
    ["an opening that closes before it opens", { ...LEAF.open, opens: 50_000 }],
    ["an opening with a rule that names no round", { ...LEAF.open, beacon_rule: `drand:${hashFor("chain")}` }],
    ["an opening with a rule for round 0", { ...LEAF.open, beacon_rule: `drand:${hashFor("chain")}:0` }],
    ["a round that no day has", { ...LEAF.close, round: "20260231-0001" }],
    ["a day that no month has", { ...LEAF.anchor, day: "20260231" }],
    ["a hash in large digits", { ...LEAF.anchor, anchor: LEAF.anchor.anchor.toUpperCase() }],
    ["a gap that ends before it begins", { ...LEAF.gap, to: "20260301-0001" }],
    ["a gap for a reason of its own", { ...LEAF.gap, reason: "luck" }],
    ["skipped draws of two days", { ...LEAF.skipped, to: "20260303-0001" }],
    ["a restore that kept more than there was", { ...LEAF.restore, kept: 10 }],
    ["a restore whose old head is none", { ...LEAF.restore, old: LEAF.restore.old.slice(0, -1) }],
    ["a change of key that the old one did not sign", { ...LEAF.key, old_signature: LEAF.key.next_signature }],
    ["a change of key that the new one did not sign", { ...LEAF.key, next_signature: LEAF.key.old_signature }],
    ["a change of key that names another last batch", { ...LEAF.key, batch: 13 }],
    ["a game whose name has a colon", { ...LEAF.close, game: "k3:1m" }],
    ["a reason of a thousand and one letters", { ...LEAF.pause, reason: "x".repeat(1_001) }],
  ])("is not %s", (_, leaf) => {
    expect(() => leafText(leaf as Leaf)).toThrow(RangeError);
    expect(parseLeaf(canonical(leaf as Plain))).toBe(null);
  });

  it("holds the hash of its odds, which anybody can compute", () => {
    const { hash, ...rest } = LEAF.odds;
    expect(hash).toBe(hexOf(sha256(bytes(canonical(rest)))));
    expect(ownHash(rest, serverHash)).toBe(hash);
  });
});

describe.each(CONTENTS.map((content) => [content.kind, content] as const))("a content of the kind %s", (_, content) => {
  const record = content as unknown as Record<string, Plain>;

  it("is read back from its text, and has all its fields and no others", () => {
    expect(parseContent(contentText(content))).toEqual(content);
    for (const name of Object.keys(record)) {
      const { [name]: _, ...rest } = record;
      expect(parseContent(canonical(rest))).toBe(null);
      expect(parseContent(canonical({ ...record, [name]: -1 }))).toBe(null);
    }
    expect(parseContent(canonical({ ...record, more: 1 }))).toBe(null);
  });

  it("has no time after the year 9999", () => {
    for (const name of timesOf(record)) {
      expect(parseContent(canonical({ ...record, [name]: AFTER_ALL }))).toBe(null);
      expect(parseContent(canonical({ ...record, [name]: AFTER_ALL - 1 }))).not.toBe(null);
    }
  });
});

describe("what concerns one member", () => {
  const [salt, other] = [sha256(bytes("salt")), sha256(bytes("other"))];

  it("is in the log as a hash over its salt and text", () => {
    const text = contentText(CONTENT.bank);
    expect(hexOf(saltedHash(salt, text))).toBe(hexOf(sha256(salt, bytes(text))));
    expect(hashOfContent(salt, CONTENT.bank)).toBe(hexOf(sha256(salt, bytes(text))));
    expect(hashOfContent(other, CONTENT.bank)).not.toBe(hashOfContent(salt, CONTENT.bank));
    for (const wrong of [new Uint8Array(), salt.slice(1), new Uint8Array(33)])
      expect(() => saltedHash(wrong, text)).toThrow(RangeError);
  });

  it("has a kind in the log, and bets and payouts have none", () => {
    const [kinds, others] = [new Set<string>(SALTED_KINDS), ["bet", "payout"]];
    expect(Object.keys(CONTENT).filter((kind) => !kinds.has(kind))).toEqual(others);
    for (const kind of kinds) expect(parseLeaf(canonical({ kind, hash: hashFor(kind) }))).not.toBe(null);
  });

  it("is about one thing in the house's tables", () => {
    expect(contentKey(CONTENT.pair)).toBe("pair:m1:0");
    expect(contentKey(CONTENT.withdrawal)).toBe("withdrawal:w1:review");
    expect(contentKey(CONTENT.bet)).toBe("bet:o1");
    const keys = CONTENTS.map(contentKey);
    expect(new Set(keys).size).toBe(keys.length);
  });

  it("is a chain: the first follows none, every other one the one before", () => {
    const first = CONTENT.bank;
    const hash = hashOfContent(salt, first);
    const next = { ...CONTENT.credit, before: hash };
    expect(follows(next, { number: 1, hash })).toBe(true);
    expect(follows({ ...next, number: 3 }, { number: 1, hash })).toBe(false);
    expect(follows(next, { number: 1, hash: hashFor("another") })).toBe(false);
    expect(follows(first, { number: 0, hash: NO_LEAF_BEFORE })).toBe(true);
    for (const wrong of [
      { ...first, before: hash },
      { ...next, before: NO_LEAF_BEFORE },
      { ...first, number: 0 },
      { ...next, number: 0 },
    ])
      expect(() => contentText(wrong)).toThrow(RangeError);
  });

  it("names a member of a bet by a mark, which is theirs alone", () => {
    expect(markOf(salt, "m1")).toBe(hexOf(sha256(salt, bytes('{"kind":"member","member":"m1"}'))));
    expect(new Set([markOf(salt, "m1"), markOf(salt, "m2"), markOf(other, "m1")]).size).toBe(3);
  });

  it("is a bet on one option, and on as many as a game can have", () => {
    const bet = (count: number) => ({ ...CONTENT.bet, options: Array.from({ length: count }, (_, i) => `o${i}`) });
    const counts = [1, 63, 64].map((count) => parseContent(canonical(bet(count))) !== null);
    expect(counts).toEqual([true, true, false]);
  });

  it("is no bet without options, or with one twice", () => {
    for (const options of [[], ["10", "10"]]) {
      expect(() => contentText({ ...CONTENT.bet, options })).toThrow(RangeError);
      expect(parseContent(canonical({ ...CONTENT.bet, options }))).toBe(null);
    }
  });
});

describe("what a leaf may hold at most", () => {
  const roundTrip = (leaf: unknown) => parseLeaf(canonical(leaf as Plain)) !== null;

  it("is a text of 1,000 letters, and not one more", () => {
    expect(roundTrip({ ...LEAF.pause, reason: "x".repeat(1_000) })).toBe(true);
    expect(roundTrip({ ...LEAF.pause, reason: "x".repeat(1_001) })).toBe(false);
    expect(roundTrip({ ...LEAF.pause, reason: { "zh-tw": "x".repeat(1_001) } })).toBe(false);
  });

  it("is a reason in each language of the site", () => {
    expect(roundTrip({ ...LEAF.pause, reason: { en_us: "new dice", "zh-tw": "新骰子" } })).toBe(true);
    expect(roundTrip({ ...LEAF.pause, reason: { xx: "new dice" } })).toBe(false);
    expect(roundTrip({ ...LEAF.pause, reason: { en_us: 7 } })).toBe(false);
  });

  it("is 64 dice, 512 rates and 256 prizes", () => {
    const dice = (count: number) => roundTrip({ ...LEAF.draw, dice: Array<number>(count).fill(1) });
    expect([dice(64), dice(65)]).toEqual([true, false]);
    const { hash: _, ...odds } = LEAF.odds;
    const rates = (count: number) => {
      const many = { ...odds, rates: Array<number>(count).fill(1) };
      return roundTrip({ ...many, hash: ownHash(many) });
    };
    expect([rates(512), rates(513)]).toEqual([true, false]);
    const { hash: __, ...table } = LEAF.table;
    const prizes = (count: number) => {
      const many = { ...table, prizes: Array<(typeof table.prizes)[0]>(count).fill(table.prizes[0]!) };
      return roundTrip({ ...many, hash: ownHash(many) });
    };
    expect([prizes(256), prizes(257)]).toEqual([true, false]);
  });

  it("is the last millisecond of the year 9999", () => {
    expect([AFTER_ALL - 1, AFTER_ALL].map((time) => roundTrip({ ...LEAF.time, time }))).toEqual([true, false]);
  });

  it("is a gap of one round, one skipped draw, and a restore that kept everything", () => {
    expect(roundTrip({ ...LEAF.gap, to: LEAF.gap.from })).toBe(true);
    expect(roundTrip({ ...LEAF.skipped, to: LEAF.skipped.from })).toBe(true);
    expect(roundTrip({ ...LEAF.skipped, to: "20260302-0000" })).toBe(false);
    expect(roundTrip({ ...LEAF.restore, kept: 9 })).toBe(true);
  });

  it("is bytes of a beacon in pairs of small digits", () => {
    const beacon = (text: string) => roundTrip({ ...LEAF.draw, beacon: text });
    expect(["", "ab", "ab".repeat(512), "a", "AB", "ab".repeat(513)].map(beacon)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  it("is no null, list or number in the place of a prize", () => {
    for (const wrong of [7, [], "cap"]) {
      const { hash: _, ...table } = { ...LEAF.table, prizes: [wrong] };
      expect(roundTrip({ ...table, hash: ownHash(table as never) })).toBe(false);
    }
    for (const text of ["7", '"open"', "[]", "{}"]) expect(parseLeaf(text)).toBe(null);
  });
});

describe("a change of key", () => {
  it("is none between texts that are no keys, whatever stands beside them", () => {
    for (const spoiled of [
      { ...LEAF.key, old: "no key" },
      { ...LEAF.key, next: "no key" },
      { ...LEAF.key, old_signature: "no base64" },
      { ...LEAF.key, next_signature: "no base64" },
    ])
      expect(parseLeaf(canonical(spoiled))).toBe(null);
  });

  it("names keys that sign notes", () => {
    const cosigner = signerOf("house.example/log", 4);
    expect(parseLeaf(canonical({ ...LEAF.key, next: `${cosigner.key.name}+00000000+AAAA` }))).toBe(null);
  });
});
