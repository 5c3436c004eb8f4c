import { cpSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { COMMANDS } from "#server/admin/commands.ts";
import { commandsOf } from "../support/pages.ts";
import { RECIPES, snippetsOf } from "../support/recipe.ts";
import { ROOT } from "../support/source-files.ts";
import { Terminal } from "../support/terminal.ts";

/* Commands that start what other tests start, or need an engine that this machine lacks: what they name must exist. */
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const isThere = (path: string) => existsSync(join(ROOT, path));

let terminal: Terminal;
beforeEach(() => {
  terminal = new Terminal();
});
afterEach(() => terminal.close());

describe("commands for containers", () => {
  const { name, services, volumes } = parse(read("server/deploy/compose.yaml")) as {
    name: string;
    services: object;
    volumes: object;
  };

  /** The unknown names in a command. */
  function unknownIn(words: string): string[] {
    const all = (pattern: RegExp) => [...words.matchAll(pattern)].map(([, found]) => found!);
    const named = all(/^docker compose (?:exec|stop|run|up)(?: -\S+)*((?: [a-z]+(?:-\d)?)*)/g)
      .join("")
      .split(" ");
    const served = named.filter((word) => word !== "" && !(word in services) && !["node", "sh", "pg"].includes(word));
    const kept = all(/--volume (\w+):/g).filter((volume) => !(volume.replace(`${name}_`, "") in volumes));
    const files = all(/ (?:\.\/)?(server\/\S+)/g).filter((file) => !isThere(file));
    const commands = all(/ server\/admin\/main\.ts ([a-z]\S*)/g).filter((command) => !(command in COMMANDS));
    return [...served, ...kept, ...files, ...commands].map((word) => `${words}: ${word}`);
  }

  it("name existing services, volumes and programs", async () => {
    cpSync(join(ROOT, "server/deploy"), join(terminal.folder, "server/deploy"), { recursive: true });
    const { given } = await terminal.give(
      `touch server/deploy/trio.dump\n${commandsOf("docs/containers.md").join("")}`,
    );
    expect(existsSync(join(terminal.folder, "server/deploy/.env"))).toBe(true);
    expect(given).toHaveLength(13);
    expect(given.flatMap(({ words }) => unknownIn(words))).toEqual([]);
  });

  it("that name others are found", () => {
    const odd = [
      "docker compose stop server-9",
      "docker run --volume trio_fles:/to",
      "docker x server/admin/main.ts audt",
    ];
    expect(odd.flatMap(unknownIn)).toHaveLength(3);
  });
});

describe("commands for developers", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: object };
  const bench = read("server/bench/main.ts");
  const torture = read("tests/torture/main.ts");
  /** What the examples add, which their own commands may name. */
  const added = new Set(RECIPES.flatMap((recipe) => snippetsOf(recipe)).map(({ about }) => about));
  const PROGRAM = /^(\.ci\/run|npx vitest run --config tests\/vitest\.config\.ts )/;

  function isRight(line: string): boolean {
    const [, script, words = ""] = /^npm (?:run )?([\w:]+)(?: -- (.*?))?(?:\s+#.*)?$/.exec(line) ?? [];
    const rows = script === "bench" ? words.split(" ").filter(Boolean) : [];
    const parts = script === "torture" ? words.split(" ").filter((word) => !/^\d+$/.test(word)) : [];
    const files = line.match(/\btests\/\S+\.ts\b|\.ci\/run/g) ?? [];
    return (
      (script === undefined ? PROGRAM.test(line) : script in scripts) &&
      rows.every((row) => new RegExp(`^  "?${row}"?: `, "m").test(bench)) &&
      parts.every(
        (part) => torture.includes(`  ${part} `) || torture.includes(`|${part}`) || torture.includes(`${part}|`),
      ) &&
      files.every((file) => isThere(file) || added.has(file))
    );
  }

  it("name existing files, scripts and rows", () => {
    const developers = ["speed", "testing", "torture", "adding/language", "adding/table"].map(
      (name) => `docs/${name}.md`,
    );
    const pages = ["README.md", "CONTRIBUTING.md", ...developers];
    const lines = pages.flatMap(commandsOf).flatMap((text) => text.trim().split("\n"));
    expect(lines.filter((line) => !isRight(line))).toEqual([]);
  });
});

it.each(["docs/table.md", "docs/back.md"])(
  "the pictures of %s are made by a test that is there, into their folder",
  (page) => {
    const [make] = commandsOf(page);
    const { folder, test } = /^PICTURES=(?<folder>\S+) TESTS=long npx vitest .* (?<test>tests\/\S+)$/m.exec(
      make!,
    )!.groups!;
    expect([isThere(folder!), read(test!).includes("process.env.PICTURES")]).toEqual([true, true]);
  },
);
