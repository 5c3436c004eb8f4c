import { describe, expect, it } from "vitest";
import { parseServed, servedHash, servedText } from "#shared/log/served-files.ts";
import { hashFor } from "./leaves.ts";
import { bytes, hexOf, sha256 } from "./world.ts";

const FILES = ["assets/app-1a.js", "check.html", "index.html"].map((path) => ({ path, hash: hashFor(path) }));
const text = servedText(FILES);
const changed = (from: string | RegExp, to: string) => text.replace(from, to);

describe("the list of the files that a site serves", () => {
  it("has a line for each, in the order of their names, and one hash", () => {
    expect(servedText(FILES.toReversed())).toBe(text);
    expect(text.split("\n")[1]).toBe(`${hashFor("check.html")}  check.html`);
    expect(parseServed(text)).toEqual(FILES);
    expect(parseServed("")).toEqual([]);
    expect(servedHash(text)).toBe(hexOf(sha256(bytes(text))));
  });

  it.each([
    ["a short hash", changed(/^./, "")],
    ["a hash in large digits", changed(/^\S+/, (hashFor("x") + "A").slice(1).toUpperCase())],
    ["one space", changed("  ", " ")],
    ["a tab", changed("  ", "\t ")],
    ["a way out of its folder", changed("assets/", "assets/../")],
    ["a path from the root", changed("assets/", "/assets/")],
    ["a hidden file", changed("assets/", ".assets/")],
    ["a space in a name", changed("app-1a", "app 1a")],
    ["no name", changed("index.html", "")],
    ["another order", `${text.split("\n").slice(0, 3).toReversed().join("\n")}\n`],
    ["no last newline", text.slice(0, -1)],
    ["a line more", `${text}\n`],
  ])("with %s is none", (_, other) => {
    expect(other).not.toBe(text);
    expect(parseServed(other)).toBe(null);
  });
});
