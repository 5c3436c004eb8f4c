import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GAME_KINDS } from "#shared/lottery/games.ts";
import { readSourceFiles, ROOT } from "./support/source-files.ts";

const kinds = [...GAME_KINDS.values()];

/** The registry, a kind's own rules, its board and the demo's games. */
const MAY_NAME = /^(shared\/lottery\/(games\.ts|kinds\/)|client\/screens\/lottery\/boards|db\/demo\/|tests\/)/;

/** A kind by its name, or by the file or the constant of its rules. */
const camel = (kind: string) => kind.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
const names = new RegExp(
  `["'\`](${kinds.map(({ kind }) => kind).join("|")})["'\`]|lottery/kinds/|\\b(${kinds.map(({ kind }) => camel(kind)).join("|")})\\b`,
);
const naming = (files: { path: string; text: string }[]) =>
  files.filter(({ path, text }) => !MAY_NAME.test(path) && names.test(text)).map(({ path }) => path);

describe("a kind of game", () => {
  it("is named by the registry and its own files, and nowhere else", () => {
    expect(naming(readSourceFiles())).toEqual([]);
  });

  it("would be found elsewhere", () => {
    const texts = [
      'if (kind === "dice-sum") pay();',
      'import { dicePair } from "./games.ts";',
      'import "#shared/lottery/kinds/a.ts";',
    ];
    for (const text of texts) expect(naming([{ path: "server/a.ts", text }])).toEqual(["server/a.ts"]);
  });

  it.each(kinds.map(({ kind, classKey }) => [kind, classKey]))("%s has an icon", (_, classKey) => {
    expect(existsSync(join(ROOT, `client/public/icons/${classKey}.svg`))).toBe(true);
  });
});
