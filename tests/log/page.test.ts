import { describe, expect, it } from "vitest";
import { parseCheckpoint } from "#shared/log/checkpoint.ts";
import { parseLeaf } from "#shared/log/leaf.ts";
import { noteVerifier, parseKey, parseNote, signersOf } from "#shared/log/note.ts";
import { batchFaults, parseReceipt } from "#shared/log/receipt.ts";
import { contentText, SALTED_KINDS } from "#shared/log/salted.ts";
import { isIncluded } from "#shared/log/tree.ts";
import { wordsOf } from "#shared/log/words.ts";
import { leafHash } from "#shared/merkle.ts";
import { fencesOf, pageAt, tableBelow } from "../support/pages.ts";
import { CONTENT, LEAF } from "./leaves.ts";
import { bytes } from "./world.ts";

const PAGE = "docs/log.md";
const fences = fencesOf(pageAt(PAGE));
const fence = (about: string) => fences.find((one) => one.about === about)!.text;
const key = parseKey(fence("key").trim())!;
const note = parseNote(fence("head"))!;

describe("the page about the log", () => {
  it("shows a head that its key signed, and its twelve words", () => {
    expect(signersOf(note, [noteVerifier(key)])).toEqual([key]);
    expect(fence("words").trim().split(/\s+/)).toEqual(wordsOf(parseCheckpoint(note.text)!));
  });

  it("shows two leaves that are in that head", () => {
    const head = parseCheckpoint(note.text)!;
    const texts = fence("leaves").trim().split("\n");
    expect(texts).toHaveLength(head.size);
    expect(texts.map(parseLeaf).every((leaf) => leaf !== null)).toBe(true);
    const [first, second] = texts.map((text) => leafHash(bytes(text)));
    expect(isIncluded(first!, 0, head, [second!])).toBe(true);
    expect(isIncluded(second!, 1, head, [first!])).toBe(true);
  });

  it("shows a receipt that its key signed, and the bet in it", () => {
    const receipt = parseReceipt(fence("receipt").replaceAll("\n", ""))!;
    expect(batchFaults(receipt, key)).toEqual([]);
    expect(contentText(receipt.bet)).toBe(fence("bet").trim());
  });

  it("lists the fields of every kind of leaf", () => {
    const salted = new Set<string>(SALTED_KINDS);
    const fieldsOf = (record: object) => new Set(Object.keys(record).filter((name) => name !== "kind"));
    expect(listed("## Leaves that everybody can read")).toEqual(
      Object.fromEntries(
        Object.values(LEAF)
          .filter(({ kind }) => !salted.has(kind))
          .map((leaf) => [leaf.kind, fieldsOf(leaf)]),
      ),
    );
    const chained = new Set(["at", "before", "member", "number"]);
    expect(listed("## What concerns one member")).toEqual(
      Object.fromEntries(
        Object.values(CONTENT).map((content) => {
          const fields = fieldsOf(content);
          return [
            content.kind,
            "before" in content ? new Set([...fields].filter((name) => !chained.has(name))) : fields,
          ];
        }),
      ),
    );
  });
});

/** The kinds of a table and their fields. */
const listed = (heading: string) =>
  Object.fromEntries(
    tableBelow(PAGE, heading).map(([kind, fields]) => [
      kind!.replaceAll("`", ""),
      new Set([...fields!.matchAll(/`([a-z_]+)`/g)].map(([, name]) => name!)),
    ]),
  );
