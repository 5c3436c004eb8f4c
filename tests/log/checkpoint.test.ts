import { describe, expect, it } from "vitest";
import { checkpointText, isFirstKey, originOf, parseCheckpoint } from "#shared/log/checkpoint.ts";
import { COSIGNATURE_KEY, keyText, noteText, noteVerifier, parseNote, signersOf } from "#shared/log/note.ts";
import type { Signature, Signer } from "#shared/log/note.ts";
import { addCheckpointText, conflictText, cosign, cosignatureVerifier, cosignedAt } from "#shared/log/cosignature.ts";
import { cosignersOf, otherSigners, parseAddCheckpoint, parseConflict } from "#shared/log/cosignature.ts";
import { base64Of, bytes, headNote, hexOf, sha256, signerOf } from "./world.ts";

/** What C2SP's tlog-checkpoint and tlog-witness print. */
const PRINTED = {
  text: "example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n",
  signature:
    "\u2014 example.com/behind-the-sofa Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n",
  second:
    "\u2014 example.com/behind-the-sofa opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=\n",
  cosignature:
    "\u2014 witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZqhf5nNo0xUe+mbIUBkBIfZ+qnA==\n",
  path: [
    "PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=",
    "jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=",
    "5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=",
    "/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=",
  ],
};
const printedBody = `old 20852014\n${PRINTED.path.join("\n")}\n\n${PRINTED.text}\n${PRINTED.signature}${PRINTED.second}`;

const house = signerOf("house.example/log");
const head = { size: 5, root: sha256(bytes("root")) };
const text = checkpointText({ ...head, origin: house.key.name, extensions: [] });

describe("a checkpoint", () => {
  it("is read and written as the specification prints it", () => {
    const printed = parseCheckpoint(PRINTED.text)!;
    expect([printed.origin, printed.size]).toEqual(["example.com/behind-the-sofa", 20_852_163]);
    expect(hexOf(printed.root)).toBe("0ac5186a91863e8e1d90c808014aa89bf5da8e3ee1d9f07630f0378f68f1ab62");
    expect(checkpointText(printed)).toBe(PRINTED.text);
  });

  it("keeps further lines, which are signed too", () => {
    const longer = `${text}one\n two\n`;
    expect(parseCheckpoint(longer)!.extensions).toEqual(["one", " two"]);
    expect(checkpointText(parseCheckpoint(longer)!)).toBe(longer);
  });

  it("may have no leaves", () => {
    const none = text.replace("\n5\n", "\n0\n");
    expect(parseCheckpoint(none)!.size).toBe(0);
  });

  it.each([
    ["a leading zero", text.replace("\n5\n", "\n05\n")],
    ["a plus", text.replace("\n5\n", "\n+5\n")],
    ["a minus", text.replace("\n5\n", "\n-5\n")],
    ["a space before the size", text.replace("\n5\n", "\n 5\n")],
    ["a fraction", text.replace("\n5\n", "\n5.0\n")],
    ["an exponent", text.replace("\n5\n", "\n5e1\n")],
    ["another alphabet's digit", text.replace("\n5\n", "\n\u0665\n")],
    ["a size that cannot be counted", text.replace("\n5\n", "\n9007199254740992\n")],
    ["no size", text.replace("\n5\n", "\n\n")],
    ["no origin", text.slice(text.indexOf("\n"))],
    ["no newline at its end", text.slice(0, -1)],
    ["an empty line at its end", `${text}\n`],
    ["an empty line and another", `${text}\nmore\n`],
    ["no padding", text.replace("=\n", "\n")],
    ["a short root", text.replace(/\n[^\n]+\n$/, `\n${base64Of(head.root.slice(1))}\n`)],
    ["a long root", text.replace(/\n[^\n]+\n$/, `\n${base64Of(new Uint8Array(33))}\n`)],
    ["a root in hex", text.replace(/\n[^\n]+\n$/, `\n${hexOf(head.root)}\n`)],
    ["a space after the root", text.replace("=\n", "= \n")],
    ["a carriage return", text.replaceAll("\n", "\r\n")],
    ["two lines", text.split("\n").slice(0, 2).join("\n")],
    ["one line alone", "house.example/log\n"],
    ["two lines alone", "house.example/log\n5\n"],
    ["nothing", ""],
  ])("with %s is none", (_, spoiled) => {
    expect(spoiled).not.toBe(text);
    expect(parseCheckpoint(spoiled)).toBe(null);
  });

  it("is not written with an origin, size or root that cannot be read back", () => {
    const good = { ...head, origin: "a", extensions: [] };
    for (const wrong of [
      { origin: "" },
      { origin: "a\nb" },
      { size: -1 },
      { size: 0.5 },
      { root: bytes("short") },
      { extensions: [""] },
    ])
      expect(() => checkpointText({ ...good, ...wrong })).toThrow(RangeError);
  });
});

describe("an origin", () => {
  it("names the hash of its first key, and no other key's", () => {
    const origin = originOf("house.example", house.key.publicKey);
    expect(origin).toBe(`house.example/${hexOf(sha256(house.key.publicKey))}`);
    expect(isFirstKey(origin, house.key.publicKey)).toBe(true);
    expect(isFirstKey(origin, signerOf("other").key.publicKey)).toBe(false);
    expect(isFirstKey("house.example", house.key.publicKey)).toBe(false);
  });
});

describe("a cosignature", () => {
  const witness = signerOf("witness.example/w", COSIGNATURE_KEY);
  const verifier = cosignatureVerifier(witness.key);
  const note = headNote(head, house);
  const cosigned = (time: number, from = note) => ({
    ...from,
    signatures: [...from.signatures, cosign(from.text, time, witness)],
  });

  it("is read as the specification prints it, with its time", () => {
    const printed = parseNote(`${PRINTED.text}\n${PRINTED.signature}${PRINTED.cosignature}`)!;
    const [, own] = printed.signatures;
    expect([own!.name, own!.keyId.toString(16), own!.bytes.length]).toEqual(["witness.example.com/w1", "8d66cf3f", 72]);
    // The key was not printed, so only the time in it can be read.
    const anyone = { key: { ...witness.key, name: own!.name, id: own!.keyId }, verify: () => true };
    expect(cosignedAt(printed, anyone)).toBe(1_679_315_147);
  });

  it("signs the lines that the specification names", () => {
    const lines = `cosignature/v1\ntime 1679315147\n${PRINTED.text}`;
    const { bytes: signature } = cosign(PRINTED.text, 1_679_315_147, witness);
    expect(hexOf(signature)).toBe(`00000000641850cb${hexOf(witness.sign(bytes(lines)))}`);
  });

  it("has a key whose id is a hash of name, type 4 and key", () => {
    const { name, publicKey, id } = witness.key;
    const hashed = sha256(bytes(`${name}\n`), Uint8Array.of(4), publicKey);
    expect(id.toString(16).padStart(8, "0")).toBe(hexOf(hashed.slice(0, 4)));
    expect(base64Of(new Uint8Array([4, ...publicKey]))).toBe(keyText(witness.key).split("+").slice(2).join("+"));
  });

  it("counts only under its own name and id", () => {
    const [, own] = cosigned(7).signatures;
    for (const other of [
      { ...own!, name: "other" },
      { ...own!, keyId: 1 },
      { ...own!, bytes: own!.bytes.with(9, 1) },
    ])
      expect(cosignedAt({ ...note, signatures: [other] }, verifier)).toBe(null);
    expect(cosignedAt(cosigned(1), verifier)).toBe(1);
  });

  it("has another id than a note's key of the same name, and is ignored by whoever does not know it", () => {
    const key = signerOf("witness.example/w").key;
    expect(witness.key.id).not.toBe(key.id);
    expect(signersOf(cosigned(7), [noteVerifier(house.key)])).toEqual([house.key]);
    expect(signersOf(cosigned(7), [noteVerifier(house.key), verifier])).toEqual([house.key, witness.key]);
    expect(cosignedAt(cosigned(7), verifier)).toBe(7);
    expect(cosignedAt(note, verifier)).toBe(null);
    expect(cosignedAt(cosigned(9, cosigned(7)), verifier)).toBe(9);
    expect(cosignedAt(cosigned(7, cosigned(9)), verifier)).toBe(9);
  });

  it("is refused for another time, another head, as a plain signature, or cut off", () => {
    const [, own] = cosigned(7).signatures;
    const otherHead = headNote({ ...head, size: 6 }, house).text;
    const spoiled = [
      own!.bytes.with(7, 8),
      own!.bytes.with(40, own!.bytes[40]! ^ 1),
      own!.bytes.slice(8),
      own!.bytes.slice(0, -1),
    ];
    for (const one of spoiled) expect(verifier.verify(note.text, one)).toBe(false);
    expect(verifier.verify(otherHead, own!.bytes)).toBe(false);
    expect(verifier.verify(note.text, own!.bytes)).toBe(true);
    const plain = cosignatureVerifier({ ...witness.key, type: house.key.type });
    expect(plain.verify(note.text, own!.bytes)).toBe(false);
  });

  it("never signs without a time, or with a key that signs notes", () => {
    const afterAll = Date.UTC(10_000, 0, 1) / 1_000;
    for (const time of [0, -1, 1.5, Number.NaN, afterAll])
      expect(() => cosign(note.text, time, witness)).toThrow(RangeError);
    expect(() => cosign(note.text, 7, house)).toThrow(RangeError);
    const zero = new Uint8Array([...new Uint8Array(8), ...witness.sign(bytes(`cosignature/v1\ntime 0\n${note.text}`))]);
    expect(verifier.verify(note.text, zero)).toBe(false);
    for (const [time, isTime] of [
      [2 ** 53, false],
      [afterAll, false],
      [afterAll - 1, true],
    ] as const) {
      const seconds = new DataView(new ArrayBuffer(8));
      seconds.setBigUint64(0, BigInt(time));
      const late = witness.sign(bytes(`cosignature/v1\ntime ${time}\n${note.text}`));
      expect(verifier.verify(note.text, new Uint8Array([...new Uint8Array(seconds.buffer), ...late]))).toBe(isTime);
    }
  });
});

describe("the lines under a head beside its log's", () => {
  const [one, two] = ["one.example/w", "two.example/w"].map((name) => signerOf(name, COSIGNATURE_KEY)) as [
    Signer,
    Signer,
  ];
  const note = headNote(head, house);
  const under = (...lines: Signature[]) => ({ ...note, signatures: [...note.signatures, ...lines] });
  const others = (known: Signer[], ...lines: Signature[]) =>
    otherSigners(
      under(...lines),
      house.key,
      known.map(({ key }) => key),
    );
  const [byOne, byTwo] = [cosign(note.text, 7, one), cosign(note.text, 9, two)];

  it("are told with their times where the reader knows the keys", () => {
    expect(others([one, two])).toEqual([]);
    expect(others([one], byOne, byTwo)).toEqual([
      { name: "one.example/w", at: 7_000, isFalse: false },
      { name: "two.example/w", at: null, isFalse: false },
    ]);
    expect(cosignersOf(under(byOne), [one.key, two.key])).toEqual([{ name: "one.example/w", at: 7_000 }]);
  });

  it("are false where a key that the reader knows did not make them", () => {
    const forged = { ...byOne, bytes: byTwo.bytes };
    expect(others([one, two], forged)).toEqual([{ name: "one.example/w", at: null, isFalse: true }]);
    expect(cosignersOf(under(forged), [one.key])).toEqual([]);
  });

  it("are unknown under another key of a known name, or another name with a known key's number", () => {
    for (const line of [
      { ...byOne, keyId: byTwo.keyId },
      { ...byOne, name: "three.example/w" },
    ])
      expect(others([one, two], line)).toEqual([{ name: line.name, at: null, isFalse: false }]);
  });

  it("are told once a name, with a time if one of them has it", () => {
    const unknown = { ...byOne, keyId: 1 };
    const told = [{ name: "one.example/w", at: 7_000, isFalse: false }];
    expect(others([one], byOne, unknown)).toEqual(told);
    expect(others([one], unknown, byOne)).toEqual(told);
    expect(others([one], byOne, cosign(note.text, 8, one))).toEqual([{ ...told[0], at: 8_000 }]);
  });

  it("may have the log's name, or the number of its key, and are not its own for that", () => {
    const [own] = note.signatures;
    for (const line of [
      { ...own!, keyId: 1 },
      { ...own!, name: "other" },
    ])
      expect(others([], line)).toEqual([{ name: line.name, at: null, isFalse: false }]);
  });
});

describe("what a log asks of a witness", () => {
  const asked = { older: 3, path: [sha256(bytes("a")), sha256(bytes("b"))], head: headNote(head, house) };
  const body = addCheckpointText(asked);

  it("is read and written as the specification prints it", () => {
    const printed = parseAddCheckpoint(printedBody)!;
    expect([printed.older, printed.path.map(base64Of)]).toEqual([20_852_014, PRINTED.path]);
    expect(printed.head.text).toBe(PRINTED.text);
    expect(printed.head.signatures).toHaveLength(2);
    expect(addCheckpointText(printed)).toBe(printedBody);
  });

  it("may hold no proof", () => {
    const first = addCheckpointText({ ...asked, older: 0, path: [] });
    expect(first.startsWith("old 0\n\nhouse.example/log\n")).toBe(true);
    expect(parseAddCheckpoint(first)).toEqual({ ...asked, older: 0, path: [] });
    expect(parseAddCheckpoint(body)).toEqual(asked);
  });

  it("holds at most 63 hashes", () => {
    const path = Array.from({ length: 64 }, () => head.root);
    expect(() => addCheckpointText({ ...asked, path })).toThrow(RangeError);
    const most = addCheckpointText({ ...asked, path: path.slice(1) });
    expect(parseAddCheckpoint(most)!.path).toHaveLength(63);
    expect(parseAddCheckpoint(most.replace("\n", `\n${base64Of(head.root)}\n`))).toBe(null);
  });

  it.each([
    ["no old size", body.slice(body.indexOf("\n") + 1)],
    ["a large O", body.replace("old", "Old")],
    ["two spaces", body.replace("old ", "old  ")],
    ["a leading zero", body.replace("old 3", "old 03")],
    ["a minus", body.replace("old 3", "old -3")],
    ["no empty line", body.replace("\n\n", "\n")],
    ["another empty line", body.replace("\n\n", "\n\n\n")],
    ["a hash without padding", body.replace("=\n", "\n")],
    ["half a hash", body.replace(base64Of(asked.path[0]!), base64Of(asked.path[0]!.slice(16)))],
    ["no signature", body.slice(0, body.indexOf("\u2014"))],
    ["no newline at its end", body.slice(0, -1)],
    ["nothing", ""],
  ])("with %s is nothing", (_, spoiled) => {
    expect(spoiled).not.toBe(body);
    // One more empty line is no error of the first lines but of the head, which has an empty origin then.
    const read = parseAddCheckpoint(spoiled);
    expect(read && parseCheckpoint(read.head.text)).toBe(null);
  });

  it("is answered with the size that the witness knows", () => {
    expect(conflictText(20_852_014)).toBe("20852014\n");
    expect(parseConflict("20852014\n")).toBe(20_852_014);
    for (const spoiled of ["", "\n", "1", "01\n", " 1\n", "1 \n", "1\n\n", "-1\n", "1.0\n", "9007199254740992\n"])
      expect(parseConflict(spoiled)).toBe(null);
  });

  it("takes signatures as they stand, whoever made them", () => {
    expect(noteText(parseAddCheckpoint(body)!.head)).toBe(noteText(asked.head));
  });
});
