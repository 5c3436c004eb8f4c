import { describe, expect, it } from "vitest";
import { headAddress, parseHeadAddress } from "#shared/log/address.ts";
import { checkpointText, parseCheckpoint, type Checkpoint } from "#shared/log/checkpoint.ts";
import { noteText, noteVerifier, signersOf, signNote } from "#shared/log/note.ts";
import { wordOf, wordsOf } from "#shared/log/words.ts";
import { base64Of, bytes, headNote, hexOf, sha256, signerOf } from "./world.ts";

const house = signerOf("house.example/log");
const head: Checkpoint = { origin: house.key.name, size: 5, root: sha256(bytes("root")), extensions: [] };

describe("the words of a head", () => {
  it("spell 192 bits of the hash of its text", () => {
    const words = wordsOf(head);
    expect(words).toHaveLength(12);
    const bits = words.map((word) => {
      const [a, b, c, d, e] = word;
      const places = [16, 4, 16, 4, 16].map((_, i) =>
        (i % 2 ? "aiou" : "bdfghjklmnprstvz").indexOf([a, b, c, d, e][i]!),
      );
      return places
        .reduce((sum, place, i) => sum * (i % 2 ? 4 : 16) + place, 0)
        .toString(16)
        .padStart(4, "0");
    });
    expect(bits.join("")).toBe(hexOf(sha256(bytes(checkpointText(head)))).slice(0, 48));
  });

  it("are others for another size, root or origin, and the same whoever signed", () => {
    const others = [
      { ...head, size: 6 },
      { ...head, root: sha256(bytes("other")) },
      { ...head, origin: "other" },
    ];
    expect(new Set([head, ...others].map((one) => wordsOf(one).join(" "))).size).toBe(4);
    const signed = signNote(headNote(head, house), signerOf("witness.example/w"));
    expect(wordsOf(parseCheckpoint(signed.text)!)).toEqual(wordsOf(head));
  });

  it("are proquints: 127.0.0.1 is lusab-babad, as the paper prints it", () => {
    expect([0x7f00, 0x0001].map(wordOf)).toEqual(["lusab", "babad"]);
    expect([0x0000, 0xffff].map(wordOf)).toEqual(["babab", "zuzuz"]);
  });
});

describe("the address of a head", () => {
  const note = signNote(headNote(head, house), signerOf("witness.example/w"));
  const address = headAddress("https://house.example/check?lang=vi", note, house.key)!;

  it("carries the head and the log's own signature, where no server sees it", () => {
    expect(new URL(address).search).toBe("?lang=vi");
    expect(address.split("#")[0]).toBe("https://house.example/check?lang=vi");
    const read = parseHeadAddress(address)!;
    expect(read).toEqual({ text: note.text, signatures: note.signatures.slice(0, 1) });
    expect(signersOf(read, [noteVerifier(house.key)])).toEqual([house.key]);
    expect(address.length).toBeLessThan(400);
  });

  it("is not made without the log's signature, or of another text", () => {
    expect(() => headAddress("https://house.example/", note, signerOf("other").key)).toThrow(RangeError);
    const other = signNote({ text: "no head\n", signatures: [] }, house);
    expect(() => headAddress("https://house.example/", other, house.key)).toThrow(RangeError);
  });

  it("takes one signature of the log's own key, whoever else signed under its name or id", () => {
    const twin = signerOf(house.key.name, undefined, "twin");
    const [own] = headNote(head, house).signatures;
    const others = [{ ...own!, keyId: twin.key.id }, { ...own!, name: "other" }, own!, own!];
    const made = headAddress("https://house.example/", { text: note.text, signatures: others }, house.key)!;
    expect(parseHeadAddress(made)!.signatures).toEqual([own]);
  });

  it("has at most 1,200 letters", () => {
    const base = headAddress("https://house.example/", note, house.key)!.length;
    const page = (more: number) => `https://house.example/${"x".repeat(1_200 - base + more)}`;
    const longest = headAddress(page(0), note, house.key)!;
    expect(longest).toHaveLength(1_200);
    expect(parseHeadAddress(longest)).not.toBe(null);
    expect(headAddress(page(1), note, house.key)).toBeNull();
    expect(parseHeadAddress(longest.replace("/#", "/x#").replace("/x", "/xx"))).toBe(null);
  });

  const fragment = (text: string | Uint8Array) =>
    `https://house.example/#head=${Buffer.from(text).toString("base64url")}`;
  it.each([
    ["no fragment", "https://house.example/check"],
    ["another fragment", address.replace("#head=", "#foot=")],
    ["nothing in it", "https://house.example/#head="],
    ["padding", `${address}=`],
    ["another fragment after it", `${address}#x`],
    ["a letter less", address.slice(0, -1)],
    ["a note that is no head", fragment(noteText(signNote({ text: "no head\n", signatures: [] }, house)))],
    ["a head without a signature", fragment(note.text)],
    ["no UTF-8", fragment(Buffer.concat([Buffer.from(noteText(note)), Buffer.of(255)]))],
    ["the other base64", `https://house.example/#head=${base64Of(bytes(noteText(note)))}`],
    ["far too many letters", `https://house.example/#head=${"A".repeat(2_000)}`],
  ])("with %s is none", (_, spoiled) => {
    expect(parseHeadAddress(spoiled)).toBe(null);
  });
});
