import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSigned } from "#shared/log/ed25519.ts";
import { COSIGNATURE_KEY, keyOf, keyText, noteText, noteVerifier, parseKey, parseNote } from "#shared/log/note.ts";
import { parseSignatures, signersOf, signNote } from "#shared/log/note.ts";
import { bytes, hexOf, signerOf } from "./world.ts";

/** What C2SP's signed-note prints. */
const PRINTED = {
  key: "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k",
  note: `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`,
  poem: `Ognuno sta solo sul cuor della terra
trafitto da un raggio di sole:

ed è subito sera.

— quasimodo.example/salvatore NnugSzTjtVAewIS+Z/iJhUPeFDkO/5QQ2i5ddnGITLlC+EhfLW9oJKONrMouFSQU0xMcXxj99ihAQwaqP3ZekRwNtIc=
`,
};

const house = signerOf("house.example/log");
const witness = signerOf("witness.example/w");
const known = [noteVerifier(house.key)];
const signed = signNote({ text: "a text\n\nwith a gap\n", signatures: [] }, house);
const written = noteText(signed);
const names = (note: string, verifiers = known) => {
  const parsed = parseNote(note);
  return parsed && (signersOf(parsed, verifiers)?.map(({ name }) => name) ?? null);
};

describe("the notes that the specification prints", () => {
  it("are read, written and verified", () => {
    const key = parseKey(PRINTED.key)!;
    expect([key.name, key.id.toString(16), keyText(key)]).toEqual(["example.com/foo", "530d903a", PRINTED.key]);
    expect(names(PRINTED.note, [noteVerifier(key)])).toEqual(["example.com/foo"]);
    for (const note of [PRINTED.note, PRINTED.poem]) expect(noteText(parseNote(note)!)).toBe(note);
    expect(parseNote(PRINTED.poem)!.text).toMatch(/^Ognuno.*:\n\ned è subito sera\.\n$/s);
  });

  it("are refused when a letter of the text is another", () => {
    expect(names(PRINTED.note.replace("message", "massage"), [noteVerifier(parseKey(PRINTED.key)!)])).toBe(null);
  });
});

describe("a note", () => {
  it("is signed by whom it says", () => {
    expect(names(written)).toEqual(["house.example/log"]);
    expect(parseNote(written)).toEqual({ ...signed, signatures: signed.signatures });
  });

  it("keeps the signatures of unknown keys, and believes nothing for them", () => {
    const both = noteText(signNote(signed, witness));
    expect(parseNote(both)!.signatures.map(({ name }) => name)).toEqual([house.key.name, witness.key.name]);
    expect(names(both)).toEqual([house.key.name]);
    expect(names(both, [noteVerifier(witness.key), ...known])).toEqual([witness.key.name, house.key.name]);
    expect(names(noteText(signNote({ ...signed, signatures: [] }, witness)))).toBe(null);
  });

  it("is refused for one wrong signature of a known key, beside a right one too", () => {
    const wrong = { ...signed.signatures[0]!, bytes: signed.signatures[0]!.bytes.with(9, 0) };
    expect(names(noteText({ ...signed, signatures: [wrong] }))).toBe(null);
    expect(names(noteText({ ...signed, signatures: [...signed.signatures, wrong] }))).toBe(null);
  });

  it("is not signed by another key of the same name, or the same id", () => {
    const other = signerOf(house.key.name, undefined, "another word");
    expect(names(noteText(signNote({ ...signed, signatures: [] }, other)))).toBe(null);
    const renamed = { ...signed.signatures[0]!, name: "house.example/other" };
    expect(names(noteText({ ...signed, signatures: [renamed] }))).toBe(null);
  });

  it("is refused whichever bit is flipped", () => {
    const raw = bytes(written);
    fc.assert(
      fc.property(fc.nat(raw.length - 1), fc.nat(7), (at, bit) => {
        const text = new TextDecoder().decode(raw.with(at, raw[at]! ^ (1 << bit)));
        expect(names(text)).toBe(null);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ["no signature", "text\n\n"],
    ["no empty line", written.replace("\n\n— ", "\n— ")],
    ["no newline at its end", written.slice(0, -1)],
    ["an empty line at its end", `${written}\n`],
    ["two spaces", written.replace("log ", "log  ")],
    ["a space at a line's end", `${written.slice(0, -1)} \n`],
    ["a carriage return", written.replaceAll("\n", "\r\n")],
    ["a tab in the text", written.replace("a text", "a\ttext")],
    ["a zero byte", written.replace("a text", "a\0text")],
    ["half of a surrogate pair", written.replace("a text", "a\ud800text")],
    ["a hyphen for the dash", written.replace("\u2014", "-")],
    ["no padding", written.replace(/=\n$/, "\n")],
    ["more padding", written.replace(/=\n$/, "==\n")],
    ["letters of the other base64", written.replace(/ ([A-Za-z0-9]+)[+/]/, " $1_")],
    [
      "bits that no byte holds",
      written.replace(/(.)=\n$/, (_, last: string) => `${String.fromCharCode(last.charCodeAt(0) + 1)}=\n`),
    ],
    ["no name", written.replace("\u2014 house.example/log", "\u2014 ")],
    ["a plus in a name", written.replace("house.example/log ", "house+log ")],
    ["a wide space in a name", written.replace("house.example/log ", "house\u3000log ")],
    ["a key's id and no signature", "text\n\n\u2014 a AAAAAA==\n"],
    ["more than a hundred signatures", noteText({ ...signed, signatures: Array(101).fill(signed.signatures[0]!) })],
    ["too long a text", `${"x".repeat(140_000)}\n${written.slice(written.indexOf("\n\n"))}`],
  ])("with %s is none", (_, note) => {
    expect(note).not.toBe(written);
    expect(parseNote(note)).toBe(null);
  });

  it("may be as long as 131,072 letters", () => {
    const line = written.slice(written.indexOf("\n\n"));
    const longest = `${"x".repeat(131_072 - line.length)}${line}`;
    expect(parseNote(longest)).not.toBe(null);
    expect(parseNote(`x${longest}`)).toBe(null);
  });

  it("may be an empty line, and needs the empty line after its text", () => {
    const empty = noteText(signNote({ text: "\n", signatures: [] }, house));
    expect(parseNote(empty)!.text).toBe("\n");
    expect(names(empty)).toEqual([house.key.name]);
    const line = empty.slice(2);
    for (const bare of [line, `x${line}`, `\n${line}`, `x\n${line}`]) expect(parseNote(bare)).toBe(null);
  });

  it("may have a hundred signatures", () => {
    const note = noteText({ ...signed, signatures: Array(100).fill(signed.signatures[0]!) });
    expect(parseNote(note)!.signatures).toHaveLength(100);
  });

  it("is not made of a text that cannot be read back", () => {
    for (const text of ["no newline", "a\tb\n", "a\rb\n", "\ud800\n", ""])
      expect(() => signNote({ text, signatures: [] }, house)).toThrow(RangeError);
  });

  it("is not signed with the key of a witness, and not verified by it", () => {
    const cosigner = signerOf("witness.example/w", COSIGNATURE_KEY);
    expect(() => signNote(signed, cosigner)).toThrow(RangeError);
    const forged = { name: cosigner.key.name, keyId: cosigner.key.id, bytes: witness.sign(bytes(signed.text)) };
    expect(names(noteText({ ...signed, signatures: [forged] }), [noteVerifier(cosigner.key)])).toBe(null);
  });
});

describe("lines of signatures", () => {
  it("are read as they stand in a note", () => {
    const lines = noteText(signNote(signed, witness)).slice(signed.text.length + 1);
    expect(parseSignatures(lines)).toEqual(signNote(signed, witness).signatures);
    for (const control of ["\t", "\0", "\r", "\u001f"])
      expect(parseSignatures(lines.replace("house", `ho${control}use`))).toBe(null);
    const long = `\u2014 ${"x".repeat(131_072)} AAAAAAA=\n`;
    expect(parseSignatures(long)).toBe(null);
    expect(parseSignatures(long.replace("x".repeat(50), ""))).toHaveLength(1);
    for (const spoiled of [
      "",
      "\n",
      lines.slice(0, -1),
      `${lines}\n`,
      lines.replace("\n", "\n\n"),
      lines.replace("\n", "\nx"),
    ])
      expect(parseSignatures(spoiled)).toBe(null);
  });
});

describe("a key's text", () => {
  const text = keyText(house.key);

  it("is read back, of both types", () => {
    for (const key of [house.key, signerOf("w", COSIGNATURE_KEY).key]) expect(parseKey(keyText(key))).toEqual(key);
  });

  it.each([
    ["another id", text.replace(/\+([0-9a-f])/, (_, digit: string) => `+${digit === "0" ? "1" : "0"}`)],
    ["another name", text.replace("house", "horse")],
    ["another key", text.replace(/.$/, (last) => (last === "A" ? "B" : "A"))],
    ["large hex digits", text.replace(/\+[0-9a-f]{8}\+/, (id) => id.toUpperCase())],
    ["a space", `${text} `],
    ["a newline", `${text}\n`],
    ["no padding where there is none to be", `${text}=`],
    ["a part more", `${text}+AAAA`],
    ["no name", text.slice(text.indexOf("+"))],
    ["nothing", ""],
  ])("with %s is none", (_, spoiled) => {
    expect(spoiled).not.toBe(text);
    expect(parseKey(spoiled)).toBe(null);
  });

  it("of an unknown type, or another length, is none", () => {
    const { name, publicKey } = house.key;
    const textOf = (type: number, key: Uint8Array) =>
      keyText({ ...keyOf(name, publicKey), type: type as 1, publicKey: key });
    expect(parseKey(textOf(2, publicKey))).toBe(null);
    expect(parseKey(textOf(1, publicKey.slice(1)))).toBe(null);
    expect(() => keyOf(name, publicKey.slice(1))).toThrow(RangeError);
    for (const wrong of ["", "a b", "a+b", "a\u00a0b", "a\0b", "a\u0085b"])
      expect(() => keyOf(wrong, publicKey)).toThrow(RangeError);
  });
});

describe("a signature", () => {
  it("is that of RFC 8032: its first and second test", () => {
    const hex = (text: string) => new Uint8Array(Buffer.from(text, "hex"));
    const first = hex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a");
    const none =
      "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b";
    expect(isSigned(new Uint8Array(), hex(none), first)).toBe(true);
    const second = hex("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
    const one =
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";
    expect(isSigned(Uint8Array.of(0x72), hex(one), second)).toBe(true);
    expect(isSigned(Uint8Array.of(0x73), hex(one), second)).toBe(false);
    expect(isSigned(Uint8Array.of(0x72), hex(one), first)).toBe(false);
  });

  it("has one spelling: its second half is below the order of the group", () => {
    const message = bytes("message");
    const signature = house.sign(message);
    const order = 2n ** 252n + 27742317777372353535851937790883648493n;
    const half = BigInt(`0x${hexOf(signature.slice(32).reverse())}`) + order;
    const other = Buffer.from(half.toString(16).padStart(64, "0"), "hex").reverse();
    expect(isSigned(message, signature, house.key.publicKey)).toBe(true);
    expect(isSigned(message, new Uint8Array([...signature.slice(0, 32), ...other]), house.key.publicKey)).toBe(false);
  });

  it("by a key that signs everything is refused", () => {
    const identity = new Uint8Array(32).with(0, 1);
    const anything = new Uint8Array(64).with(0, 1);
    expect(isSigned(bytes("one"), anything, identity)).toBe(false);
    expect(isSigned(bytes("other"), anything, identity)).toBe(false);
  });

  it("of another length is refused", () => {
    const signature = house.sign(bytes("m"));
    for (const spoiled of [signature.slice(1), new Uint8Array([...signature, 0]), new Uint8Array()])
      expect(isSigned(bytes("m"), spoiled, house.key.publicKey)).toBe(false);
    expect(isSigned(bytes("m"), signature, house.key.publicKey.slice(1))).toBe(false);
  });
});
